package rec

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/rec/exact"
)

// RowGrads are the exact sums, over inputs of one mini-batch, of the gradients of embedding rows. Rows that several inputs, or
// several lookups of one input, read are coalesced. A mini-batch divided among devices has one for each.
type RowGrads struct {
	dim  int
	at   map[uint64]int // row id -> position in rows
	rows []rowSum       // those in use, then spare ones
}

type rowSum struct {
	id  uint64 // table<<32 | index
	sum *exact.Sum
}

// RowGrad is the gradient of one embedding row.
type RowGrad struct {
	Table int
	Index uint32
	Grad  []float32 // Dim values
}

// slabRows is how many rows' sums are allocated at a time.
const slabRows = 256

// NewRowGrads returns an empty collection for rows of dim values.
func NewRowGrads(dim int) *RowGrads { return &RowGrads{dim: dim, at: map[uint64]int{}} }

// Len returns the number of distinct rows.
func (r *RowGrads) Len() int { return len(r.at) }

// Reset forgets all rows, for the next mini-batch.
func (r *RowGrads) Reset() {
	for _, row := range r.rows[:len(r.at)] {
		row.sum.Reset()
	}
	clear(r.at)
}

// Add adds a gradient (Dim values) of one lookup to its row.
func (r *RowGrads) Add(table int, index uint32, grad []float32) {
	r.row(uint64(table)<<32 | uint64(index)).Add(grad)
}

// AddBatch adds, for each lookup of each input, the gradient of the vector that it was pooled into; dPooled is inputs x bags x
// Dim.
func (r *RowGrads) AddBatch(bags []Bag, b Batch, dPooled []float32) {
	sparse := b.Sparse
	for range b.Len() {
		for _, bag := range bags {
			for _, index := range sparse[:bag.Lookups] {
				r.Add(bag.Table, index, dPooled[:r.dim])
			}
			sparse, dPooled = sparse[bag.Lookups:], dPooled[r.dim:]
		}
	}
}

// Merge adds the sums of o.
func (r *RowGrads) Merge(o *RowGrads) {
	for _, row := range o.rows[:len(o.at)] {
		r.row(row.id).Merge(row.sum)
	}
}

// row returns the sum of a row, zero if it is new.
func (r *RowGrads) row(id uint64) *exact.Sum {
	i, known := r.at[id]
	if !known {
		i = len(r.at)
		if i == len(r.rows) {
			r.grow()
		}
		r.at[id] = i
		r.rows[i].id = id
	}
	return r.rows[i].sum
}

func (r *RowGrads) grow() {
	slab := exact.NewSums(slabRows, r.dim)
	for i := range slab {
		r.rows = append(r.rows, rowSum{sum: &slab[i]})
	}
}

// Round returns the gradients, each rounded once to float32, in the order of table and index. The error names the first row
// whose gradient is not valid.
func (r *RowGrads) Round() ([]RowGrad, error) {
	rows := slices.Clone(r.rows[:len(r.at)])
	slices.SortFunc(rows, func(a, b rowSum) int {
		if a.id < b.id {
			return -1
		}
		return 1
	})
	values := make([]float32, len(rows)*r.dim)
	grads := make([]RowGrad, len(rows))
	for i, row := range rows {
		g := RowGrad{Table: int(row.id >> 32), Index: uint32(row.id), Grad: values[i*r.dim : (i+1)*r.dim]}
		if err := row.sum.Round(g.Grad); err != nil {
			return nil, fmt.Errorf("gradient of row %d of table %d: %w", g.Index, g.Table, err)
		}
		grads[i] = g
	}
	return grads, nil
}
