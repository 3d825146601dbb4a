package text

import (
	"fmt"
	"io"
	"sync"
)

// Quarantine collects bad lines that are skipped. It counts them by kind, each line once even if it
// is read repeatedly, and keeps the first ones. The nil Quarantine rejects the first bad line. Its
// methods may be called concurrently.
type Quarantine struct {
	limit int
	copy  io.Writer

	mu    sync.Mutex
	seen  map[place]bool
	kinds map[string]int
	first []*FormatError
}

// kept is the number of bad lines that a quarantine keeps.
const kept = 10

type place struct {
	file string
	line int64
}

// NewQuarantine returns a quarantine for up to limit lines. If copy is not nil, each bad line is
// also written to copy: the error, a tab, and the line.
func NewQuarantine(limit int, copy io.Writer) *Quarantine {
	return &Quarantine{limit: limit, copy: copy, seen: map[place]bool{}, kinds: map[string]int{}}
}

// Add adds a bad line. It returns an error if the run must stop: there is no quarantine, it is
// full, or copy cannot be written.
func (q *Quarantine) Add(e *FormatError, line []byte) error {
	if q == nil || e.Kind == "" {
		return e
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	at := place{e.File, e.Line + e.Record}
	if q.seen[at] {
		return nil
	}
	if len(q.seen) >= q.limit {
		return fmt.Errorf("%w; this is one bad line more than the %d that may be skipped", e, q.limit)
	}
	q.seen[at] = true
	q.kinds[e.Kind]++
	if len(q.first) < kept {
		q.first = append(q.first, e)
	}
	if q.copy == nil {
		return nil
	}
	if _, err := fmt.Fprintf(q.copy, "%v\t%s\n", e, line); err != nil {
		return fmt.Errorf("cannot write a bad line: %w", err)
	}
	return nil
}

// Lines returns the number of lines in quarantine, in total and by kind.
func (q *Quarantine) Lines() (n int, kinds map[string]int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	kinds = map[string]int{}
	for kind, count := range q.kinds {
		n += count
		kinds[kind] = count
	}
	return n, kinds
}

// First returns the errors of the first bad lines, at most 10.
func (q *Quarantine) First() []*FormatError {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]*FormatError(nil), q.first...)
}
