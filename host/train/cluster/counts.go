package cluster

import (
	"cmp"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// RowCounts counts the lookups of each row.
type RowCounts struct {
	Lookups     int // total number
	MiniBatches int
	n           map[Row]int
}

// CountRows counts the lookups of every stride-th mini-batch from first up to but not including
// end, or the last mini-batch. It returns an error if reading inputs fails.
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

// Top returns up to most rows with the largest number of lookups, of tables for which among
// returns true. The rows are in the order of table and index; this order also decides ties.
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
