package staticcache

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Options are the options of a system, with their names in a configuration.
type Options struct {
	Share  float64 `hcl:"share,optional" doc:"fraction of the rows of each table that are on the GPUs, at least one row"`
	Sample float64 `hcl:"sample,optional" doc:"first fraction of the mini-batches, whose lookups determine these rows"`
}

// DefaultOptions returns the smallest cache of the paper's figures: 2 % of the rows. The paper does
// not state how it finds these rows; the sample is the size of FAE's.
func DefaultOptions() Options { return Options{Share: 0.02, Sample: 0.05} }

// Limits returns the ranges of the options.
func (Options) Limits() map[string]limits.Range {
	return map[string]limits.Range{"share": limits.Share(), "sample": limits.Share()}
}

// Check implements registry.Options.
func (o Options) Check() (name string, err error) { return limits.First(o) }

// System is the static cache. It implements train.System.
type System struct {
	*cluster.Cluster
	*cluster.Tiers
	opts   Options
	counts counts
}

// Descriptions returns the description of the system.
func Descriptions() []registry.Description {
	o := DefaultOptions()
	return []registry.Description{{
		Name: "static-cache", Title: "hybrid with a static cache: the top rows of each table on the GPUs (ScratchPipe's baseline)",
		Block: "static_cache", Options: &o, New: registry.Optioned(New),
		Mechanisms: []registry.Mechanism{{Count: CountHits, Idle: "no lookup hit the cache"}},
	}}
}

// New returns the system on a machine whose slot may be empty. Its model starts from a state. It
// fails if Options.Check does.
func New(s *server.Server, from *train.State, opts Options) (*System, error) {
	if _, err := opts.Check(); err != nil {
		return nil, fmt.Errorf("staticcache: %w", err)
	}
	h := &System{Cluster: cluster.NewCluster(s, from), opts: opts}
	rows := 0
	for t := range from.Model.Tables {
		rows += h.cached(t)
	}
	h.Tiers = cluster.NewTiers(h.Cluster, rows)
	return h, nil
}

// cached returns the maximum number of rows of a table on the GPUs.
func (h *System) cached(table int) int {
	return max(1, int(h.opts.Share*float64(h.Model().Tables[table].Rows)))
}

// Name implements train.System.
func (h *System) Name() string { return "CPU-GPU with a static cache" }

// Counts implements train.System.
func (h *System) Counts() []train.Count { return h.counts.list() }

// Order implements train.System.
func (h *System) Order() timing.System { return Order }
