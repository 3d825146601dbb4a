// Package arch is the single definition of the accelerator's interface: parameters and their
// limits, the sizes that a device reports, register numbers, and the formats of commands,
// completions, registers and lists. docs/reference/accelerator.md specifies them.
//
// Decoding an encoded value returns the same value. The package is plain Go without hardware
// descriptions, so drivers and tools can import it.
package arch
