package scratchpipe

import (
	"fmt"
	"slices"
	"strings"
)

// Policies are the names of the policies that choose which row leaves: the one whose latest
// use was first, the one that the fewest mini-batches have read, any.
func Policies() []string { return []string{LRU, LFU, Random} }

// The policies.
const (
	LRU    = "lru"
	LFU    = "lfu"
	Random = "random"
)

// The stages behind Plan need this window to be right, which is that of the paper.
const (
	// LeastPast is from Collect, which reads a row that leaves, to Train, which updates it.
	LeastPast = 3
	// LeastFuture is from Collect, which reads a row in host memory, to Insert, which
	// writes it there.
	LeastFuture = 2
	// MostWindow is the most of either, for which mini-batches are still at hand.
	MostWindow = 8
)

// Options are what can be chosen, with their names in a configuration.
type Options struct {
	Share  float64 `hcl:"share,optional"`  // of the rows of each table that have slots, unless the window needs more
	Policy string  `hcl:"policy,optional"` // one of Policies
	Past   int     `hcl:"past,optional"`   // mini-batches whose rows stay, behind the one that is planned; for New only
	Future int     `hcl:"future,optional"` // and ahead of it
}

// DefaultOptions are those of the paper, with the smallest of its scratchpads.
func DefaultOptions() Options {
	return Options{Share: 0.02, Policy: LRU, Past: LeastPast, Future: LeastFuture}
}

// Check reports the first option that is out of range, and its name.
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
