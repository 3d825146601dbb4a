// Package detmath holds the few elementary functions and random numbers that training needs, with the same bits on every
// machine.
//
// The standard library's math.Exp and math.Log may use a fused multiply-add where the processor has one, and so differ in
// the last bit between machines; a training run feeds its own rounding back, so one such bit changes every later parameter.
// Here every product is rounded by an explicit conversion, which the Go specification forbids a compiler to fuse.
//
// Random numbers are counter based: Hash maps a key (seed, table, row, ...) to 64 bits, so any of them can be made at any
// time, in any order, without making the others. Stream is a sequence that starts from such a key.
package detmath
