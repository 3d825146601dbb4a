package dlrm

import (
	"fmt"
	"iter"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm/exact"
)

// RowGrads contains the gradients of embedding rows over inputs of one mini-batch. If several
// inputs, or several lookups of one input, read a row, its gradients are summed exactly. If a
// mini-batch is divided among devices, each device has its own RowGrads.
type RowGrads struct {
	dim     int
	lookups []lookup
	vectors []float32 // gradients of vectors, dim values each
	sorted  bool      // lookups are sorted by id

	spare  []lookup // scratch memory for sorting
	sum    *exact.Sum
	values []float32 // result of Round
	grads  []RowGrad
}

// lookup associates a row with the index of a vector that it was pooled into.
type lookup struct {
	id     uint64 // of the row: table<<32 | index
	vector uint32
}

// RowGrad is the gradient of one embedding row.
type RowGrad struct {
	Table int
	Index uint32
	Grad  []float32 // Dim values
}

// NewRowGrads returns an empty RowGrads for rows of dim values.
func NewRowGrads(dim int) *RowGrads { return &RowGrads{dim: dim, sum: exact.NewSum(dim)} }

// Reset removes all rows, for the next mini-batch.
func (r *RowGrads) Reset() { r.lookups, r.vectors = r.lookups[:0], r.vectors[:0] }

// AddBatch adds, for each lookup of each input, the gradient of the vector that it was pooled into.
// dPooled is inputs x bags x Dim.
func (r *RowGrads) AddBatch(bags []Bag, b Batch, dPooled []float32) {
	r.AddZeros(bags, b)
	r.vectors = append(r.vectors, dPooled[:b.Len()*len(bags)*r.dim]...)
}

// AddZeros adds the lookups of each input without values, for Zeros. AddZeros and AddBatch must not
// be mixed.
func (r *RowGrads) AddZeros(bags []Bag, b Batch) {
	r.lookups = slices.Grow(r.lookups, len(b.Sparse))
	r.sorted = false
	vector, sparse := uint32(len(r.vectors)/r.dim), b.Sparse
	for range b.Len() {
		for _, bag := range bags {
			for _, index := range sparse[:bag.Lookups] {
				r.lookups = append(r.lookups, lookup{uint64(bag.Table)<<32 | uint64(index), vector})
			}
			sparse = sparse[bag.Lookups:]
			vector++
		}
	}
}

// Merge adds the gradients of o.
func (r *RowGrads) Merge(o *RowGrads) {
	before := uint32(len(r.vectors) / r.dim)
	for _, l := range o.lookups {
		r.lookups = append(r.lookups, lookup{l.id, before + l.vector})
	}
	r.vectors = append(r.vectors, o.vectors...)
	r.sorted = false
}

// Len returns the number of distinct rows.
func (r *RowGrads) Len() int {
	n := 0
	for range r.rows() {
		n++
	}
	return n
}

// rows visits the rows in the order of their ids, and yields the lookups of each.
func (r *RowGrads) rows() iter.Seq[[]lookup] {
	if !r.sorted {
		r.lookups, r.spare = sortByID(r.lookups, r.spare)
		r.sorted = true
	}
	return func(yield func(lookups []lookup) bool) {
		for rest := r.lookups; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].id == rest[0].id {
				n++
			}
			if !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// Round returns the gradients, each rounded once to float32, ordered by table and index. They are
// valid until the next call of Round. The error names the first row with an invalid gradient.
func (r *RowGrads) Round() ([]RowGrad, error) {
	n := r.Len()
	r.values = slices.Grow(r.values[:0], n*r.dim)[:n*r.dim]
	grads := slices.Grow(r.grads[:0], n)
	bound := exact.Magnitude(r.vectors)
	for lookups := range r.rows() {
		id, at := lookups[0].id, len(grads)*r.dim
		g := RowGrad{Table: int(id >> 32), Index: uint32(id), Grad: r.values[at:][:r.dim:r.dim]}
		r.sum.Reset()
		for _, l := range lookups {
			vector := r.vectors[int(l.vector)*r.dim:][:r.dim]
			if !(bound <= usual) {
				r.sum.Add(vector, exact.Magnitude(vector))
			} else {
				r.sum.Add(vector, bound)
			}
		}
		if err := r.sum.Round(g.Grad); err != nil {
			return nil, fmt.Errorf("gradient of row %d of table %d: %w", g.Index, g.Table, err)
		}
		grads = append(grads, g)
	}
	r.grads = grads
	return grads, nil
}

// Zeros returns the rows of AddZeros, each with a zero gradient. Order and validity are as for
// Round.
func (r *RowGrads) Zeros() []RowGrad {
	zero := make([]float32, r.dim)
	r.grads = r.grads[:0]
	for lookups := range r.rows() {
		id := lookups[0].id
		r.grads = append(r.grads, RowGrad{Table: int(id >> 32), Index: uint32(id), Grad: zero})
	}
	return r.grads
}

// usual is a magnitude. If no gradient exceeds it, one bound is used for all gradients.
const usual = 0x1p-6

// sortByID sorts lookups by id, with spare as scratch memory. The sort is stable. It is a radix
// sort by bytes, least significant first, that skips bytes in which all ids are equal.
func sortByID(lookups, spare []lookup) (sorted, scratch []lookup) {
	spare = slices.Grow(spare[:0], len(lookups))[:len(lookups)]
	differ := uint64(0)
	for _, l := range lookups {
		differ |= l.id ^ lookups[0].id
	}
	for shift := 0; shift < 64; shift += 8 {
		if byte(differ>>shift) == 0 {
			continue
		}
		var next [256]int
		for _, l := range lookups {
			next[byte(l.id>>shift)]++
		}
		start := 0
		for b, n := range next {
			next[b] = start
			start += n
		}
		for _, l := range lookups {
			b := byte(l.id >> shift)
			spare[next[b]] = l
			next[b]++
		}
		lookups, spare = spare, lookups
	}
	return lookups, spare
}
