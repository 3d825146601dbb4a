// Package arch holds what the blocks of the accelerator, their reference
// models and its users agree on: the parameters and their limits, the command
// and completion formats, the registers. docs/accelerator.md explains
// them. They have names here, too, for documents, programs and traces. It is
// plain Go and imports packages enum and regmap besides the standard library.
package arch
