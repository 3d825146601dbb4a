package audit

import (
	"sync"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Ledger counts the bytes that each mini-batch moves over each link. It implements
// server.Observer. The methods of a nil Ledger do nothing.
type Ledger struct {
	mu    sync.Mutex
	done  int // the mini-batch in progress, which follows the finished ones
	at    int // the mini-batch that bytes count for
	steps map[int]*step
	seen  seen
	last  map[int]access // of each memory
	by    int            // the memory of the latest access

	fromHost, fromGPUs int64 // bytes of the current pooled vectors, by their origin
	fetched            forms // of gradients of fetched rows
	listed             int64 // bytes of gradients of rows that are exchanged later
}

// step counts the bytes that a mini-batch moved.
type step struct {
	moved map[flow]int64
	peers map[int]int64    // copies between GPUs, by the receiver
	forms map[string]forms // alternatives on a link, in addition
}

// flow is a kind of values on a link.
type flow struct{ link, what string }

// forms are bytes in alternative forms.
type forms [3]int64

// access is the latest access of a memory.
type access struct {
	addr, content uint64
	read          bool
}

// NewLedger returns an empty ledger for a training that starts with a mini-batch.
func NewLedger(first int) *Ledger {
	return &Ledger{done: first, at: first, steps: map[int]*step{}, seen: newSeen(), last: map[int]access{}}
}

// Of returns the ledger that observes a memory, or nil.
func Of(s *server.Space) *Ledger {
	l, _ := s.Observer().(*Ledger)
	return l
}

// Next ends a mini-batch.
func (l *Ledger) Next() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done++
	l.at = l.done
	l.seen.age()
}

// For counts the following bytes for mini-batch m, until Next. Pipelined systems call it for each
// stage.
func (l *Ledger) For(m int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = m
}

// Read implements server.Observer.
func (l *Ledger) Read(memory int, addr uint64, _ int, content uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen.add(content, memory)
	l.last[memory], l.by = access{addr, content, true}, memory
}

// Write implements server.Observer. A value that was last read in another memory comes from there,
// unless the write follows a read of the same place: then the processor of the memory has computed
// the value, even if another processor has computed the same.
func (l *Ledger) Write(memory int, addr uint64, bytes int, content uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.last[memory]
	inPlace := before.read && before.addr == addr && (before.content == content || l.by == memory)
	l.last[memory], l.by = access{addr, content, false}, memory
	from, ok := l.seen.where(content)
	if inPlace || !ok || from == memory {
		return
	}
	switch {
	case from == server.Host:
		l.add(timing.LinkToGPUs, "values", int64(bytes))
	case memory == server.Host:
		l.add(timing.LinkToHost, "values", int64(bytes))
	default:
		l.step().peers[memory] += int64(bytes)
	}
}

// step returns the step that bytes count for.
func (l *Ledger) step() *step {
	if l.steps[l.at] == nil {
		l.steps[l.at] = &step{map[flow]int64{}, map[int]int64{}, map[string]forms{}}
	}
	return l.steps[l.at]
}

func (l *Ledger) add(link, what string, bytes int64) {
	if bytes != 0 {
		l.step().moved[flow{link, what}] += bytes
	}
}
