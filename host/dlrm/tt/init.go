package tt

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// keySlice is the second word of the keys of this package's random numbers. No other package uses
// it.
const keySlice uint64 = 0x7474

// InitSlice writes the initial values of a slice of a core to dst (SliceLen values). They are
// uniform between 0 and a bound common to all cores, as in the release of EL-Rec. They depend only
// on the shape and on (seed, table, core, slice), so that slices can be generated when they are
// first read.
func (s Shape) InitSlice(seed uint64, table, core, slice int, dst []float32) {
	bound := s.bound()
	r := detmath.NewStream(seed, keySlice, uint64(table), uint64(core), uint64(slice))
	for i := range dst[:s.SliceLen(core)] {
		dst[i] = float32(r.Float64() * bound)
	}
}

// bound returns the cubic root of sqrt(2/(rows + dim)), divided by the sixth root of the rank for
// each of the two ranks between cores.
func (s Shape) bound() float64 {
	rows := float64(s.Rows[0]) * float64(s.Rows[1]) * float64(s.Rows[2])
	variance := math.Sqrt(2 / (rows + float64(s.Dim())))
	return detmath.Pow(variance/float64(s.Rank), 1./Cores)
}
