package trace

import (
	"encoding/binary"
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/config"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// device is the state of the accelerator, derived from the TLPs so far.
type device struct {
	trace     *Trace
	function  *capture.Function
	csr       map[uint64]uint32
	vectors   map[uint64]uint32 // words of the MSI-X table, by offset
	reads     map[readKey]read
	announced []int       // doorbell events whose commands were not yet fetched
	pending   []*Command  // fetched, no completion entry yet
	unheard   []*Command  // completed, no interrupt yet
	tail      uint16      // of the last doorbell
	gap       bool        // a gap followed the last doorbell, so tail is unknown
	late      [2]des.Time // delay of the next TLP, by direction
}

// mostAnnounced is the capacity of a ring in commands. A capture with more announced commands
// results from a faulty driver or a fabricated file.
const mostAnnounced = 1 << arch.MaxRingLog2

type readKey struct {
	requester pcie.ID
	tag       uint16
}

// read is a request in flight that expects a completion.
type read struct {
	number   int // event number of the request
	transfer int // index in the trace's reads
	command  *Command
	register string
}

func newDevice(t *Trace) *device {
	d := &device{trace: t, reads: map[readKey]read{}, vectors: map[uint64]uint32{}}
	d.reset()
	return d
}

// reset clears the state that a reset by the driver clears.
func (d *device) reset() {
	d.csr, d.tail, d.gap = map[uint64]uint32{}, 0, false
	d.announced, d.pending, d.unheard = nil, nil, nil
}

// see processes the next event and records its role.
func (d *device) see(e *Event) {
	if e.Kind == capture.KindFunction {
		d.function, d.trace.Function = &e.Function, &e.Function
	}
	if e.Kind == capture.KindDelay {
		d.late[e.Dir] = e.Delay
	}
	if e.Kind == capture.KindGap {
		d.miss(e.Time)
	}
	if e.Kind != capture.KindTLP {
		return
	}
	e.Delay, d.late[e.Dir] = d.late[e.Dir], 0
	if d.function == nil {
		return
	}
	switch t := &e.TLP; t.Kind {
	case pcie.MRd:
		d.read(e)
	case pcie.CfgRd0, pcie.CfgRd1, pcie.CfgWr0, pcie.CfgWr1:
		d.configuration(e)
	case pcie.MWr:
		if e.Dir == link.Up {
			d.upWrite(e)
		} else {
			d.downWrite(e)
		}
	case pcie.Cpl, pcie.CplD:
		d.answer(e)
	}
}

// giveUp records that a read will never be completed.
func (d *device) giveUp(r read, at des.Time) {
	if x := &d.trace.Reads[r.transfer]; !x.GivenUp {
		x.End, x.GivenUp = at, true
	}
}

// miss drops the state that a gap in the capture invalidates. It assumes that the registers kept
// their values.
func (d *device) miss(at des.Time) {
	for _, r := range d.reads {
		d.giveUp(r, at)
	}
	d.reads, d.late = map[readKey]read{}, [2]des.Time{}
	d.announced, d.pending, d.unheard = nil, nil, nil
	d.gap = true
}

// setUp handles the setup of the function by the host, at the start or after a reset.
func (d *device) setUp(at des.Time) {
	d.reset()
	for key, r := range d.reads {
		if key.requester == d.function.ID {
			d.giveUp(r, at)
		}
	}
}

// configuration records a configuration request. Only a host that sets up the function writes its
// BAR.
func (d *device) configuration(e *Event) {
	t := &e.TLP
	e.Role, e.Register = ConfigRead, fmt.Sprintf("0x%03x", t.Addr)
	if t.Kind.HasData() {
		v := binary.LittleEndian.Uint32(t.Data)
		e.Role, e.Value = ConfigWrite, &v
		if t.Addr == config.BAR0 && e.Flags&capture.Dropped == 0 {
			d.setUp(e.Time)
		}
	}
	d.ask(e)
}

func (d *device) read(e *Event) {
	t := &e.TLP
	switch {
	case e.Dir == link.Up && d.ring(arch.CSRSQBaseLo, arch.CSRSQBaseHi, arch.CSRSQLog2, arch.CommandBytes).Contains(t.Addr):
		e.Role, e.Command = CommandFetch, d.fetch(e)
	case e.Dir == link.Up:
		e.Role, e.Command = DataRead, d.current()
	case d.function.BAR.Contains(t.Addr):
		e.Role, e.Register = RegisterRead, d.register(t.Addr)
	default:
		e.Role = OtherRead
	}
	d.ask(e)
}

// ask records a request that expects a completion.
func (d *device) ask(e *Event) {
	t := &e.TLP
	key := readKey{t.Requester, t.Tag}
	if before, known := d.reads[key]; known {
		d.giveUp(before, e.Time)
	}
	d.reads[key] = read{e.Number, len(d.trace.Reads), e.Command, e.Register}
	bytes := 4 // size of a configuration register
	if t.Kind == pcie.MRd {
		_, bytes = t.Span()
	}
	d.trace.Reads = append(d.trace.Reads, Transfer{Role: e.Role, Request: e.Number, Start: e.Time, Bytes: bytes})
}

// fetch starts a command.
func (d *device) fetch(e *Event) *Command {
	c := &Command{Fetch: e.Number}
	if len(d.announced) > 0 {
		c.Doorbell, d.announced = d.announced[0], d.announced[1:]
		if by := &d.trace.Events[c.Doorbell-1]; by.Command == nil {
			by.Command = c
		}
	}
	d.pending = append(d.pending, c)
	d.trace.Commands = append(d.trace.Commands, c)
	return c
}

// current returns the command that the device executes, or nil.
func (d *device) current() *Command {
	if len(d.pending) == 0 {
		return nil
	}
	return d.pending[0]
}

// register returns the name of the register at an address in the BAR. It is empty for the MSI-X
// structures.
func (d *device) register(addr uint64) string {
	if at := addr - d.function.BAR.Base; at < d.function.MSIXOffset {
		return arch.CSRName(int(at))
	}
	return ""
}

// ring returns the address window of a ring. It is empty before the driver has configured the ring.
func (d *device) ring(lo, hi, log2 uint64, entry uint64) link.Window {
	low, known := d.csr[lo]
	if !known {
		return link.Window{}
	}
	return link.Window{Base: uint64(low) | uint64(d.csr[hi])<<32, Size: entry << (d.csr[log2] & arch.MaxRingLog2)}
}

func (d *device) downWrite(e *Event) {
	t := &e.TLP
	if !d.function.BAR.Contains(t.Addr) {
		e.Role = OtherWrite
		return
	}
	at, lost := t.Addr-d.function.BAR.Base, e.Flags&capture.Dropped != 0
	if at >= d.function.MSIXOffset {
		e.Role = MSIXTable
		if lost {
			return
		}
		for i := range t.Length {
			d.vectors[at-d.function.MSIXOffset+4*uint64(i)] = binary.LittleEndian.Uint32(t.Data[4*i:])
		}
		return
	}
	v := binary.LittleEndian.Uint32(t.Data)
	e.Role, e.Register, e.Value = RegisterWrite, arch.CSRName(int(at)), &v
	if at == arch.CSRSQTail {
		e.Role = Doorbell
	}
	if lost {
		return
	}
	d.csr[at] = v
	switch {
	case at == arch.CSRSQTail && d.gap:
		d.tail, d.gap = uint16(v), false
	case at == arch.CSRSQTail:
		for ; d.tail != uint16(v); d.tail++ {
			if len(d.announced) < mostAnnounced {
				d.announced = append(d.announced, e.Number)
			}
		}
	case at == arch.CSRControl && t.FirstBE&1 != 0 && v>>arch.ControlResetBit&1 != 0:
		d.reset()
	}
}

func (d *device) upWrite(e *Event) {
	t := &e.TLP
	cq := d.ring(arch.CSRCQBaseLo, arch.CSRCQBaseHi, arch.CSRCQLog2, arch.CompletionBytes)
	switch {
	case cq.Contains(t.Addr) && len(t.Data) == arch.CompletionBytes:
		e.Role = Completion
		d.complete(e)
	case d.vector(t.Addr):
		e.Role = Interrupt
		for _, c := range d.unheard {
			c.Interrupt, e.Command = e.Number, c
		}
		d.unheard = nil
	default:
		e.Role, e.Command = DataWrite, d.current()
	}
}

// complete finishes the command that the device executes.
func (d *device) complete(e *Event) {
	c := d.current()
	if c == nil || e.Flags&capture.Added != 0 {
		return
	}
	e.Command = c
	d.pending, d.unheard = d.pending[1:], append(d.unheard, c)
	done, _ := arch.DecodeCompletion(e.TLP.Data)
	c.Completed, c.Status, c.Value0, c.Value1 = e.Number, done.Status, done.Value0, done.Value1
}

// vector reports whether a write to an address is an interrupt.
func (d *device) vector(addr uint64) bool {
	for i := range uint64(link.Vectors) {
		low, known := d.vectors[16*i]
		if known && addr == uint64(low)|uint64(d.vectors[16*i+4])<<32 {
			return true
		}
	}
	return false
}

// answer processes a completion.
func (d *device) answer(e *Event) {
	t := &e.TLP
	key := readKey{t.Requester, t.Tag}
	r, known := d.reads[key]
	if !known {
		e.Role = Unexpected
		return
	}
	transfer := &d.trace.Reads[r.transfer]
	e.Role, e.Request, e.Command, e.Register = transfer.Role, r.number, r.command, r.register
	if t.Kind == pcie.CplD && t.Length == 1 && e.Register != "" {
		v := binary.LittleEndian.Uint32(t.Data)
		e.Value = &v
	}
	if e.Flags&capture.Dropped != 0 {
		return
	}
	if e.Role == CommandFetch && len(t.Data) == arch.CommandBytes {
		r.command.Command, r.command.ID, _ = arch.DecodeCommand(t.Data)
		r.command.Fetched = e.Number
	}
	if t.Kind == pcie.Cpl || t.ByteCount <= 4*t.Length-int(t.LowerAddr&3) {
		transfer.End, transfer.Ended = e.Time+e.Delay, true
		delete(d.reads, key)
	}
}
