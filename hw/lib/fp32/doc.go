// Package fp32 holds pipelined binary32 arithmetic (IEEE 754-2019): rounding to
// nearest, ties to even; full subnormals and infinities; each NaN result is the
// quiet NaN 0x7fc00000. There are no exception flags.
//
// Units take an operation every cycle and give its result a fixed number of
// cycles later; there is no way to stall them.
package fp32
