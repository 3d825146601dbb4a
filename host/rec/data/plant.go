package data

import (
	"math"

	"github.com/hotline-rtl/hotline/host/rec/repro"
)

// plant is the logistic model behind the labels: a weight per dense feature and a weight per row. Over the inputs, the dense
// part and the row part each have mean 0 and variance 1, as far as the finite number of contexts allows.
type plant struct {
	seed  uint64
	dense []float64
	mean  []float64 // of the rows' raw weights, per table, as often as they are read
	scale float64   // from raw weights to weights
}

// quantiles is how finely a table's popularity is sampled for the mean and variance of its weights.
const quantiles = 1000

func newPlant(p Params, tables []zipf) plant {
	m := plant{seed: p.Seed, scale: 1}
	norm := 0.0
	for j := range p.Dense {
		w := normal(p.Seed, keyDenseWeight, uint64(j))
		m.dense = append(m.dense, w)
		norm += float64(w * w)
	}
	for j := range m.dense {
		m.dense[j] /= math.Sqrt(norm)
	}
	variance := 0.0
	for t, z := range tables {
		sum, squares := 0.0, 0.0
		for q := range quantiles {
			w := m.raw(t, z.rank((float64(q)+0.5)/quantiles))
			sum += w
			squares += float64(w * w)
		}
		mean := sum / quantiles
		m.mean = append(m.mean, mean)
		variance += float64(float64(p.Tables[t].Lookups) * max(0, squares/quantiles-float64(mean*mean)))
	}
	if variance > 0 {
		m.scale = 1 / math.Sqrt(variance)
	}
	return m
}

// row returns the weight of a row.
func (m *plant) row(table int, index uint32) float64 {
	return (m.raw(table, index) - m.mean[table]) * m.scale
}

func (m *plant) raw(table int, index uint32) float64 {
	return normal(m.seed, keyRowWeight, uint64(table), uint64(index))
}

func normal(key ...uint64) float64 { return repro.NewStream(key...).Normal() }
