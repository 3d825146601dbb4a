// Package detmath provides the elementary functions and random numbers that training needs, with
// the same bits on every machine.
//
// The standard library's math.Exp and math.Log may use a fused multiply-add where the processor has
// one. Therefore their last bit may differ between machines. A training run feeds its rounding
// back, so one such bit changes every later parameter. This package rounds every product by an
// explicit conversion, which the Go specification does not allow a compiler to fuse.
//
// Random numbers are counter based. Hash maps a key (seed, table, row, ...) to 64 bits, so that
// each random number can be generated independently of all others. Stream is a sequence that starts
// from such a key.
package detmath
