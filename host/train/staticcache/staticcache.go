package staticcache

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/parts"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Options of New.
type Options struct {
	// Share of the rows of each table that are on the GPUs, above 0 and up to 1: at least
	// one row of each.
	Share float64
}

// DefaultOptions are the smallest cache of the paper's figures: 2 % of the rows.
func DefaultOptions() Options { return Options{Share: 0.02} }

// System is the static cache. It implements train.System.
type System struct {
	model   rec.Config
	opts    Options
	cluster *parts.Cluster
	tables  *parts.Tables
	cache   *parts.Replicas
	misses  *parts.Buffers
	counts  counts
}

// New makes the system on a machine whose slot may be empty. Its model begins as in
// a state. The error is that of the option.
func New(s *server.Server, from *train.State, opts Options) (*System, error) {
	if !(opts.Share > 0 && opts.Share <= 1) {
		return nil, fmt.Errorf("staticcache: share is %v, expected above 0 and at most 1", opts.Share)
	}
	h := &System{model: from.Model, opts: opts, cluster: parts.NewCluster(s, from), tables: parts.NewTables(s.Host, from)}
	rows := 0
	for t := range h.model.Tables {
		rows += h.cached(t)
	}
	h.cache = parts.NewReplicas(h.cluster, h.tables, rows)
	return h, nil
}

// cached is how many rows of a table are on the GPUs at most.
func (h *System) cached(table int) int {
	return max(1, int(h.opts.Share*float64(h.model.Tables[table].Rows)))
}

// Name implements train.System.
func (h *System) Name() string { return "CPU-GPU with a static cache" }

// Model implements train.System.
func (h *System) Model() rec.Config { return h.model }

// Net implements train.System.
func (h *System) Net() *rec.Net { return h.cluster.GPUs[0].Net }

// Row implements train.System. A cached row is read from all GPUs; the error may be
// that they do not hold the same.
func (h *System) Row(table int, index uint32, dst []float32) error {
	return h.cache.Row(table, index, dst)
}

// RowState implements train.System.
func (h *System) RowState(table int, index uint32) []float32 { return h.cluster.RowState(table, index) }

// Touched implements train.System. What is left in host memory of a cached row has
// been touched as well.
func (h *System) Touched(table int) []train.Span { return h.tables.Touched(table) }

// Counts implements train.System.
func (h *System) Counts() []train.Count { return h.counts.list() }

// Order implements train.System.
func (h *System) Order() timing.System { return timing.StaticCache }
