package cpuhotline

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Options are the options of New.
type Options struct {
	// Rows is the maximum number of hot rows, at least 1.
	Rows int
	// Sample is the fraction of mini-batches in which the CPU counts lookups, above 0 and at most
	// 1. The first mini-batch of a learning epoch is always included.
	Sample float64
	// Relearn is the number of mini-batches of a learning epoch; 0 means that all mini-batches are
	// one epoch.
	Relearn int
}

// System is Hotline without an accelerator. It implements train.System.
type System struct {
	*cluster.Cluster
	*cluster.Tiers
	opts   Options
	counts counts
	probs  []float32
}

// Descriptions returns the description of the system. The number of hot rows equals the number of
// the accelerator's blocks.
func Descriptions() []registry.Description {
	return []registry.Description{{
		Name: "cpu-hotline", Title: "Hotline without an accelerator: the CPU learns, segregates, collects and updates",
		Mechanisms: []registry.Mechanism{{Count: CountPopular, Idle: "no input was popular"}, {Count: CountCold, Idle: "all inputs were popular, so no cold row was collected"}},
		New: func(s *server.Server, _ driver.Device, from *train.State, with registry.Setting) (train.System, error) {
			return New(s, from, Options{Rows: min(with.Blocks, from.Model.Rows()), Sample: with.LearnShare, Relearn: with.Relearn})
		},
	}}
}

// New returns the system on a machine whose slot may be empty. Its model starts from a state. It
// returns an error if an option is out of range.
func New(s *server.Server, from *train.State, opts Options) (*System, error) {
	switch {
	case opts.Rows < 1:
		return nil, fmt.Errorf("cpuhotline: %d hot rows, expected at least 1", opts.Rows)
	case !(opts.Sample > 0 && opts.Sample <= 1):
		return nil, fmt.Errorf("cpuhotline: sample is %v, expected above 0 and at most 1", opts.Sample)
	case opts.Relearn < 0:
		return nil, fmt.Errorf("cpuhotline: relearn is %d, expected 0 or more", opts.Relearn)
	}
	c := cluster.NewCluster(s, from)
	return &System{Cluster: c, Tiers: cluster.NewTiers(c, opts.Rows), opts: opts}, nil
}

// Name implements train.System.
func (h *System) Name() string { return "Hotline without an accelerator" }

// Counts implements train.System.
func (h *System) Counts() []train.Count { return h.counts.list() }

// Order implements train.System.
func (h *System) Order() timing.System { return Order }
