package gen

import (
	"math"
	"math/bits"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// plant is the logistic model behind the labels: a weight per dense feature and a weight per row. Over the inputs, what it says of
// an input has mean 0 and variance 1, as far as the finite number of contexts allows: half of the variance is from dense features
// and half from rows, or all from rows where dense features only say the time.
type plant struct {
	key   uint64 // of the rows' weights
	dense []float64
	mean  []float64 // of the rows' raw weights, per table, as often as they are read
	scale float64   // from raw weights to weights
}

// quantiles is how finely a table's popularity is sampled for the mean and variance of its weights.
const quantiles = 1 << 14

func newPlant(p Params, laws []*guide) plant {
	m := plant{key: detmath.Hash(p.Seed, keyRowWeight), dense: make([]float64, p.Dense)}
	share := 1.0 // of the variance, from rows
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

// coins makes a number of mean 0 and variance 1, nearly normal, of 64 tosses of a coin.
func coins(tosses uint64) float64 { return (float64(bits.OnesCount64(tosses)) - 32) / 4 }
