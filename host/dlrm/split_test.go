package dlrm

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/dlrm/exact"
)

// TestDivisionOfMiniBatchesDoesNotMatter checks the main guarantee of the package. However a
// mini-batch is divided and ordered, the parameters have the same bits.
func TestDivisionOfMiniBatchesDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := testConfigs()[rapid.SampledFrom(slices.Sorted(maps.Keys(testConfigs()))).Draw(t, "model")]
		seed := rapid.Uint64().Draw(t, "seed")
		size := rapid.IntRange(1, 24).Draw(t, "mini-batch size")
		rng := rand.New(rand.NewPCG(seed, 2))
		whole, divided := newModel(t, cfg, seed), newModel(t, cfg, seed)
		for range 3 {
			batch := randomBatch(cfg, rng, size)

			g, rg := whole.net.NewGradients(), NewRowGrads(cfg.Dim)
			whole.share(batch, size, g, rg)
			whole.apply(t, g, rg)
			loss, err := g.Loss()
			require.NoError(t, err)

			g, rg = divided.divide(t, batch)
			divided.apply(t, g, rg)
			dividedLoss, err := g.Loss()
			require.NoError(t, err)
			require.Equal(t, loss, dividedLoss)
		}
		requireSameBits(t, whole, divided)
	})
}

// rates contains learning rates that are too large. With the first, training continues for a while;
// with the last, it fails soon.
var rates = []float32{5, 1e3, 1e6}

// TestExplodingTraining: a much too large learning rate produces numbers beyond every accumulator.
// Training continues with the same bits for every division until a gradient is infinite. Every
// division reports the same error.
func TestExplodingTraining(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		explode(t, rapid.SampledFrom(rates).Draw(t, "learning rate"), seed)
	})
}

// TestExplosionIsMet checks that both outcomes of TestExplodingTraining occur for some of the
// rates, so that its property is not vacuous.
func TestExplosionIsMet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps, err := explode(t, rates[0], 1)
		require.Equal(t, explodingSteps, steps)
		require.NoError(t, err)
		steps, err = explode(t, rates[2], 1)
		require.Equal(t, 2, steps)
		require.ErrorIs(t, err, exact.ErrNotFinite)
	})
}

// explodingSteps is the maximum number of mini-batches of explode.
const explodingSteps = 8

// explode trains a model as a whole and divided, and requires the same bits and the same error of
// both. It returns the number of successful mini-batches, and the error, if any.
func explode(t *rapid.T, rate float32, seed uint64) (int, error) {
	cfg := testConfig()
	cfg.LearningRate = rate
	rng := rand.New(rand.NewPCG(seed, 2))
	whole, divided := newModel(t, cfg, seed), newModel(t, cfg, seed)
	defer requireSameBits(t, whole, divided)
	for step := range explodingSteps {
		batch := randomBatch(cfg, rng, 16)
		g, rg := whole.net.NewGradients(), NewRowGrads(cfg.Dim)
		whole.share(batch, batch.Len(), g, rg)
		err := whole.net.Apply(0, g)
		g, dividedRows := divided.divide(t, batch)
		require.Equal(t, err, divided.net.Apply(0, g))
		if err == nil { // then the rows
			err = whole.applyRows(rg)
			require.Equal(t, err, divided.applyRows(dividedRows))
		}
		if err != nil {
			require.True(t, errors.Is(err, exact.ErrNotFinite) || errors.Is(err, exact.ErrRange))
			return step, err
		}
	}
	return explodingSteps, nil
}

// divide distributes a mini-batch, in random order, to 1 to 4 GPUs that each run a popular and a
// non-popular part, and merges the results.
func (m *model) divide(t *rapid.T, batch Batch) (*Gradients, *RowGrads) {
	gpus := rapid.IntRange(1, 4).Draw(t, "GPUs")
	inputs := make([]int, batch.Len())
	for i := range inputs {
		inputs[i] = i
	}
	dealt := make([][]int, 2*gpus)
	for _, i := range rapid.Permutation(inputs).Draw(t, "order") {
		p := rapid.IntRange(0, len(dealt)-1).Draw(t, "part")
		dealt[p] = append(dealt[p], i)
	}
	parts := make([]Batch, 2*gpus)
	for p := range parts {
		parts[p].Select(batch, dealt[p])
	}
	g, rg := m.net.NewGradients(), NewRowGrads(m.net.cfg.Dim)
	for gpu := range gpus {
		own, ownRows := m.net.NewGradients(), NewRowGrads(m.net.cfg.Dim)
		m.share(parts[2*gpu], batch.Len(), own, ownRows)
		m.share(parts[2*gpu+1], batch.Len(), own, ownRows)
		g.Merge(own)
		rg.Merge(ownRows)
	}
	return g, rg
}

func requireSameBits(t require.TestingT, a, b *model) {
	require.NoError(t, a.net.Diff(b.net))
	require.Equal(t, a.net.Hash(), b.net.Hash())
	require.Equal(t, len(a.rows), len(b.rows))
	for id, row := range a.rows {
		require.Equal(t, -1, FirstDiff(row, b.rows[id]), "row %#x", id)
		require.Equal(t, -1, FirstDiff(a.state[id], b.state[id]), "state of row %#x", id)
	}
}

// TestTrainingIsPinned detects changes of the bits that training produces, on any machine.
func TestTrainingIsPinned(t *testing.T) {
	for name, hash := range map[string]string{
		"sgd":             "b6a4075d4897a08cc3b6c8fd97845710ef3c55132bd3af430c7d0662b17c2015",
		"MSE":             "0143f09b6c2d1bd948efee16f604ba7b4918574720a4e6f1d1cadfd9e30abe82",
		"adagrad":         "bb59a3c23f8cc752ca2d0e4ae3dc5c97c6b8133a6dedd874d946c3710da502e8",
		"TBSM":            "cc89e901959144ca6ed3ef2ef164a69adcd759e373c77015488cbcb0fc46360c",
		"momentum":        "14ffe38ad7a675d6655ed74192a1e2885b89c168d9455397635443a958ded320",
		"rowwise_adagrad": "ba43301c435999c924a4c73930092f82c277ae9f4d9017e30372b12767a00344",
		"adam":            "2e8245aa9c43347776af6d84697dd4fefc37f206dbbaac640743b1a7a9314f19",
	} {
		t.Run(name, func(t *testing.T) {
			cfg := testConfigs()[name]
			m := newModel(t, cfg, 42)
			batch := randomBatch(cfg, rand.New(rand.NewPCG(4, 2)), 64)
			g, rg := m.net.NewGradients(), NewRowGrads(cfg.Dim)
			var losses []float32
			for range 20 {
				g.Reset()
				rg.Reset()
				m.share(batch, batch.Len(), g, rg)
				m.apply(t, g, rg)
				loss, err := g.Loss()
				require.NoError(t, err)
				losses = append(losses, loss)
			}
			require.Less(t, losses[19], losses[0])
			require.Equal(t, hash, m.net.Hash())
		})
	}
}

// TestTrainingIsPinnedWithoutVectors runs TestTrainingIsPinned with the implementations for older
// processors.
func TestTrainingIsPinnedWithoutVectors(t *testing.T) {
	for _, off := range []string{"cpu.avx512f=off", "cpu.avx512f=off,cpu.avx2=off"} {
		again := exec.Command(os.Args[0], "-test.run=^TestTrainingIsPinned$")
		again.Env = append(os.Environ(), "GODEBUG="+off)
		out, err := again.CombinedOutput()
		require.NoError(t, err, "%s: %s", off, out)
	}
}
