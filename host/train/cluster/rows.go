package cluster

import (
	"cmp"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Row identifies a row of a table.
type Row struct {
	Table int
	Index uint32
}

// Compare returns a negative number, zero or a positive number if the row is before, equal to or
// after the other row, in the order of table and index.
func (r Row) Compare(other Row) int {
	return cmp.Or(cmp.Compare(r.Table, other.Table), cmp.Compare(r.Index, other.Index))
}

// EachLookup calls visit for each lookup of an input, bag by bag.
func EachLookup(bags []dlrm.Bag, in dlrm.Sample, visit func(bag int, row Row)) {
	sparse := in.Sparse
	for b, bag := range bags {
		for _, index := range sparse[:bag.Lookups] {
			visit(b, Row{bag.Table, index})
		}
		sparse = sparse[bag.Lookups:]
	}
}

// All reports whether a predicate holds for all rows that an input reads.
func All(model dlrm.Config, in dlrm.Sample, is func(Row) bool) bool {
	all := true
	EachLookup(model.Bags(), in, func(_ int, row Row) { all = all && is(row) })
	return all
}
