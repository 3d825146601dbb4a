package audit

import "github.com/hotline-rtl/hotline/host/train/timing"

// Vector counts a pooled vector that a GPU trains on and that the CPU, or the GPUs together, have
// pooled. Its gradient returns the same way.
func (l *Ledger) Vector(bytes int, byCPU bool) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if byCPU {
		l.add(timing.LinkToGPUs, "pooled vectors", int64(bytes))
		l.fromHost += int64(bytes)
	} else {
		l.fromGPUs += int64(bytes)
	}
}

// Exchanged counts an all-to-all exchange of rows in which the busiest rank has the given bytes.
// The gradients of the rows return the same way.
func (l *Ledger) Exchanged(ranks, bytes int) { l.vectors(ranks, int64(bytes)*int64(ranks)) }

func (l *Ledger) vectors(ranks int, all int64) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fromGPUs += all
}

// Forms of gradients of fetched rows.
const (
	byVector = iota
	byGPURow
	byRow
)

// Fetched counts rows that GPUs have fetched from host memory for a mini-batch. Alternatively, the
// CPU could have read the row of each lookup, and sent pooled vectors.
func (l *Ledger) Fetched(rows, lookups, vectors int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fetched[byVector] += int64(vectors)
	l.fetched[byGPURow] += int64(rows)
	// The rows themselves count where they are read and written.
	l.instead(timing.LinkToGPUs, forms{0, int64(vectors - rows)})
	l.instead(timing.HostRead, forms{0, int64(lookups - rows)})
}

// instead adds to the forms of a resource.
func (l *Ledger) instead(resource string, f forms) {
	sum := l.step().forms[resource]
	for i := range f {
		sum[i] += f[i]
	}
	l.step().forms[resource] = sum
}

// Reduced counts the reduction of gradients over ranks: of dense parameters, and of the rows that
// the ranks list. Gradients of vectors that came from elsewhere return there instead. With later,
// the gradients of rows count in the next reduction without later.
func (l *Ledger) Reduced(ranks, dense, listed, rowBytes int, later bool) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if ranks > 1 {
		l.add(timing.LinkNetwork, "dense gradients", int64(dense))
	}
	switch {
	case l.fromHost > 0:
		l.add(timing.LinkToHost, "gradients of pooled vectors", l.fromHost)
	case l.fromGPUs > 0 && ranks > 1:
		row := int64(rowBytes)
		share := (l.fromGPUs/row + int64(ranks) - 1) / int64(ranks) * row
		l.add(timing.LinkNetwork, "vectors and their gradients", 2*share)
	case l.fromGPUs == 0 && ranks > 1:
		l.listed += int64(listed * rowBytes)
		// Gradients that go to the host by vector, or by row and GPU, need no reduction.
		apart := -l.fetched[byGPURow]
		l.instead(timing.LinkNetwork, forms{byVector: apart, byGPURow: apart})
	}
	l.fromHost, l.fromGPUs = 0, 0
	if !later {
		l.flush()
	}
}

// Averaged counts the gradients of rows of all reductions so far that count later.
func (l *Ledger) Averaged() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
}

func (l *Ledger) flush() {
	l.add(timing.LinkNetwork, "gradients of rows", l.listed)
	l.listed = 0
}

// Combined counts another reduction over ranks.
func (l *Ledger) Combined(ranks, bytes int) {
	if l == nil || ranks == 1 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.add(timing.LinkNetwork, "other gradients", int64(bytes))
}

// Pulled counts dense parameters that workers on the CPU get from the GPUs.
func (l *Ledger) Pulled(bytes int) { l.moved(timing.LinkToHost, "dense parameters", bytes) }

// Returned counts gradients of dense parameters that workers on the CPU send to the GPUs.
func (l *Ledger) Returned(bytes int) { l.moved(timing.LinkToGPUs, "dense gradients", bytes) }

// Pushed counts values, other than gradients of fetched rows, that GPUs send to host memory.
func (l *Ledger) Pushed(bytes int) { l.moved(timing.LinkToHost, "gradients", bytes) }

func (l *Ledger) moved(link, what string, bytes int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.add(link, what, int64(bytes))
}

// Updated counts the gradients of rows that host memory is updated with. If GPUs have fetched rows
// for the mini-batch, the gradients return in some form.
func (l *Ledger) Updated(rows int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fetched == (forms{}) {
		return
	}
	l.fetched[byRow] = int64(rows)
	l.instead(timing.LinkToHost, l.fetched)
	l.fetched = forms{}
}
