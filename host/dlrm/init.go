package dlrm

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// Kinds of random numbers. The kind is the second word of a key, so that different kinds never
// share a stream.
const (
	keyRow uint64 = iota
	keyParam
)

// InitRow writes the initial value of an embedding row to dst (Dim values): uniform between
// -sqrt(1/rows) and sqrt(1/rows), as in the DLRM reference. It depends only on (seed, table,
// index), so that rows can be generated when they are first read.
func InitRow(cfg Config, seed uint64, table int, index uint32, dst []float32) {
	bound := math.Sqrt(1 / float64(cfg.Tables[table].Rows))
	s := detmath.NewStream(seed, keyRow, uint64(table), uint64(index))
	for i := range dst[:cfg.Dim] {
		dst[i] = float32((float64(2*s.Float64()) - 1) * bound)
	}
}

func (n *Net) init(seed uint64) {
	tensor := uint64(0)
	fill := func(values []float32, variance float64) {
		s := detmath.NewStream(seed, keyParam, tensor)
		for i := range values {
			values[i] = float32(s.Normal() * math.Sqrt(variance))
		}
		tensor++
	}
	for _, layers := range n.layers {
		for _, l := range layers {
			fill(l.w, 2/float64(l.in+l.out))
			fill(l.b, 1/float64(l.out))
		}
	}
}
