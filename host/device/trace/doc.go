// Package trace tells from a capture of the accelerator's link what happened
// there: what each TLP is for, the way of each command from its doorbell to its
// interrupt, latencies and bandwidth. It plays a capture to another card, too.
//
//	t, err := trace.Read(file)
//	for _, e := range t.Select(trace.Filter{Command: 7}) {
//		fmt.Println(e)
//	}
//
// It knows the device by the TLPs alone: registers that were written say where the
// rings and the interrupts are. So a capture is of use from its first packet on.
//
// It promises
//   - that TLPs are told apart as by the dissector, which is for Wireshark;
//   - that a command has the TLPs which it caused, as long as the device works at
//     one after the other: what is read and written belongs to the oldest command
//     that was fetched and has no completion entry yet;
//   - that the same card, made from the same configuration and played the same
//     capture from its start, sends the same TLPs at the same picoseconds, unless
//     its link went down or it was reset without a TLP, of which a capture has nothing;
//   - that a replay does again what was done to TLPs on purpose.
package trace
