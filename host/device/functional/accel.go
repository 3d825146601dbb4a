package functional

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/model"
)

// Accel is the functional model of an accelerator in a PCIe slot.
type Accel struct {
	k      *des.Kernel
	p      arch.Params
	period des.Time
	ep     *link.Endpoint

	state
	open      int  // number of descriptors in flight
	resetting bool // a reset waits until no descriptor is in flight
	flrs      int  // number of function-level resets
}

// state is the state that a reset clears.
type state struct {
	epoch int // number of resets; a reset cancels all events planned in an earlier epoch

	model   *model.Model
	csrs    csrs
	ring    ring
	engines *engines
	reads   reads
	reducer reducer
	writes  writes
	now     running // the command in execution
}

// wordBits is the width of a mini-batch word and of a bitmap word while the bitmap is assembled.
const wordBits = 32

// New returns an accelerator with clock period period; cfg describes its PCIe function. The caller
// attaches the Endpoint to a root complex or switch. New returns an error if the sizes, the period
// or cfg are invalid.
func New(k *des.Kernel, p arch.Params, period des.Time, cfg link.EndpointConfig) (*Accel, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("functional: %w", err)
	}
	if period <= 0 {
		return nil, fmt.Errorf("functional: clock period %v, expected above 0", period)
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

// reset restores the state after power-up.
func (a *Accel) reset() {
	p := a.p
	a.state = state{epoch: a.epoch + 1, model: model.New(p), engines: newEngines(p), reads: newReads(a), reducer: newReducer(a), writes: newWrites(a)}
	a.csrs.stored = map[uint64]uint32{}
	a.csrs.ready = a.edge() + int64(p.BankSets())
}

// ended records the end of a descriptor. After the last descriptor it performs a pending reset.
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

// Configured implements link.Core. It does nothing, because the endpoint holds back requests that
// may not be sent.
func (a *Accel) Configured(bool, bool) {}

// Reset implements link.Core.
func (a *Accel) Reset() {
	a.flrs++
	a.open, a.resetting = 0, false
	a.reset()
}

// Endpoint returns the accelerator's PCIe function.
func (a *Accel) Endpoint() *link.Endpoint { return a.ep }

// Err returns nil, because nothing stops a functional model.
func (a *Accel) Err() error { return nil }

// report returns the accelerator's line in a deadlock report.
func (a *Accel) report() string {
	if !a.now.busy {
		return ""
	}
	return fmt.Sprintf("runs opcode %#x with %d descriptors open", a.now.cmd.Opcode, a.open)
}

// Times within the accelerator are counted in clock edges since the start.

// edge returns the first edge that is not in the past.
func (a *Accel) edge() int64 { return int64((a.k.Now() + a.period - 1) / a.period) }

// at runs f at an edge, or immediately if the edge has passed. A reset cancels it.
func (a *Accel) at(edge int64, f func()) {
	epoch := a.epoch
	a.k.At(max(a.k.Now(), des.Time(edge)*a.period), func() {
		if a.epoch == epoch {
			f()
		}
	})
}

// planned is a function that is scheduled repeatedly. For single events, use Accel.at.
type planned struct {
	a      *Accel
	events *des.Lane[struct{}]
}

// plan prepares f for planned.at.
func (a *Accel) plan(f func()) planned {
	epoch := a.epoch + 1 // plan is called within a reset
	return planned{a, des.NewLane(a.k, func(struct{}) {
		if a.epoch == epoch {
			f()
		}
	})}
}

// at runs the function at an edge, or immediately if the edge has passed. A reset cancels it.
func (p planned) at(edge int64) {
	p.events.At(max(p.a.k.Now(), des.Time(edge)*p.a.period), struct{}{})
}

// read starts a read descriptor. A descriptor that the endpoint rejects ends immediately.
func (a *Accel) read(id uint32, addr uint64, n int) {
	a.open++
	a.csrs.bytesRead.n += uint64(n)
	if err := a.ep.ReadRequest(addr, n, id); err != nil {
		a.soon(func() { a.ReadDone(id, link.UnsupportedRequest) })
	}
}

// write starts a write descriptor. A descriptor that the endpoint rejects ends immediately.
func (a *Accel) write(id uint32, addr uint64, data []byte) {
	a.open++
	a.csrs.bytesWritten.n += uint64(len(data))
	if err := a.ep.WriteRequest(addr, data, id); err != nil {
		a.soon(func() { a.WriteDone(id, link.UnsupportedRequest) })
	}
}

// soon runs f as a separate event at the current time, unless a function-level reset occurs first.
func (a *Accel) soon(f func()) { a.k.After(0, a.unlessReset(f)) }

// unlessReset returns a function that calls f, or does nothing after the next function-level reset.
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

// Write descriptor ids.
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
