package scratchpipe

import "github.com/hotline-rtl/hotline/host/dlrm"

// flight is a mini-batch from its entry into the window until it is trained on.
type flight struct {
	m     int
	batch dlrm.Batch
	plan  []planned // of each table
	// Rows in transit, by table: arriving and leaving rows.
	come, leave []transit
}

// transit holds the values of rows in transit, concatenated: first as read from the source, then as
// brought to the destination.
type transit struct{ read, brought []float32 }

// rowsOf returns the rows of a table that a mini-batch reads, in order and with repetitions.
func rowsOf(model dlrm.Config, batch dlrm.Batch, table int) []uint32 {
	var rows []uint32
	bags, sparse := model.Bags(), batch.Sparse
	for range batch.Len() {
		for _, bag := range bags {
			if bag.Table == table {
				rows = append(rows, sparse[:bag.Lookups]...)
			}
			sparse = sparse[bag.Lookups:]
		}
	}
	return rows
}

// moves returns the number of rows that arrive and that leave.
func (f *flight) moves() (fills, leaves int) {
	for _, p := range f.plan {
		fills += len(p.fills)
		leaves += len(p.leaves)
	}
	return fills, leaves
}
