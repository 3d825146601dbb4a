//go:build !amd64 || amd64.v3

package model

import "math/bits"

// FirstBit returns the index of the least significant set bit of x, which must not be 0.
func FirstBit(x uint64) int { return bits.TrailingZeros64(x) }
