package cpuhotline

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
	// Rows is how many rows are hot at most, at least 1.
	Rows int
	// Sample is the share of mini-batches in which the CPU counts, above 0 and up to 1;
	// the first of a stretch always is among them.
	Sample float64
	// Relearn is the number of mini-batches of a stretch, before which it counts; 0 is
	// all of them.
	Relearn int
}

// System is Hotline without an accelerator. It implements train.System.
type System struct {
	model   rec.Config
	opts    Options
	cluster *parts.Cluster
	tables  *parts.Tables
	hot     *parts.Replicas
	cold    *parts.Buffers
	counts  counts
	probs   []float32
}

// New makes the system on a machine whose slot may be empty. Its model begins as in
// a state. The error is that of an option.
func New(s *server.Server, from *train.State, opts Options) (*System, error) {
	switch {
	case opts.Rows < 1:
		return nil, fmt.Errorf("cpuhotline: %d hot rows, expected at least 1", opts.Rows)
	case !(opts.Sample > 0 && opts.Sample <= 1):
		return nil, fmt.Errorf("cpuhotline: sample is %v, expected above 0 and at most 1", opts.Sample)
	case opts.Relearn < 0:
		return nil, fmt.Errorf("cpuhotline: relearn is %d, expected 0 or more", opts.Relearn)
	}
	c, t := parts.NewCluster(s, from), parts.NewTables(s.Host, from)
	return &System{model: from.Model, opts: opts, cluster: c, tables: t, hot: parts.NewReplicas(c, t, opts.Rows)}, nil
}

// Name implements train.System.
func (h *System) Name() string { return "Hotline without an accelerator" }

// Model implements train.System.
func (h *System) Model() rec.Config { return h.model }

// Net implements train.System.
func (h *System) Net() *rec.Net { return h.cluster.GPUs[0].Net }

// Row implements train.System. A hot row is read from all GPUs; the error may be
// that they do not hold the same.
func (h *System) Row(table int, index uint32, dst []float32) error {
	return h.hot.Row(table, index, dst)
}

// RowState implements train.System.
func (h *System) RowState(table int, index uint32) []float32 { return h.cluster.RowState(table, index) }

// Touched implements train.System. What is left in host memory of a hot row has
// been touched as well.
func (h *System) Touched(table int) []train.Span { return h.tables.Touched(table) }

// Counts implements train.System.
func (h *System) Counts() []train.Count { return h.counts.list() }

// Order implements train.System.
func (h *System) Order() timing.System { return timing.CPUHotline }
