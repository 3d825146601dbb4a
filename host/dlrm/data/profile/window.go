package profile

import "slices"

// windows measures how hot sets age over consecutive windows of inputs.
type windows struct {
	n, inputs int64 // number of windows, and of inputs in all of them
	counts    []uint32
	first     set
	previous  set
	now       Window
	byFirst   int64 // accesses that the first window's hot set serves
	byLast    int64 // accesses that the previous window's hot set serves
	popular   int64 // inputs that the previous window's hot set serves
	done      []Window
}

func newWindows(counters int, n, inputs int64) *windows {
	return &windows{n: n, inputs: inputs, counts: make([]uint32, counters), now: Window{To: inputs / n}}
}

// input adds input i. at contains the counters of its lookups.
func (w *windows) input(i int64, at []int) {
	hot := 0
	for _, c := range at {
		add(&w.counts[c])
		if w.first == nil {
			continue
		}
		if w.first.has(c) {
			w.byFirst++
		}
		if w.previous.has(c) {
			hot++
		}
	}
	w.byLast += int64(hot)
	if hot == len(at) {
		w.popular++
	}
	if i+1 == w.now.To {
		w.end()
	}
}

// end closes the window and opens the next window.
func (w *windows) end() {
	h := newHistogram(w.counts)
	seen, reads := h.all()
	w.now.HotRows = max(1, int64(windowPart*float64(seen)))
	_, own := h.top(w.now.HotRows)
	share := func(n int64) float64 { return float64(n) / float64(reads) }
	w.now.Own, w.now.Previous, w.now.First = share(own), share(w.byLast), share(w.byFirst)
	w.now.Inputs = float64(w.popular) / float64(w.now.To-w.now.From)
	w.done = append(w.done, w.now)

	w.previous = newSet(w.counts, w.now.HotRows)
	if w.first == nil {
		w.first = slices.Clone(w.previous)
	}
	clear(w.counts)
	w.byFirst, w.byLast, w.popular = 0, 0, 0
	w.now = Window{From: w.now.To, To: w.inputs * int64(len(w.done)+1) / w.n}
}
