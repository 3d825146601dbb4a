package des

import "fmt"

// Resource serves one piece of work at a time per server, in the order of requests: a GPU, a DRAM
// channel, a pool of CPU cores. It does no work itself. It computes the start and end of the work
// and records the busy time per label.
type Resource struct {
	k      *Kernel
	name   string
	free   []Time // per server
	shares []Share
}

// Share is the busy time of a resource for one kind of work.
type Share struct {
	Label string
	Busy  Time // summed over servers
	Count int  // pieces of work
}

// NewResource returns an idle resource with the given number of servers, at least 1.
func NewResource(k *Kernel, name string, servers int) *Resource {
	if servers < 1 {
		panic(fmt.Sprintf("des: resource %s needs at least one server, got %d", name, servers))
	}
	return &Resource{k: k, name: name, free: make([]Time, servers)}
}

// Name returns the name given at creation.
func (r *Resource) Name() string { return r.name }

// Acquire reserves d on the server that is free first and returns the start and end of the work.
// The work starts now or when that server becomes free.
func (r *Resource) Acquire(label string, d Time) (start, end Time) {
	return r.AcquireAt(label, r.k.now, d)
}

// AcquireAt works like [Resource.Acquire] for work that cannot start before earliest. Idle time
// before the work is not available to later requests.
func (r *Resource) AcquireAt(label string, earliest, d Time) (start, end Time) {
	if d < 0 {
		panic(fmt.Sprintf("des: resource %s got the negative time %v, expected 0 or more", r.name, d))
	}
	first := r.firstFree()
	start = max(earliest, r.k.now, r.free[first])
	end = start + d
	r.free[first] = end
	r.account(label, d)
	return start, end
}

// Busy returns the reserved time so far, summed over servers.
func (r *Resource) Busy() Time {
	var sum Time
	for _, s := range r.shares {
		sum += s.Busy
	}
	return sum
}

// Shares returns the reserved time per label, in the order in which the labels first appeared.
func (r *Resource) Shares() []Share { return append([]Share(nil), r.shares...) }

func (r *Resource) firstFree() int {
	first := 0
	for i := range r.free {
		if r.free[i] < r.free[first] {
			first = i
		}
	}
	return first
}

func (r *Resource) account(label string, d Time) {
	for i := range r.shares {
		if r.shares[i].Label == label {
			r.shares[i].Busy += d
			r.shares[i].Count++
			return
		}
	}
	r.shares = append(r.shares, Share{label, d, 1})
}
