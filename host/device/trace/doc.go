// Package trace analyzes and replays captures of the accelerator's link. It determines the role of
// each TLP, the lifecycle of each command from doorbell to interrupt, and the latencies and
// bandwidth.
//
//	t, err := trace.Read(file)
//	for _, e := range t.Select(trace.Filter{Command: 7}) {
//		fmt.Println(e)
//	}
//
// The package derives the device state from the TLPs only: register writes locate the rings and the
// interrupts. Therefore a capture needs to start at the first packet.
//
// Guarantees:
//   - The package and the Wireshark dissector assign the same role to each TLP.
//   - Each command owns the TLPs that it caused, if the device executes one command at a time: reads
//     and writes belong to the oldest fetched command without a completion entry.
//   - A card of the same configuration that replays a capture from its start sends the same TLPs at
//     the same picoseconds. The exception is a link failure or reset without a TLP, which a capture
//     does not contain.
//   - A replay repeats injected faults.
package trace
