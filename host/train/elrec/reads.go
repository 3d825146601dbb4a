package elrec

import (
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/exact"
	"github.com/hotline-rtl/hotline/host/rec/tt"
	"github.com/hotline-rtl/hotline/host/train/parts"
)

// reads are what a GPU reads in a mini-batch.
type reads struct {
	lookups  int               // in tables in tensor-train form
	prefixes map[key][]float32 // products of the first two slices: the reuse buffer
	rows     map[key][]float32 // of these tables, by their new numbers
	plain    map[key]struct{}  // rows of other tables
}

// scan lists what inputs read. Products are not made yet.
func (e *System) scan(batch rec.Batch, inputs []int) *reads {
	r := &reads{prefixes: map[key][]float32{}, rows: map[key][]float32{}, plain: map[key]struct{}{}}
	for _, i := range inputs {
		sparse := batch.At(i).Sparse
		for _, bag := range e.model.Bags() {
			for _, index := range sparse[:bag.Lookups] {
				r.note(e, bag.Table, index)
			}
			sparse = sparse[bag.Lookups:]
		}
	}
	return r
}

func (r *reads) note(e *System, table int, index uint32) {
	if e.places[table] != inCores {
		r.plain[key{table, index}] = struct{}{}
		return
	}
	number := e.cores.number(table, index)
	r.lookups++
	r.prefixes[key{table, e.cores.tables[table].Prefix(number)}] = nil
	r.rows[key{table, number}] = nil
}

// multiply makes the products on GPU g: of each prefix once, and of each row.
func (r *reads) multiply(c *cores, g int) error {
	for at := range r.prefixes {
		t := c.tables[at.table]
		of, err := c.slicesOf(g, at.table, at.index*uint32(t.Rows[2])) // its first row
		if err != nil {
			return err
		}
		r.prefixes[at] = make([]float32, t.PrefixLen())
		t.MulPrefix(r.prefixes[at], of)
	}
	for at := range r.rows {
		t := c.tables[at.table]
		of, err := c.slicesOf(g, at.table, at.index)
		if err != nil {
			return err
		}
		r.rows[at] = make([]float32, t.Dim())
		t.MulRow(r.rows[at], r.prefixes[key{at.table, t.Prefix(at.index)}], of)
	}
	return nil
}

// backward multiplies the gradients of rows of tables in tensor-train form, each on one
// of the GPUs that have its prefix, in turn.
func (e *System) backward(rows []rec.RowGrad) error {
	work := make([][]rec.RowGrad, len(e.reads))
	turn := 0
	for _, r := range rows {
		if e.places[r.Table] == inCores {
			g := e.owner(key{r.Table, e.cores.number(r.Table, r.Index)}, turn)
			work[g] = append(work[g], r)
			turn++
		}
	}
	sums := make([]gradients, len(e.reads))
	err := e.cluster.Each(func(g int, _ *parts.GPU) error {
		sums[g] = gradients{}
		for _, r := range work[g] {
			number := e.cores.number(r.Table, r.Index)
			prefix := e.reads[g].prefixes[key{r.Table, e.cores.tables[r.Table].Prefix(number)}]
			if err := e.multiplyBack(sums[g], g, r.Table, number, prefix, r.Grad); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return e.cores.update(sums)
}

// owner is one of the GPUs that read a row.
func (e *System) owner(at key, turn int) int {
	var holders []int
	for g, r := range e.reads {
		if _, ok := r.rows[at]; ok {
			holders = append(holders, g)
		}
	}
	return holders[turn%len(holders)]
}

// multiplyBack adds the gradients of the slices of a row to sums.
func (e *System) multiplyBack(sums gradients, g, table int, number uint32, prefix, grad []float32) error {
	of, err := e.cores.slicesOf(g, table, number)
	if err != nil {
		return err
	}
	t := e.cores.tables[table]
	d := tt.NewGradient(t.Shape)
	d.Of(grad, prefix, of)
	sums.add(t, table, number, d.Slices)
	return nil
}

// backwardEach multiplies the gradient of each lookup, as TT-Rec does.
func (e *System) backwardEach() error {
	sums := make([]gradients, len(e.reads))
	err := e.cluster.Each(func(g int, gpu *parts.GPU) (failed error) {
		sums[g] = gradients{}
		one := exact.NewSum(e.model.Dim)
		gpu.Lookups(func(table int, index uint32, grad []float32) {
			if e.places[table] != inCores || failed != nil {
				return
			}
			// As if it were the sum over a row that no other lookup reads.
			rounded := make([]float32, len(grad))
			one.Reset()
			one.Add(grad, exact.Magnitude(grad))
			if failed = one.Round(rounded); failed == nil {
				failed = e.backwardLookup(sums[g], g, table, e.cores.number(table, index), rounded)
			}
		})
		return failed
	})
	if err != nil {
		return err
	}
	return e.cores.update(sums)
}

func (e *System) backwardLookup(sums gradients, g, table int, number uint32, grad []float32) error {
	of, err := e.cores.slicesOf(g, table, number)
	if err != nil {
		return err
	}
	prefix := make([]float32, e.cores.tables[table].PrefixLen())
	e.cores.tables[table].MulPrefix(prefix, of)
	return e.multiplyBack(sums, g, table, number, prefix, grad)
}
