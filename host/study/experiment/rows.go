package experiment

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// touched contains the number of distinct rows of each table that a sample of inputs reads, and
// that the first half of the sample reads.
type touched struct {
	inputs     float64
	rows, half []float64 // by table
}

// countedInputs limits the sample, so that it takes only a moment.
const countedInputs = 8192

// countTouched counts the rows that the first inputs of a source read. ok is false if the source
// cannot be read repeatedly or has too few inputs.
func countTouched(source data.Source, model dlrm.Config, inputs float64) (c touched, ok bool) {
	n, known := source.Len()
	n = min(n, countedInputs, int64(inputs)) / 2 * 2
	if !known || n < 2 {
		return c, false
	}
	r, err := source.Open(0)
	if err != nil {
		return c, false
	}
	defer r.Close()
	var batch dlrm.Batch
	if err := r.Read(&batch, int(n)); err != nil || batch.Len() != int(n) {
		return c, false
	}
	read := make([]map[uint32]bool, len(model.Tables))
	for t := range read {
		read[t] = map[uint32]bool{}
	}
	c.inputs = float64(n)
	for i := range batch.Len() {
		if i == batch.Len()/2 {
			c.half = sizes(read)
		}
		sparse := batch.At(i).Sparse
		for _, bag := range model.Bags() {
			for _, index := range sparse[:bag.Lookups] {
				read[bag.Table][index] = true
			}
			sparse = sparse[bag.Lookups:]
		}
	}
	c.rows = sizes(read)
	return c, true
}

func sizes(read []map[uint32]bool) []float64 {
	n := make([]float64, len(read))
	for t := range read {
		n[t] = float64(len(read[t]))
	}
	return n
}

// of estimates the number of distinct rows of all tables that inputs read. It extrapolates the
// growth from the first half of the sample to the whole sample by a power law.
func (c touched) of(model dlrm.Config, inputs float64) float64 {
	sum := 0.0
	for t, table := range model.Tables {
		power := math.Log2(c.rows[t] / c.half[t])
		sum += min(float64(table.Rows), c.rows[t]*math.Pow(inputs/c.inputs, power))
	}
	return sum
}
