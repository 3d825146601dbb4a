package lookup

import (
	"math/rand"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// criteo lists the rows of the 26 categorical features of Criteo Kaggle.
var criteo = []int{1460, 583, 10131227, 2202608, 305, 24, 12517, 633, 3, 93145, 5683, 8351593, 3194, 27, 14992,
	5461306, 10, 5652, 2173, 4, 7046547, 18, 15, 286181, 105, 142572}

// clicks returns inputs of 26 lookups. The ids are uniform, or skewed like a click log over the
// tables of Criteo.
func clicks(p arch.Params, inputs int, skewed bool) batch {
	r := rand.New(rand.NewSource(1))
	x := batch{words: make([]uint32, inputs*len(criteo)), bases: make([]uint32, len(criteo))}
	zipfs := make([]*rand.Zipf, len(criteo))
	for s, n := range criteo {
		zipfs[s] = rand.NewZipf(r, 1.2, 1.5, uint64(n-1))
		if s > 0 && skewed {
			x.bases[s] = x.bases[s-1] + uint32(criteo[s-1])
		}
	}
	for k := range x.words {
		if skewed {
			x.words[k] = uint32(zipfs[k%len(criteo)].Uint64())
		} else {
			x.words[k] = uint32(r.Intn(1 << p.IDBits()))
		}
	}
	return x
}

// steady returns the number of lookups per cycle between the first and the last tenth of the run.
func (b *bench) steady() float64 {
	total := b.history[len(b.history)-1]
	first := sort.SearchInts(b.history, total/10)
	last := sort.SearchInts(b.history, total-total/10)
	return float64(b.history[last]-b.history[first]) / float64(last-first)
}

func TestThroughput(t *testing.T) {
	p := sized(func(p *arch.Params) { p.EDRAMWords *= 4 })
	for _, c := range []struct {
		name          string
		skewed, learn bool
		least         float64
	}{
		{"uniform", false, false, 7.0}, {"skewed", true, false, 7.7},
		{"uniform, learning", false, true, 3.7}, {"skewed, learning", true, true, 5.9},
	} {
		b, _ := newSystem(t, p)
		x := clicks(p, p.HalfWords()/len(criteo), c.skewed)
		x.learn = c.learn
		cycles, err := b.run(x)
		require.NoError(t, err)
		rate := float64(len(x.words)) / float64(cycles)
		t.Logf("%s: %d lookups in %d cycles, %.2f a cycle (steady %.2f), %d of the cache", c.name, len(x.words), cycles, rate, b.steady(), b.cached)
		require.GreaterOrEqual(t, rate, c.least, c.name)
	}
}

func BenchmarkPaperScaleUniform(b *testing.B)         { measure(b, 8192, false, false) }
func BenchmarkPaperScaleSkewed(b *testing.B)          { measure(b, 8192, true, false) }
func BenchmarkPaperScaleUniformLearning(b *testing.B) { measure(b, 8192, false, true) }
func BenchmarkPaperScaleSkewedLearning(b *testing.B)  { measure(b, 8192, true, true) }

// measure reports the lookups per cycle of a mini-batch at paper scale.
func measure(b *testing.B, inputs int, skewed, learn bool) {
	p := arch.Paper()
	s, _ := newSystem(b, p)
	x := clicks(p, inputs, skewed)
	x.learn = learn
	for b.Loop() {
		cycles, err := s.run(x)
		require.NoError(b, err)
		b.ReportMetric(float64(len(x.words))/float64(cycles), "lookups/cycle")
		b.ReportMetric(s.steady(), "steady")
		b.ReportMetric(float64(s.cached)/float64(len(x.words)), "cached")
	}
}
