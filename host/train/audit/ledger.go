package audit

import (
	"sync"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Ledger counts the bytes that each mini-batch moves over each link and accesses in each memory. It
// implements server.Observer. The methods of a nil Ledger do nothing.
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
	peers map[int]int64            // copies between GPUs, by the receiver
	forms map[string]forms         // alternatives of a resource, in addition
	gpus  map[string]map[int]int64 // accesses of each GPU to its memory, by resource
}

// flow is a kind of values of a resource.
type flow struct{ resource, what string }

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
func (l *Ledger) Read(a server.Access) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen.add(a.Content, a.Memory)
	l.last[a.Memory], l.by = access{a.Addr, a.Content, true}, a.Memory
	if a.Floats && !a.Sent {
		l.count(reads, a, 1)
	}
}

// Write implements server.Observer. A value that was last read in another memory comes from there,
// unless the write follows a read of the same place: then the processor of the memory has computed
// the value, even if another processor has computed the same.
func (l *Ledger) Write(a server.Access) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.last[a.Memory]
	same := before.read && before.addr == a.Addr
	inPlace := same && (before.content == a.Content || l.by == a.Memory)
	l.last[a.Memory], l.by = access{a.Addr, a.Content, false}, a.Memory
	from, ok := l.seen.where(a.Content)
	switch {
	case !inPlace && ok && from != a.Memory:
		l.crossed(from, a)
	case !a.Floats:
	case same:
		l.count(reads, a, -1)
		l.count(updates, a, 2)
	default:
		l.count(writes, a, 1)
	}
}

// crossed counts values that have come from another memory. The CPU writes values that come to host
// memory. GPUs collect the values that they send there.
func (l *Ledger) crossed(from int, a server.Access) {
	switch {
	case from == server.Host:
		l.add(timing.LinkToGPUs, "values", int64(a.Bytes))
	case a.Memory == server.Host:
		l.add(timing.LinkToHost, "values", int64(a.Bytes))
		if a.Floats {
			l.count(writes, a, 1)
			a.Memory = from
			l.count(reads, a, -1)
			l.add(timing.GPUCollect, "values", int64(a.Bytes))
		}
	default:
		l.step().peers[a.Memory] += int64(a.Bytes)
	}
}

// Ways to access a memory.
const (
	reads = iota
	updates
	writes
)

// accesses are the resources of accesses, by way, of the CPU and the GPUs.
var accesses = [...]struct{ host, gpu string }{
	reads:   {timing.HostRead, timing.GPURead},
	updates: {timing.HostUpdate, timing.GPUUpdate},
	writes:  {timing.HostWrite, timing.GPUWrite},
}

// count counts accesses of the processor of a memory.
func (l *Ledger) count(way int, a server.Access, times int) {
	n := int64(times * a.Bytes)
	if a.Memory == server.Host {
		l.add(accesses[way].host, a.Region, n)
		return
	}
	of := l.step().gpus
	if of[accesses[way].gpu] == nil {
		of[accesses[way].gpu] = map[int]int64{}
	}
	of[accesses[way].gpu][a.Memory] += n
}

// control lists the regions that hold no values.
var control = map[string]bool{
	"DMA buffers": true, "mini-batch": true, "popularity bitmap": true, "update list": true, "hot set": true, "mailbox": true,
}

// Card implements server.Observer.
func (l *Ledger) Card(a server.Access, write bool) {
	if control[a.Region] {
		return
	}
	resource := timing.AcceleratorGPURead
	switch host := a.Memory == server.Host; {
	case host && write:
		resource = timing.AcceleratorHostWrite
	case host:
		resource = timing.AcceleratorHostRead
	case write:
		resource = timing.AcceleratorGPUWrite
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.add(resource, a.Region, int64(a.Bytes))
}

// step returns the step that bytes count for.
func (l *Ledger) step() *step {
	if l.steps[l.at] == nil {
		l.steps[l.at] = &step{map[flow]int64{}, map[int]int64{}, map[string]forms{}, map[string]map[int]int64{}}
	}
	return l.steps[l.at]
}

func (l *Ledger) add(resource, what string, bytes int64) {
	if bytes != 0 {
		l.step().moved[flow{resource, what}] += bytes
	}
}
