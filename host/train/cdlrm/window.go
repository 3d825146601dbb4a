package cdlrm

import (
	"errors"
	"io"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// window is a look-ahead window: mini-batches, and the distinct rows that they read. The rows are
// in this order in half of the queue.
type window struct {
	first   int // mini-batch
	batches []dlrm.Batch
	inputs  int
	rows    []listed // in the order of table and index
	half    int
}

// listed is a row of a window.
type listed struct {
	key
	updates uint32 // in its copy in the queue
}

// end returns the number of the mini-batch after a window.
func (w *window) end() int { return w.first + len(w.batches) }

// lookAhead prefetches the window that starts with a mini-batch. It lists the rows, cached ones
// included, and copies them to half of the queue. The window is empty after the last mini-batch.
func (s *System) lookAhead(first, half int) (*window, error) {
	w := &window{first: first, half: half}
	for len(w.batches) < s.opts.Window {
		batch, err := s.batches.At(w.end())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		w.batches, w.inputs = append(w.batches, batch), w.inputs+batch.Len()
	}
	w.list(s.model.Bags())
	return w, s.prefetch(w)
}

// list lists the distinct rows.
func (w *window) list(bags []dlrm.Bag) {
	var keys []key
	for _, batch := range w.batches {
		eachLookup(bags, batch, func(_ int, k key) { keys = append(keys, k) })
	}
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		w.rows = append(w.rows, listed{key: k})
	}
}

// eachLookup visits the lookups of all inputs of a mini-batch.
func eachLookup(bags []dlrm.Bag, batch dlrm.Batch, visit func(input int, k key)) {
	sparse := batch.Sparse
	for i := range batch.Len() {
		for _, bag := range bags {
			for _, index := range sparse[:bag.Lookups] {
				visit(i, keyOf(bag.Table, index))
			}
			sparse = sparse[bag.Lookups:]
		}
	}
}

// prefetch copies rows to the queue.
func (s *System) prefetch(w *window) error {
	for place := range w.rows {
		r := &w.rows[place]
		r.updates = s.versions.host[r.key]
		if s.Cluster.Valueless() {
			continue
		}
		if err := s.Tables.Read(r.table(), r.index(), s.row); err != nil {
			return err
		}
		if err := s.writeQueue(w.half, place, s.row); err != nil {
			return err
		}
	}
	return nil
}
