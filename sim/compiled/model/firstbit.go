//go:build !amd64 || amd64.v3

package model

import "math/bits"

// FirstBit is the number of the least significant bit that is set in x, which is not 0.
func FirstBit(x uint64) int { return bits.TrailingZeros64(x) }
