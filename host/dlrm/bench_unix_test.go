//go:build unix

package dlrm

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// BenchmarkStep trains on mini-batches of 2,048 inputs with random rows of tables of 100,000 rows.
// It includes pooling, forward and backward pass and all updates. Inputs per second refer to
// processor time.
func BenchmarkStep(b *testing.B) {
	small := rm2()
	small.Name, small.Bottom, small.Top = "small", []int{13, 64, 16}, []int{64, 1}
	for _, cfg := range []Config{small, rm1(), rm2()} {
		for t := range cfg.Tables {
			cfg.Tables[t].Rows = 100_000
		}
		b.Run(cfg.Name, func(b *testing.B) { benchmarkStep(b, cfg) })
	}
}

func benchmarkStep(b *testing.B, cfg Config) {
	const size, batches = 2048, 4
	rng := rand.New(rand.NewPCG(1, 1))
	n, err := NewNet(cfg, 1)
	if err != nil {
		b.Fatal(err)
	}
	tables, state := make([][]float32, len(cfg.Tables)), make([][]float32, len(cfg.Tables))
	rowState := cfg.Optimiser.RowStateLen(cfg.Dim)
	for t, table := range cfg.Tables {
		tables[t], state[t] = make([]float32, table.Rows*cfg.Dim), make([]float32, table.Rows*rowState)
		for i := range table.Rows {
			InitRow(cfg, 1, t, uint32(i), tables[t][i*cfg.Dim:])
		}
	}
	row := func(table int, index uint32) []float32 { return tables[table][int(index)*cfg.Dim:][:cfg.Dim] }
	var inputs [batches]Batch
	for i := range inputs {
		inputs[i] = randomBatch(cfg, rng, size)
	}
	width := len(cfg.Bags()) * cfg.Dim
	pooled, dPooled, probabilities := make([]float32, size*width), make([]float32, size*width), make([]float32, size)
	w, g, rg := n.Worker(), n.NewGradients(), NewRowGrads(cfg.Dim)
	begun := cpuTime(b)
	for k := 0; b.Loop(); k++ {
		batch := inputs[k%batches]
		for i := range size {
			cfg.PoolSample(pooled[i*width:][:width], batch.At(i).Sparse, row)
		}
		w.Train(batch, pooled, size, g, probabilities, dPooled)
		rg.AddBatch(cfg.Bags(), batch, dPooled)
		if err := n.Apply(0, g); err != nil {
			b.Fatal(err)
		}
		grads, err := rg.Round()
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range grads {
			cfg.Update(0).Row(state[r.Table][int(r.Index)*rowState:][:rowState], r.Grad)
			UpdateRow(row(r.Table, r.Index), r.Grad, -cfg.LearningRate)
		}
		g.Reset()
		rg.Reset()
	}
	b.ReportMetric(size*float64(b.N)/(cpuTime(b)-begun).Seconds(), "inputs/s")
}

// cpuTime returns the processor time of the process so far, which does not depend on other
// processes.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
