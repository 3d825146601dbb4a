package hotline

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Options are the options of New.
type Options struct {
	// Sample is the fraction of mini-batches that the accelerator learns from, above 0 and at most
	// 1. The first mini-batch of a learning epoch is always included.
	Sample float64
	// Relearn is the number of mini-batches between learning epochs; 0 means that the accelerator
	// learns only once.
	Relearn int
	// Retries is the number of times that a part of the training is repeated, on a reset
	// accelerator, after a fault that the driver cannot repair. With 0, such a fault ends the run.
	Retries int
	// Driver are the options of the driver.
	Driver driver.Options
}

// DefaultOptions returns options for learning once, from 5 % of the mini-batches (Hotline, Sec.
// IV), with at most four retries.
func DefaultOptions() Options {
	return Options{Sample: 0.05, Retries: 4, Driver: driver.DefaultOptions()}
}

// System is Hotline. It implements train.System.
type System struct {
	*cluster.Cluster
	*cluster.Tables
	s       *server.Server
	drv     *driver.Driver
	model   dlrm.Config
	opts    Options
	ids     ids
	hot     map[uint32]uint32 // blocks of hot rows, by id
	areas                     // shared with the accelerator
	batches *train.Batches
	staging staging
	counts  counts
	failed  error    // first error of a completed command
	claims  []claim  // unverified writes since the latest drain
	blank   bool     // the accelerator was reset and has not learned since
	flushed des.Time // duration of the latest flush of the links to the GPUs
	idle    des.Time // time since which the accelerator has been idle
	work    asked    // of the current mini-batch
	next    asked    // of the next mini-batch, as far as known
	row     []float32
	probs   []float32
}

// asked is the work that a mini-batch requests from the machine.
type asked struct {
	timing.Work
	commands Work
}

// Descriptions returns the description of the system.
func Descriptions() []registry.Description {
	return []registry.Description{{
		Name: "hotline", Title: "Hotline (ISCA 2024): hot rows on the GPUs, the accelerator gathers the others", Accelerated: true,
		Mechanisms: []registry.Mechanism{{Count: CountPopular, Idle: "no input was popular"}, {Count: CountColdRows, Idle: "all inputs were popular, so no cold row was gathered"}},
		New: func(s *server.Server, dev driver.Device, from *train.State, with registry.Setting) (train.System, error) {
			o := DefaultOptions()
			o.Sample, o.Relearn = with.LearnShare, with.Relearn
			return New(s, dev, from, o)
		},
	}}
}

// New opens the accelerator behind dev, which is in the slot of s. The model starts from a state.
// It returns an error if an option is out of range, if the driver fails, or if the model does not
// fit the accelerator.
func New(s *server.Server, dev driver.Device, from *train.State, opts Options) (*System, error) {
	model := from.Model
	if !(opts.Sample > 0 && opts.Sample <= 1) {
		return nil, fmt.Errorf("hotline: sample is %v, expected above 0 and at most 1", opts.Sample)
	}
	if opts.Relearn < 0 {
		return nil, fmt.Errorf("hotline: relearn is %d, expected 0 or more", opts.Relearn)
	}
	if opts.Retries < 0 {
		return nil, fmt.Errorf("hotline: retries is %d, expected 0 or more", opts.Retries)
	}
	drv, err := driver.Open(dev, opts.Driver)
	if err != nil {
		return nil, err
	}
	if err := fits(drv.Geometry(), model, len(s.GPUs), 0); err != nil {
		return nil, err
	}
	return &System{
		s: s, drv: drv, model: model, opts: opts, Cluster: cluster.NewCluster(s, from), Tables: cluster.NewTables(s.Host, from),
		ids: newIDs(model.Tables), hot: map[uint32]uint32{}, row: make([]float32, model.Dim), staging: staging{batch: [2]int{-1, -1}},
	}, nil
}

// fits returns an error if a training exceeds a limit of the accelerator.
func fits(g arch.Geometry, model dlrm.Config, gpus, batch int) error {
	_, _, err := registry.Misfit(g, registry.Training{Model: model, Of: "the model", GPUs: gpus, Batch: batch})
	if err != nil {
		return fmt.Errorf("hotline: %w", err)
	}
	return nil
}

// Name implements train.System.
func (h *System) Name() string { return "Hotline" }

// Driver implements registry.Driving.
func (h *System) Driver() *driver.Driver { return h.drv }

// Use implements registry.Driving.
func (h *System) Use(r train.Result) registry.Use {
	return registry.Use{
		Inputs: r.Count(CountInputs), Popular: r.Count(CountPopular), Lookups: r.Count(CountLookups),
		HotRows: r.Count(CountHotRows), ColdRows: r.Count(CountColdRows), Updated: r.Count(CountUpdated), LostInterrupts: r.Count(CountLost),
	}
}

// Counts implements train.System.
func (h *System) Counts() []train.Count { return h.counts.list(h.drv, h.s.Traffic()) }

// Order implements train.System.
func (h *System) Order() timing.System { return Order }

// Train implements train.System. It fails before training if a mini-batch is too large for the
// eDRAM, or if the memories are too small.
func (h *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	if err := fits(h.drv.Geometry(), h.model, len(h.s.GPUs), b.Size()); err != nil {
		return err
	}
	h.batches, h.Cluster.Watch = b, w
	h.areas = newAreas(h.s, h.drv.Geometry(), h.model, b.Size())
	if err := h.Cluster.Reserve(b.Size()); err != nil {
		return err
	}
	if err := h.persist(h.configure); err != nil {
		return err
	}
	for m := b.First(); ; m++ {
		if more, err := b.Has(m); err != nil {
			return err
		} else if !more {
			return h.Cluster.CheckReplicas()
		}
		if h.blank || h.learnsBefore(m) {
			if err := h.persist(func() error { return h.learn(m) }); err != nil {
				return err
			}
		}
		step, err := h.step(m)
		if err != nil {
			return err
		}
		if err := done(step); err != nil {
			return err
		}
	}
}

// submit queues a command. On success it calls got, unless nil, with the completion and the
// accelerator's execution time. An error ends the run at the next drain.
func (h *System) submit(c arch.Command, got func(c driver.Completion, took des.Time)) error {
	submitted := h.s.Kernel.Now()
	return h.drv.Submit(c, func(completion driver.Completion, err error) {
		begun := max(submitted, h.idle)
		h.idle = h.s.Kernel.Now()
		switch {
		case err != nil && h.failed == nil:
			h.failed = err
		case err == nil && got != nil:
			got(completion, h.idle-begun)
		}
	})
}

// drain waits until all commands are done and all their writes have arrived, and verifies the
// writes.
func (h *System) drain() error {
	if err := h.drv.Drain(); err != nil {
		return err
	}
	if h.failed != nil {
		return h.failed
	}
	before := h.s.Kernel.Now()
	err := h.s.FlushGPUs()
	h.flushed = h.s.Kernel.Now() - before
	if err != nil {
		return err
	}
	return h.verify()
}

// Row implements train.System. It reads a hot row from all GPUs, and returns an error if their
// values differ.
func (h *System) Row(table int, index uint32, dst []float32) error {
	block, hot := h.hot[h.ids.of(table, index)]
	if !hot {
		return h.Tables.Read(table, index, dst)
	}
	if err := h.readHot(0, block, dst); err != nil {
		return err
	}
	return h.checkHot(table, index, block, dst)
}

// checkHot returns an error if the hot table of a GPU does not hold want, the value on GPU 0.
func (h *System) checkHot(table int, index, block uint32, want []float32) error {
	for g := 1; g < len(h.gpu); g++ {
		if err := h.inspectHot(g, block, h.row); err != nil {
			return err
		}
		if e := dlrm.FirstDiff(want, h.row); e >= 0 {
			return fmt.Errorf("hotline: hot row %d of table %d (%q), block %d: GPU %d has %v in element %d, GPU 0 has %v",
				index, table, h.model.Tables[table].Name, block, g, h.row[e], e, want[e])
		}
	}
	return nil
}

func (h *System) rowBytes() int { return arch.WordBytes * h.model.Dim }

func (h *System) readHot(g int, block uint32, dst []float32) error {
	return h.gpu[g].hot.ReadFloat32s(int(block)*h.rowBytes(), dst)
}

// inspectHot is like readHot for a check that no GPU makes.
func (h *System) inspectHot(g int, block uint32, dst []float32) error {
	return h.gpu[g].hot.Inspect(int(block)*h.rowBytes(), dst)
}

func (h *System) writeHot(g int, block uint32, src []float32) error {
	return h.gpu[g].hot.WriteFloat32s(int(block)*h.rowBytes(), src)
}
