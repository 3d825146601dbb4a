// Package dll implements the data link layer of PCI Express without timing: the retry buffer of a
// transmitter, the sequence checks of a receiver, and the formats on the wire.
//
//	var tx dll.Transmitter[*pcie.TLP]
//	var rx dll.Receiver
//	seq := tx.Add(t, t.WireLen())
//	if rx.Take(seq, true) == dll.Deliver {
//		_, err := tx.Ack(rx.Last())
//	}
//
// It guarantees:
//   - Each TLP is delivered exactly once and in order, even if the wire loses, damages or repeats
//     frames, as long as some eventually arrive.
//   - An acknowledgement of a TLP that was never sent is an error.
//   - A frame or packet with any wrong bit is rejected.
//
// The caller, host/pcie/link, decides when to acknowledge, when to replay, and when to give up.
// Section numbers in comments refer to the PCI Express Base Specification, revision 5.0.
package dll
