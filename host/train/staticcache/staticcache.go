package staticcache

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Options are the options of New.
type Options struct {
	// Share is the fraction of the rows of each table that are on the GPUs, above 0 and at most 1.
	// At least one row of each table is on the GPUs.
	Share float64
}

// DefaultOptions returns the smallest cache of the paper's figures: 2 % of the rows.
func DefaultOptions() Options { return Options{Share: 0.02} }

// Check implements registry.Options.
func (o Options) Check() (name string, err error) {
	if !(o.Share > 0 && o.Share <= 1) {
		err = fmt.Errorf("staticcache: share is %v, expected above 0 and at most 1", o.Share)
	}
	return "share", err
}

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
		Options: &o, New: registry.Optioned(New),
		Mechanisms: []registry.Mechanism{{Count: CountHits, Idle: "no lookup hit the cache"}},
	}}
}

// New returns the system on a machine whose slot may be empty. Its model starts from a state. It
// fails if Options.Check does.
func New(s *server.Server, from *train.State, opts Options) (*System, error) {
	if _, err := opts.Check(); err != nil {
		return nil, err
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
