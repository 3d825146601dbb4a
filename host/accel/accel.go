package accel

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Accel is an accelerator in a slot.
type Accel struct {
	k      *node.Kernel
	p      Params
	period node.Time
	ep     *link.Endpoint

	state
	open      int  // descriptors under way
	resetting bool // waits until there are none
}

// state is all that a reset resets.
type state struct {
	epoch int // number of resets; what was planned in an earlier one does not happen

	csrs  csrs
	ring  ring
	regs  [driver.RegCount]uint64 // what s_wr writes
	reads reader

	eal    *tracker
	halves [2]half
	buffer vector
	held   bool // the vector buffer holds one
	direct direct

	now               running    // the command that is being executed
	readErr, writeErr link.Error // of the first read of which it tells, the first write that failed
	writing           int        // writes that have not left for the link
	more              func()     // wants to know when one has
}

// half is an eDRAM half with what the last sweep found out about its words.
type half struct {
	words   []uint32
	results []result
	popular []byte // bitmap of the last classify
	inputs  int    // that can be gathered
}

// result of a lookup.
type result struct {
	block uint32
	hit   bool
}

// New makes an accelerator with the clock period given; cfg describes its PCIe
// function. Attach the Endpoint to a root complex or switch.
func New(k *node.Kernel, p Params, period node.Time, cfg link.EndpointConfig) (*Accel, error) {
	if err := p.Validate(); err != nil {
		return nil, err
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
	a.state = state{epoch: a.epoch + 1, eal: newTracker(p), buffer: make(vector, 4*p.VectorValues), reads: reader{a: a, slots: make([]slot, p.Tags)}}
	for i := range a.halves {
		a.halves[i] = half{words: make([]uint32, p.HalfWords()), results: make([]result, p.HalfWords()), popular: make([]byte, p.bitmapBytes(p.maxInputs()))}
	}
	a.csrs.stored = map[uint64]uint32{}
	a.csrs.ready = a.k.Now() + a.cycles(p.Blocks/p.Ways/p.Banks)
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

// Endpoint is the accelerator's PCIe function.
func (a *Accel) Endpoint() *link.Endpoint { return a.ep }

// Err is nil: nothing stops a model.
func (a *Accel) Err() error { return nil }

// report is the accelerator's line in a deadlock report.
func (a *Accel) report() string {
	if !a.now.busy {
		return ""
	}
	return fmt.Sprintf("runs %v with %d reads and %d writes open", a.now.cmd.opcode, a.reads.open(), a.writing)
}

// cycles is the time of n clock cycles.
func (a *Accel) cycles(n int) node.Time { return node.Time(n) * a.period }

// after runs f n cycles from now.
func (a *Accel) after(n int, f func()) { a.at(a.k.Now()+a.cycles(n), f) }

// at runs f at a time, unless a reset comes first.
func (a *Accel) at(t node.Time, f func()) {
	epoch := a.epoch
	a.k.At(t, func() {
		if a.epoch == epoch {
			f()
		}
	})
}

// failed tells whether a read or write of the command has failed.
func (a *Accel) failed() bool { return a.readErr != link.OK || a.writeErr != link.OK }

// write sends data to an address, unless the command has failed.
func (a *Accel) write(addr uint64, data []byte) {
	if a.failed() || a.resetting {
		return
	}
	a.writing++
	a.begun(a.ep.WriteRequest(addr, data, dataID), func() { a.WriteDone(dataID, link.UnsupportedRequest) })
}

// writeRow is write of what the reducer has computed.
func (a *Accel) writeRow(addr uint64, data []byte) {
	if !a.failed() {
		a.csrs.rowsWritten++
	}
	a.write(addr, data)
}

// begun counts a descriptor that has begun; one that the endpoint refused ends
// with end.
func (a *Accel) begun(refused error, end func()) {
	a.open++
	if refused != nil {
		a.k.After(0, end)
	}
}

// Descriptor ids: reads of rows and words have their slot's number, command
// fetches lie above, writes are data or completions.
const (
	fetchID      = 1 << 16
	dataID       = 0
	completionID = 1
)

// fail notes the outcome of a read of which the command tells.
func (a *Accel) fail(e link.Error) {
	if a.readErr == link.OK {
		a.readErr = e
	}
}

// ReadData implements link.Core.
func (a *Accel) ReadData(id uint32, _ int, data []byte, _ bool) {
	if id >= fetchID {
		a.ring.fetchData(id-fetchID, data)
		return
	}
	s := &a.reads.slots[id]
	s.data = append(s.data, data...)
}

// ReadDone implements link.Core.
func (a *Accel) ReadDone(id uint32, e link.Error) {
	if id >= fetchID {
		a.fetched(id-fetchID, e)
	} else {
		a.reads.done(id, e)
	}
	a.ended()
}

// WriteDone implements link.Core.
func (a *Accel) WriteDone(id uint32, e link.Error) {
	if id == completionID {
		a.posted(e)
		a.ended()
		return
	}
	a.writing--
	if a.writeErr == link.OK {
		a.writeErr = e
	}
	if a.more != nil && !a.resetting {
		a.more()
	}
	a.settle()
	a.ended()
}
