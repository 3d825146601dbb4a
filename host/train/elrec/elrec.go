package elrec

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/tt"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// System is EL-Rec or TT-Rec. It implements train.System.
type System struct {
	*cluster.Cluster
	model   dlrm.Config
	opts    Options
	naive   bool   // TT-Rec
	seed    uint64 // of the cores
	machine *server.Server
	places  []place
	cores   *cores
	gpus    []*cluster.Tables // plain tables on each GPU
	host    *host
	reads   []*reads     // of each GPU, in the mini-batch
	sums    []*gradients // of each GPU, for one table
	counts  counts
	row     []float32
}

// key identifies a row of a table, or a prefix of rows.
type key struct {
	table int
	index uint32
}

// place is the location of a table.
type place int

const (
	inCores place = iota
	onGPUs
	inHost
)

// New returns EL-Rec on a machine whose slot may be empty. Its model starts from a state. It
// returns an error if an option is out of range, or if rows of a table that must be in tensor-train
// form have already been trained: cores cannot represent such rows.
func New(s *server.Server, from *train.State, o Options) (*System, error) {
	return newSystem(s, from, o, false)
}

// NewTTRec is like [New] for TT-Rec. It uses only Threshold and Rank.
func NewTTRec(s *server.Server, from *train.State, o Options) (*System, error) {
	o.Host, o.Queue, o.Groups = false, 1, 0
	return newSystem(s, from, o, true)
}

func newSystem(s *server.Server, from *train.State, o Options, naive bool) (*System, error) {
	if _, err := o.Check(); err != nil {
		return nil, fmt.Errorf("elrec: %w", err)
	}
	e := &System{model: from.Model, opts: o, naive: naive, seed: from.Seed, machine: s, Cluster: cluster.NewCluster(s, from), row: make([]float32, from.Model.Dim)}
	for t, table := range e.model.Tables {
		switch {
		case table.Rows > o.Threshold && len(from.Tables[t].Index) > 0:
			return nil, &train.Unmet{Err: fmt.Errorf("elrec: table %d (%q) shall be in tensor-train form, but the checkpoint holds its rows: start a new training, or use a threshold of at least %d",
				t, table.Name, table.Rows)}
		case table.Rows > o.Threshold:
			e.places = append(e.places, inCores)
		case o.Host:
			e.places = append(e.places, inHost)
		default:
			e.places = append(e.places, onGPUs)
		}
	}
	e.Cluster.Raw = e.has(inCores)
	if naive {
		e.Cluster.Apart = e.has(inCores) // the GPUs exchange gradients of cores
	}
	var err error
	if e.cores, err = newCores(s, from, o.Rank, e.has(inCores)); err != nil {
		return nil, err
	}
	for _, g := range s.GPUs {
		e.gpus = append(e.gpus, cluster.NewSomeTables(g.Memory, from, e.has(onGPUs)))
		e.reads, e.sums = append(e.reads, &reads{}), append(e.sums, newGradients())
	}
	e.host = newHost(e.Cluster, s, from, o.Queue, e.has(inHost))
	return e, nil
}

// has returns a predicate for the tables at a place.
func (e *System) has(p place) func(table int) bool {
	return func(table int) bool { return e.places[table] == p }
}

// Name implements train.System.
func (e *System) Name() string {
	if e.naive {
		return "TT-Rec"
	}
	return "EL-Rec"
}

// Row implements train.System. It multiplies a row of a table in tensor-train form.
func (e *System) Row(table int, index uint32, dst []float32) error {
	switch e.places[table] {
	case inCores:
		return e.cores.row(0, table, e.cores.number(table, index), dst)
	case onGPUs:
		return e.gpus[0].Read(table, index, dst)
	}
	return e.host.read(key{table, index}, dst)
}

// RowState implements train.System. Rows of a table in tensor-train form have no state; their
// slices do.
func (e *System) RowState(table int, index uint32) []float32 {
	if e.places[table] == inCores {
		return nil
	}
	return e.Cluster.RowState(table, index)
}

// Touched implements train.System. All rows of a table in tensor-train form differ from the initial
// rows of a plain table.
func (e *System) Touched(table int) []train.Span {
	switch e.places[table] {
	case inCores:
		return []train.Span{{First: 0, End: e.model.Tables[table].Rows}}
	case onGPUs:
		return e.gpus[0].Touched(table)
	}
	return e.host.tables.Touched(table)
}

// Unsaved implements train.Unsaved. Its error names the first table in tensor-train form.
func (e *System) Unsaved() error {
	for t, table := range e.model.Tables {
		if e.places[t] == inCores {
			return fmt.Errorf("table %d (%q) is in tensor-train form: its parameters are not rows", t, table.Name)
		}
	}
	return nil
}

// Embedding implements train.Unsaved.
func (e *System) Embedding() int64 {
	n := int64(e.cores.values())
	for t, table := range e.model.Tables {
		if e.places[t] != inCores {
			n += int64(table.Rows) * int64(e.model.Dim)
		}
	}
	return n
}

// Counts implements train.System.
func (e *System) Counts() []train.Count { return e.counts.list() }

// Order implements train.System.
func (e *System) Order() timing.System {
	f := form{Rank: e.opts.Rank, Dims: [tt.Cores]int{1, 1, 1}, Values: e.cores.values(), Queue: e.opts.Queue}
	for _, bag := range e.model.Bags() {
		if t := e.cores.tables[bag.Table]; t != nil {
			f.Dims = t.Dims
			f.Bags++
		} else {
			f.PlainBags++
			f.PlainLookups += bag.Lookups
		}
	}
	return f.order(e.naive)
}
