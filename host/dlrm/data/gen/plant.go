package gen

import (
	"math"
	"math/bits"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// plant is the logistic model that generates the labels. It has a weight for each dense feature and
// each row. Over all inputs, its output has mean 0 and variance 1, as far as the finite number of
// contexts allows. Half of the variance is from dense features and half from rows. If the dense
// features encode only the time, all variance is from rows.
type plant struct {
	key   uint64 // key of the rows' weights
	dense []float64
	mean  []float64 // mean raw weight of each table's rows, weighted by accesses
	scale float64   // factor from raw weights to weights
}

// quantiles is the number of samples of a table's popularity for the mean and variance of its
// weights.
const quantiles = 1 << 14

func newPlant(p Params, laws []*guide) plant {
	m := plant{key: detmath.Hash(p.Seed, keyRowWeight), dense: make([]float64, p.Dense)}
	share := 1.0 // share of the variance from rows
	if p.steps() == 1 {
		share = 0.5
		norm := 0.0
		for j := range m.dense {
			m.dense[j] = coins(detmath.Hash(p.Seed, keyDenseWeight, uint64(j)))
			norm += float64(m.dense[j] * m.dense[j])
		}
		for j := range m.dense {
			m.dense[j] *= math.Sqrt((1 - share) / max(norm, 1))
		}
	}
	variance := 0.0
	for t, l := range laws {
		sum, squares := 0.0, 0.0
		for q := range quantiles {
			w := m.raw(t, l.rank((float64(q)+0.5)/quantiles))
			sum += w
			squares += float64(w * w)
		}
		mean := sum / quantiles
		m.mean = append(m.mean, mean)
		lookups := p.Tables[t].Lookups
		if !p.Tables[t].PerInput {
			lookups *= p.steps()
		}
		variance += float64(float64(lookups) * max(0, squares/quantiles-float64(mean*mean)))
	}
	if variance > 0 {
		m.scale = math.Sqrt(share / variance)
	}
	return m
}

// row returns the weight of a row.
func (m *plant) row(table int, rank uint32) float64 {
	return (m.raw(table, rank) - m.mean[table]) * m.scale
}

func (m *plant) raw(table int, rank uint32) float64 {
	return coins(detmath.Hash(m.key, uint64(table)<<32|uint64(rank)))
}

// coins converts 64 random bits to an approximately normal number of mean 0 and variance 1.
func coins(tosses uint64) float64 { return (float64(bits.OnesCount64(tosses)) - 32) / 4 }
