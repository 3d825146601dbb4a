//go:build 386 || arm || mips || mipsle

package ir

// The compiler reports this name on systems of 32 bits. The project computes sizes and addresses of
// up to 63 bits in an int.
const _ = hotline_needs_a_64_bit_system
