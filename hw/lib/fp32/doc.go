// Package fp32 provides pipelined binary32 arithmetic (IEEE 754-2019). It rounds to nearest, ties
// to even, and fully supports subnormals and infinities. Every NaN result is the quiet NaN
// 0x7fc00000. There are no exception flags.
//
// A unit accepts one operation per cycle and returns its result after a fixed number of cycles.
// Units cannot be stalled.
package fp32
