package hotline

import (
	"sort"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// ids numbers the rows of all tables: table by table, row by row.
type ids []uint32 // id of row 0 of each table

func newIDs(tables []dlrm.Table) ids {
	first, next := make(ids, len(tables)), uint32(0)
	for i, t := range tables {
		first[i] = next
		next += uint32(t.Rows)
	}
	return first
}

func (f ids) of(table int, index uint32) uint32 { return f[table] + index }

// row returns the table and index of an id.
func (f ids) row(id uint32) (table int, index uint32) {
	table = sort.Search(len(f), func(i int) bool { return f[i] > id }) - 1
	return table, id - f[table]
}
