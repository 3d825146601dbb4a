package eal

import "github.com/hotline-rtl/hotline/hw/enum"

// RRPV is a 2-bit re-reference prediction value of SRRIP (Jaleel et al., ISCA 2010): a prediction
// of how far in the future the next access is.
type RRPV uint8

// A block has RRPVHit after a hit and RRPVInsert after insertion. A block with RRPVDistant may be
// evicted.
const (
	RRPVHit RRPV = iota
	RRPVNear
	RRPVInsert
	RRPVDistant
)

var rrpvs = enum.Sequence[RRPV]("rrpv", "hit", "near", "insert", "distant")

// Enum implements enum.Value.
func (RRPV) Enum() enum.Set { return rrpvs }

// String returns the name of the value.
func (v RRPV) String() string { return rrpvs.Text(uint64(v)) }
