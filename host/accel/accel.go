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

	csrs  csrs
	ring  ring
	regs  [driver.RegCount]uint64 // what s_wr writes
	reads reader

	eal    *tracker
	halves [2]half
	buffer vector
	direct direct

	now     running    // the command that is being executed
	err     link.Error // of the first read or write that failed since the last completion
	writing int        // writes that have not left for the link
	more    func()     // wants to know when one has
}

// half is an eDRAM half with what the last sweep found out about its words.
type half struct {
	words   []uint32
	results []result
	popular []byte // bitmap of the last classify
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
	a := &Accel{k: k, p: p, period: period, eal: newTracker(p), buffer: make(vector, 4*p.VectorValues)}
	for i := range a.halves {
		a.halves[i] = half{words: make([]uint32, p.HalfWords()), results: make([]result, p.HalfWords()), popular: make([]byte, p.bitmapBytes(p.maxInputs()))}
	}
	a.csrs.stored = map[uint64]uint32{}
	a.csrs.ready = k.Now() + a.cycles(p.Blocks/p.Ways/p.Banks)
	a.reads = reader{a: a, slots: make([]slot, p.Tags)}
	ep, err := link.NewEndpoint(k, cfg, a)
	if err != nil {
		return nil, err
	}
	a.ep = ep
	k.Watch("accelerator", a.state)
	return a, nil
}

// Endpoint is the accelerator's PCIe function.
func (a *Accel) Endpoint() *link.Endpoint { return a.ep }

// Err is nil: nothing stops a model.
func (a *Accel) Err() error { return nil }

// state is the accelerator's line in a deadlock report.
func (a *Accel) state() string {
	if !a.now.busy {
		return ""
	}
	return fmt.Sprintf("runs %v with %d reads and %d writes open", a.now.cmd.opcode, a.reads.open(), a.writing)
}

// cycles is the time of n clock cycles.
func (a *Accel) cycles(n int) node.Time { return node.Time(n) * a.period }

// after runs f n cycles from now.
func (a *Accel) after(n int, f func()) { a.k.After(a.cycles(n), f) }

// write sends data to an address, unless the command has failed.
func (a *Accel) write(addr uint64, data []byte) {
	if a.err != link.OK {
		return
	}
	a.writing++
	if a.ep.WriteRequest(addr, data, dataID) != nil {
		a.k.After(0, func() { a.WriteDone(dataID, link.UnsupportedRequest) })
	}
}

// Descriptor ids: reads of rows and words have their slot's number, command
// fetches lie above, writes are data or completions.
const (
	fetchID      = 1 << 16
	dataID       = 0
	completionID = 1
)

// fail notes the outcome of a read or write.
func (a *Accel) fail(e link.Error) {
	if a.err == link.OK {
		a.err = e
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
		a.fetched(id - fetchID)
		return
	}
	a.reads.done(id, e)
}

// WriteDone implements link.Core.
func (a *Accel) WriteDone(id uint32, e link.Error) {
	if id == completionID {
		return
	}
	a.writing--
	a.fail(e)
	if a.more != nil {
		a.more()
	}
	a.settle()
}
