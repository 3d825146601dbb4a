// Package dll is the data link layer of PCI Express without its time: what a
// transmitter keeps until it is acknowledged, what a receiver takes, and how both
// look on the wire.
//
//	var tx dll.Transmitter[*pcie.TLP]
//	var rx dll.Receiver
//	seq := tx.Add(t, t.WireLen())
//	if rx.Take(seq, true) == dll.Deliver {
//		_, err := tx.Ack(rx.Last())
//	}
//
// It promises
//   - that each TLP is delivered exactly once, and in order, whatever the wire loses,
//     damages or repeats, as long as something comes through at last;
//   - that an acknowledgement of what was never sent is an error;
//   - that a frame or packet with any wrong bit is not taken.
//
// The caller says when to acknowledge, when to send again, and when to give up: host/pcie/link does.
// Section numbers in comments are those of the PCI Express Base Specification, revision 5.0.
package dll
