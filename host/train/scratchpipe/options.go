package scratchpipe

import "github.com/hotline-rtl/hotline/hw/limits"

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
	Share  float64 `hcl:"share,optional" doc:"fraction of the rows of each table that have slots, unless the window needs more"`
	Policy string  `hcl:"policy,optional" doc:"replacement policy"`
	Past   int     `hcl:"past,optional" unit:"mini-batches" doc:"window before the planned mini-batch, in which rows stay"` // for New only
	Future int     `hcl:"future,optional" unit:"mini-batches" doc:"window after the planned mini-batch"`
}

// DefaultOptions returns the options of the paper, with its smallest scratchpad.
func DefaultOptions() Options {
	return Options{Share: 0.02, Policy: LRU, Past: LeastPast, Future: LeastFuture}
}

// Limits returns the ranges of the options.
func (Options) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"share": limits.Between(0, 1), "policy": limits.OneOf(Policies()...),
		"past": limits.Between(LeastPast, MostWindow), "future": limits.Between(LeastFuture, MostWindow),
	}
}

// Check returns the name of the first option that is out of range, and an error.
func (o Options) Check() (name string, err error) { return limits.First(o) }
