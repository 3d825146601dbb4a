package cluster

import (
	"cmp"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// RowCounts are how often rows were looked up.
type RowCounts struct {
	Lookups     int // counted
	MiniBatches int
	n           map[Row]int
}

// CountRows counts every stride-th mini-batch from first on up to but not including
// end, or up to the last one. Errors: those of reading inputs.
func CountRows(b *train.Batches, model dlrm.Config, first, end, stride int) (RowCounts, error) {
	c := RowCounts{n: map[Row]int{}}
	ahead := b.Again()
	defer ahead.Close()
	bags := model.Bags()
	for m := first; m < end; m += stride {
		if more, err := ahead.Has(m); !more {
			return c, err
		}
		batch, err := ahead.At(m)
		if err != nil {
			return c, err
		}
		for i := range batch.Len() {
			EachLookup(bags, batch.At(i), func(_ int, row Row) { c.n[row]++ })
		}
		c.Lookups += len(batch.Sparse)
		c.MiniBatches++
	}
	return c, nil
}

// Top are the rows that were looked up most often, of all tables or of one, at most
// so many, in the order of table and index. Of those that were looked up as often,
// the first in that order are taken.
func (c RowCounts) Top(most int, among func(table int) bool) []Row {
	var list []Row
	for row := range c.n {
		if among(row.Table) {
			list = append(list, row)
		}
	}
	slices.SortFunc(list, func(a, b Row) int { return cmp.Or(cmp.Compare(c.n[b], c.n[a]), a.Compare(b)) })
	list = list[:min(most, len(list))]
	slices.SortFunc(list, Row.Compare)
	return list
}
