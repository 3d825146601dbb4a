package dispatch

import "github.com/hotline-rtl/hotline/hw/hotline/arch"

// RowsDepth is the number of row reads that can wait for the read engine.
const RowsDepth = 4

// OpsDepth returns the number of operations that can wait for the reducer, not counting the
// operation at its input. Each row read has one operation.
func OpsDepth(p arch.Params) int { return p.Tags }

// LeastSlots returns the minimum number of lookups per input.
func LeastSlots(p arch.Params) int { return Of(p).LeastSlots() }

// RowsAheadBits returns the width of the number of rows ahead.
func RowsAheadBits(p arch.Params) int { return Of(p).RowsAheadBits() }
