package dlrm

import "github.com/hotline-rtl/hotline/host/dlrm/kernel"

// Pool sums the rows, at least one, into dst. The first row is copied, and the other rows are added
// in order.
func Pool(dst []float32, rows ...[]float32) {
	copy(dst, rows[0])
	for _, row := range rows[1:] {
		addTo(dst, row)
	}
}

func addTo(dst, row []float32) { kernel.Axpy(dst, 1, row) }

// PoolSample pools all rows of one input into dst (bags x Dim). It reads rows by row, whose result
// needs to stay valid only until the next call.
func (c Config) PoolSample(dst []float32, sparse []uint32, row func(table int, index uint32) []float32) {
	for range c.steps() {
		for t, table := range c.Tables {
			vector := dst[:c.Dim]
			Pool(vector, row(t, sparse[0]))
			for _, index := range sparse[1:table.Lookups] {
				addTo(vector, row(t, index))
			}
			dst, sparse = dst[c.Dim:], sparse[table.Lookups:]
		}
	}
}

// UpdateRow makes one step: row[i] + float32(negLR*step[i]), where negLR is minus the learning
// rate. It rounds like the accelerator's v_mul and v_add.
func UpdateRow(row, step []float32, negLR float32) { kernel.Axpy(row, negLR, step) }
