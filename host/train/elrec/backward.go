package elrec

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/exact"
	"github.com/hotline-rtl/hotline/host/dlrm/tt"
	"github.com/hotline-rtl/hotline/host/train/cluster"
)

// gradient is the gradient of a row of a table in tensor-train form. Its key has the row's
// reordered number.
type gradient struct {
	at   key
	grad []float32
}

// share distributes the gradients of rows round-robin over the GPUs that have the row's prefix.
func (e *System) share(rows []dlrm.RowGrad) [][]gradient {
	work := make([][]gradient, len(e.reads))
	turn := 0
	for _, r := range rows {
		if e.places[r.Table] == inCores {
			at := key{r.Table, e.cores.number(r.Table, r.Index)}
			g := e.owner(at, turn)
			work[g] = append(work[g], gradient{at, r.Grad})
			turn++
		}
	}
	return work
}

// owner returns one of the GPUs that read a row.
func (e *System) owner(at key, turn int) int {
	var holders []int
	for g, r := range e.reads {
		if _, ok := r.rows[at]; ok {
			holders = append(holders, g)
		}
	}
	return holders[turn%len(holders)]
}

// each returns the gradient of each lookup, as TT-Rec multiplies it. It rounds a gradient as if it
// were the sum over a row that no other lookup reads. It returns an error if a gradient is not
// valid.
func (e *System) each() ([][]gradient, error) {
	work := make([][]gradient, len(e.reads))
	err := e.Cluster.Each(func(g int, gpu *cluster.GPU) (failed error) {
		one := exact.NewSum(e.model.Dim)
		gpu.Lookups(func(table int, index uint32, grad []float32) {
			if e.places[table] != inCores || failed != nil {
				return
			}
			rounded := make([]float32, len(grad))
			one.Reset()
			one.Add(grad, exact.Magnitude(grad))
			failed = one.Round(rounded)
			work[g] = append(work[g], gradient{key{table, e.cores.number(table, index)}, rounded})
		})
		return failed
	})
	return work, err
}

// backward multiplies the gradients of each GPU and updates slices, one table at a time.
func (e *System) backward(m int, work [][]gradient) error {
	e.Cluster.Ledger().Combined(len(e.Cluster.GPUs), valueBytes*e.cores.values())
	for _, w := range work {
		slices.SortFunc(w, func(a, b gradient) int { return compareKeys(a.at, b.at) })
	}
	for table := range e.model.Tables {
		if e.places[table] != inCores {
			continue
		}
		err := e.Cluster.Each(func(g int, _ *cluster.GPU) error {
			n := slices.IndexFunc(work[g], func(w gradient) bool { return w.at.table != table })
			if n < 0 {
				n = len(work[g])
			}
			own := work[g][:n]
			work[g] = work[g][n:]
			return e.multiplyBack(g, table, own)
		})
		if err != nil {
			return err
		}
		if err := e.cores.update(m, e.sums); err != nil {
			return err
		}
		for _, s := range e.sums {
			s.reset()
		}
	}
	return nil
}

// multiplyBack adds the slice gradients of rows of a table to the sums of a GPU.
func (e *System) multiplyBack(g, table int, rows []gradient) error {
	t, from := e.cores.tables[table], e.cores.reader(g)
	d := tt.NewGradient(t.Shape)
	for _, r := range rows {
		of, err := from.slicesOf(table, r.at.index)
		if err != nil {
			return err
		}
		d.Of(r.grad, e.reads[g].prefixes[key{table, t.Prefix(r.at.index)}], of)
		e.sums[g].add(t, r.at, d.Slices)
	}
	return nil
}
