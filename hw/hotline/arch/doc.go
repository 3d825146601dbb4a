// Package arch holds what the blocks of the accelerator, their reference
// models and its users agree on, and is the only place that says it: the parameters
// and their limits, what a device tells of its sizes, the formats of commands,
// completions, registers and lists with what encodes and decodes them, the register
// numbers. docs/reference/accelerator.md explains them. They have names here, too, for
// documents, programs and traces.
//
// It promises that what it encodes it decodes as it was. It is plain Go, without
// hardware, so that drivers and tools can import it; it imports packages enum and
// regmap besides the standard library.
package arch
