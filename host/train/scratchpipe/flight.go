package scratchpipe

import "github.com/hotline-rtl/hotline/host/dlrm"

// flight is a mini-batch from when it enters the window until it is trained on.
type flight struct {
	m     int
	batch dlrm.Batch
	plan  []planned // of each table
	// Rows on their way, of each table: those that come, and those that leave.
	come, leave []transit
}

// transit is rows on their way, one behind the other: as read where they were, until they
// are brought to where they go.
type transit struct{ read, brought []float32 }

// rowsOf are the rows of a table that a mini-batch reads, in order, as often as it does.
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

// moves are how many rows come, and leave.
func (f *flight) moves() (fills, leaves int) {
	for _, p := range f.plan {
		fills += len(p.fills)
		leaves += len(p.leaves)
	}
	return fills, leaves
}
