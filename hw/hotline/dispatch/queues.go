package dispatch

import "github.com/hotline-rtl/hotline/hw/hotline/arch"

// RowsDepth is how many reads of rows wait for the read engine.
const RowsDepth = 4

// OpsDepth is how many operations wait for the reducer, beside the one that it is
// offered: each row that is read has one.
func OpsDepth(p arch.Params) int { return p.Tags }

// LeastSlots is the least number of lookups of an input.
func LeastSlots(p arch.Params) int { return Of(p).LeastSlots() }

// RowsAheadBits is the width of the number of rows ahead.
func RowsAheadBits(p arch.Params) int { return Of(p).RowsAheadBits() }
