package fidelity

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
)

// batches contains the lookups of two mini-batches: the mini-batch to learn from and the mini-batch
// to train on.
type batches struct{ learned, trained []uint32 }

// rows returns the number of rows of each table: as many as the row IDs can address, but at most
// the size of a large Criteo table.
func (p point) rows() int { return min(1<<p.params.IDBits()/p.tables, 10_000_000) }

func (p point) slots() int { return p.tables * p.each }

// batches samples the mini-batches. With skews other than clicks, learned rows are the first rows
// of a table, as many as fit into half of the EAL. A lookup of an input that should not be popular
// uses another row with probability 1/2.
func (p point) batches() (batches, error) {
	if p.skew == clicks {
		return p.generated()
	}
	rng := rand.New(rand.NewPCG(uint64(len(p.name)), 7))
	pool := min(p.rows()/2, max(p.params.Blocks/2/p.tables, 1))
	draw := p.drawer(rng, pool)
	var b batches
	n := p.inputs * p.slots()
	for range n {
		b.learned = append(b.learned, draw())
	}
	known := make([][]uint32, p.tables) // learned rows of each table
	for i, w := range b.learned {
		t := i % p.slots() / p.each
		known[t] = append(known[t], w)
	}
	for range p.inputs {
		popular := rng.Float64() < p.share
		for s := range p.slots() {
			t := s / p.each
			w := known[t][rng.IntN(len(known[t]))]
			if !popular && rng.IntN(2) == 0 {
				w = uint32(pool + rng.IntN(p.rows()-pool))
			}
			b.trained = append(b.trained, w)
		}
	}
	return b, nil
}

// drawer returns a function that samples rows of the pool.
func (p point) drawer(rng *rand.Rand, pool int) func() uint32 {
	if p.skew == uniform {
		return func() uint32 { return uint32(rng.IntN(pool)) }
	}
	const exponent = 1.05
	sums := make([]float64, pool)
	sum := 0.0
	for i := range sums {
		sum += math.Pow(float64(i+1), -exponent)
		sums[i] = sum
	}
	return func() uint32 {
		x := rng.Float64() * sum
		lo, hi := 0, pool-1
		for lo < hi {
			if mid := (lo + hi) / 2; sums[mid] < x {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		return uint32(lo)
	}
}

// generated returns mini-batches of generated samples whose tables differ in size, like the tables
// of Criteo.
func (p point) generated() (batches, error) {
	g := gen.Params{Name: "grid", Seed: 5, Dense: 1, Levels: 1, Contexts: 4000, ContextZipf: 1, List: 3, Rho: 0.9, Signal: 1}
	for t := range p.tables {
		rows := max(10, p.rows()>>(t%8*2))
		g.Tables = append(g.Tables, gen.Table{Table: dlrm.Table{Name: fmt.Sprint("t", t), Rows: rows, Lookups: p.each}, Zipf: 1.1})
	}
	source, err := gen.New(g, int64(2*p.inputs))
	if err != nil {
		return batches{}, err
	}
	r, err := source.Open(0)
	if err != nil {
		return batches{}, err
	}
	var learned, trained dlrm.Batch
	if err := errors.Join(r.Read(&learned, p.inputs), r.Read(&trained, p.inputs), r.Close()); err != nil {
		return batches{}, err
	}
	return batches{learned: learned.Sparse, trained: trained.Sparse}, nil
}
