package eal

import "github.com/hotline-rtl/hotline/hw/enum"

// RRPV is a re-reference prediction value of SRRIP (Jaleel et al., ISCA 2010)
// with 2 bits: how far away the next access seems to be.
type RRPV uint8

// A block has RRPVHit after a hit and RRPVInsert when it enters; one with
// RRPVDistant may leave.
const (
	RRPVHit RRPV = iota
	RRPVNear
	RRPVInsert
	RRPVDistant
)

var rrpvs = enum.Sequence[RRPV]("rrpv", "hit", "near", "insert", "distant")

// Enum has the names of the values.
func (RRPV) Enum() enum.Set { return rrpvs }

// String is the name of the value.
func (v RRPV) String() string { return rrpvs.Text(uint64(v)) }
