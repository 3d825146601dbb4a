package elrec

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// reads lists the rows and prefixes that a GPU reads in a mini-batch.
type reads struct {
	lookups  int               // in tables in tensor-train form
	prefixes map[key][]float32 // products of the first two slices: the reuse buffer
	rows     map[key][]float32 // rows of tensor-train tables, by their new numbers
	plain    map[key]struct{}  // rows of other tables
}

// scan lists the rows and prefixes that inputs read, without multiplying.
func (e *System) scan(batch dlrm.Batch, inputs []int) *reads {
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

// multiply computes the products on GPU g: each prefix once, and each row once.
func (r *reads) multiply(c *cores, g int) error {
	from := c.reader(g)
	for _, at := range inOrder(r.rows) {
		t := c.tables[at.table]
		of, err := from.slicesOf(at.table, at.index)
		if err != nil {
			return err
		}
		prefix := key{at.table, t.Prefix(at.index)}
		if r.prefixes[prefix] == nil {
			r.prefixes[prefix] = make([]float32, t.PrefixLen())
			t.MulPrefix(r.prefixes[prefix], of)
		}
		r.rows[at] = make([]float32, t.Dim())
		t.MulRow(r.rows[at], r.prefixes[prefix], of)
	}
	return nil
}

// inOrder returns the keys in the order of table and index.
func inOrder(rows map[key][]float32) []key { return slices.SortedFunc(maps.Keys(rows), compareKeys) }

func compareKeys(a, b key) int {
	return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.index, b.index))
}
