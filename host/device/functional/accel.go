package functional

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/model"
)

// Accel is an accelerator in a slot.
type Accel struct {
	k      *des.Kernel
	p      arch.Params
	period des.Time
	ep     *link.Endpoint

	state
	open      int  // descriptors under way
	resetting bool // waits until there are none
	flrs      int  // function-level resets
}

// state is all that a reset resets.
type state struct {
	epoch int // number of resets; what was planned in an earlier one does not happen

	model   *model.Model
	csrs    csrs
	ring    ring
	engines *engines
	reads   reads
	reducer reducer
	writes  writes
	now     running // the command that is being executed
}

// wordBits is the size of a word: of a mini-batch, of a bitmap as it is put together.
const wordBits = 32

// New makes an accelerator with the clock period given; cfg describes its PCIe
// function. Attach the Endpoint to a root complex or switch. The error is of the
// sizes, the period or cfg.
func New(k *des.Kernel, p arch.Params, period des.Time, cfg link.EndpointConfig) (*Accel, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("accelerator: %w", err)
	}
	if period <= 0 {
		return nil, fmt.Errorf("accelerator: clock period %v, expected above 0", period)
	}
	a := &Accel{k: k, p: p, period: period}
	a.reset()
	ep, err := link.NewEndpoint(k, cfg, a)
	if err != nil {
		return nil, err
	}
	a.ep = ep
	k.Watch("accelerator", a.report)
	return a, nil
}

// reset makes everything as it is after power-up.
func (a *Accel) reset() {
	p := a.p
	a.state = state{epoch: a.epoch + 1, model: model.New(p), engines: newEngines(p), reads: newReads(a), reducer: newReducer(a), writes: newWrites(a)}
	a.csrs.stored = map[uint64]uint32{}
	a.csrs.ready = a.edge() + int64(p.BankSets())
}

// ended notes that a descriptor has ended, and resets behind the last one if
// that is asked for.
func (a *Accel) ended() {
	a.open--
	a.resetIfIdle()
}

func (a *Accel) resetIfIdle() {
	if a.resetting && a.open == 0 {
		a.resetting = false
		a.reset()
	}
}

// Configured implements link.Core: the endpoint holds what may not go out.
func (a *Accel) Configured(bool, bool) {}

// Reset implements link.Core.
func (a *Accel) Reset() {
	a.flrs++
	a.open, a.resetting = 0, false
	a.reset()
}

// Endpoint is the accelerator's PCIe function.
func (a *Accel) Endpoint() *link.Endpoint { return a.ep }

// Err is nil: nothing stops a model.
func (a *Accel) Err() error { return nil }

// report is the accelerator's line in a deadlock report.
func (a *Accel) report() string {
	if !a.now.busy {
		return ""
	}
	return fmt.Sprintf("runs opcode %#x with %d descriptors open", a.now.cmd.Opcode, a.open)
}

// Times within the accelerator are numbers of clock edges since the start.

// edge is the first edge that is not in the past.
func (a *Accel) edge() int64 { return int64((a.k.Now() + a.period - 1) / a.period) }

// at runs f at an edge, unless a reset comes first; at once if it has passed.
func (a *Accel) at(edge int64, f func()) {
	epoch := a.epoch
	a.k.At(max(a.k.Now(), des.Time(edge)*a.period), func() {
		if a.epoch == epoch {
			f()
		}
	})
}

// planned is a function that happens again and again: what at is for things that
// happen once.
type planned struct {
	a      *Accel
	events *des.Lane[struct{}]
}

// plan makes f ready for planned.at.
func (a *Accel) plan(f func()) planned {
	epoch := a.epoch + 1 // a reset is under way
	return planned{a, des.NewLane(a.k, func(struct{}) {
		if a.epoch == epoch {
			f()
		}
	})}
}

// at runs the function at an edge, unless a reset comes first; at once if it has
// passed.
func (p planned) at(edge int64) {
	p.events.At(max(p.a.k.Now(), des.Time(edge)*p.a.period), struct{}{})
}

// read begins a read descriptor; one that the endpoint refuses ends at once.
func (a *Accel) read(id uint32, addr uint64, n int) {
	a.open++
	a.csrs.bytesRead.n += uint64(n)
	if err := a.ep.ReadRequest(addr, n, id); err != nil {
		a.soon(func() { a.ReadDone(id, link.UnsupportedRequest) })
	}
}

// write begins a write descriptor likewise.
func (a *Accel) write(id uint32, addr uint64, data []byte) {
	a.open++
	a.csrs.bytesWritten.n += uint64(len(data))
	if err := a.ep.WriteRequest(addr, data, id); err != nil {
		a.soon(func() { a.WriteDone(id, link.UnsupportedRequest) })
	}
}

// soon runs f next, unless a function-level reset comes first.
func (a *Accel) soon(f func()) { a.k.After(0, a.unlessReset(f)) }

// unlessReset is f until the next function-level reset, and nothing afterwards.
func (a *Accel) unlessReset(f func()) func() {
	flrs := a.flrs
	return func() {
		if a.flrs == flrs {
			f()
		}
	}
}

// ReadData implements link.Core.
func (a *Accel) ReadData(id uint32, _ int, data []byte, last bool) { a.reads.arrive(id, data, last) }

// ReadDone implements link.Core.
func (a *Accel) ReadDone(id uint32, e link.Error) {
	a.reads.end(id, e)
	a.ended()
}

// Ids of write descriptors.
const (
	dataID       = 0
	completionID = 1
)

// WriteDone implements link.Core.
func (a *Accel) WriteDone(id uint32, e link.Error) {
	if id == completionID {
		a.posted(e)
	} else {
		a.writes.end(e)
	}
	a.ended()
}
