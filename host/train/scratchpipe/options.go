package scratchpipe

import (
	"fmt"
	"slices"
	"strings"
)

// Policies returns the names of the replacement policies.
func Policies() []string { return []string{LRU, LFU, Random} }

// The replacement policies: least recently used, least frequently used, and random.
const (
	LRU    = "lru"
	LFU    = "lfu"
	Random = "random"
)

// Limits of the window. The least values are required for correctness and are the paper's.
const (
	// LeastPast spans the stages from Collect, which reads a leaving row, to Train, which updates
	// it.
	LeastPast = 3
	// LeastFuture spans the stages from Collect, which reads a row in host memory, to Insert, which
	// writes it there.
	LeastFuture = 2
	// MostWindow is the maximum of past and of future mini-batches, limited by the mini-batches
	// that are kept.
	MostWindow = 8
)

// Options are the options of a system, with their names in a configuration.
type Options struct {
	Share  float64 `hcl:"share,optional"`  // fraction of the rows of each table that have slots, unless the window needs more
	Policy string  `hcl:"policy,optional"` // one of Policies
	Past   int     `hcl:"past,optional"`   // mini-batches before the planned one whose rows stay; for New only
	Future int     `hcl:"future,optional"` // mini-batches after it
}

// DefaultOptions returns the options of the paper, with its smallest scratchpad.
func DefaultOptions() Options {
	return Options{Share: 0.02, Policy: LRU, Past: LeastPast, Future: LeastFuture}
}

// Check returns the name of the first option that is out of range, and an error.
func (o Options) Check() (name string, err error) {
	switch {
	case !(o.Share >= 0 && o.Share <= 1):
		return "share", fmt.Errorf("share is %v; expected 0 to 1", o.Share)
	case !slices.Contains(Policies(), o.Policy):
		return "policy", fmt.Errorf("policy is %q; expected %s", o.Policy, strings.Join(Policies(), ", "))
	case o.Past < LeastPast || o.Past > MostWindow:
		return "past", fmt.Errorf("past is %d; expected %d to %d", o.Past, LeastPast, MostWindow)
	case o.Future < LeastFuture || o.Future > MostWindow:
		return "future", fmt.Errorf("future is %d; expected %d to %d", o.Future, LeastFuture, MostWindow)
	}
	return "", nil
}
