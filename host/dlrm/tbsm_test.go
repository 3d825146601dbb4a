package dlrm

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// scaleTowers scales the outputs of the towers of a TBSM.
func scaleTowers(n *Net, by float32) {
	last := n.layers[top][len(n.layers[top])-1]
	for _, values := range [][]float32{last.w, last.b} {
		for i := range values {
			values[i] *= by
		}
	}
}

// TestVectorsAreScaledToLengthOne: predictions do not depend on the length of the towers' outputs.
func TestVectorsAreScaledToLengthOne(t *testing.T) {
	cfg := testTBSM()
	batch := randomBatch(cfg, rand.New(rand.NewPCG(1, 1)), 40)
	var want []float32
	for _, scale := range []float32{1, 0x1p20, 0x1p-20, 0x1p-30} { // exact in float32
		m := newModel(t, cfg, 3)
		scaleTowers(m.net, scale)
		got := make([]float32, 40)
		m.net.Worker().Predict(batch, m.pool(batch), got)
		if want == nil {
			want = got
		}
		require.Equal(t, want, got)
	}
}

// TestDeadTowers: towers whose outputs are zero have no gradient and cause no invalid gradient.
func TestDeadTowers(t *testing.T) {
	cfg := testTBSM()
	m := newModel(t, cfg, 3)
	scaleTowers(m.net, 0)
	batch := randomBatch(cfg, rand.New(rand.NewPCG(1, 1)), 40)
	g, rg := m.net.NewGradients(), NewRowGrads(cfg.Dim)
	m.share(batch, 40, g, rg)
	before := m.net.Clone()
	m.apply(t, g, rg)
	for part, changes := range map[int]bool{bottom: false, top: false, inner: false, attention: false, head: true} {
		for i, l := range m.net.layers[part] {
			require.Equal(t, changes, FirstDiff(before.layers[part][i].b, l.b) >= 0, "%s, layer %d", partNames[part], i)
		}
	}
}
