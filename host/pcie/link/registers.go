package link

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// deviceRCB is the read completion boundary of all completers except the root complex (2.3.1.1).
const deviceRCB = 128

// registers converts memory requests to the BAR into accesses to 32-bit registers, like a bridge to
// AXI4-Lite. At most one write and one read are in progress. Writes are in order and never wait for
// reads. A read starts after all earlier writes.
type registers struct {
	writes des.FIFO[*regAccess]
	reads  des.FIFO[*regAccess]
	order  uint64
	epoch  int // counts resets; replies of an earlier epoch are ignored
}

// regAccess is a request in progress, performed DW by DW.
type regAccess struct {
	port  *Port
	tlp   *pcie.TLP
	base  uint64 // of the BAR when the request arrived
	order uint64
	begun bool
	dw    int
	value []byte // data read so far
}

func (r *registers) pending() int { return r.writes.Len() + r.reads.Len() }

// reset drops all accesses.
func (r *registers) reset() {
	for _, q := range []*des.FIFO[*regAccess]{&r.writes, &r.reads} {
		for q.Len() > 0 {
			a := q.Pop()
			a.port.Release(a.tlp)
		}
	}
	r.epoch++
}

// access processes a request to the BAR.
func (e *Endpoint) access(p *Port, t *pcie.TLP) {
	addr, n := t.Span()
	switch {
	case t.Check(e.set.MPS, 0) != nil:
		e.counters.Malformed++
		e.report(config.MalformedTLP, t)
	case t.EP:
		e.counters.Poisoned++
		e.report(config.PoisonedTLP, t)
	case !e.set.Memory || !e.BAR().Contains(addr) || !e.BAR().Contains(addr+uint64(n)-1):
		e.refuse(t)
	default:
		r := &e.regs
		r.order++
		a := &regAccess{port: p, tlp: t, base: e.set.Base, order: r.order}
		if t.Kind == pcie.MWr {
			r.writes.Push(a)
		} else {
			r.reads.Push(a)
		}
		e.runRegisters()
		return
	}
	p.Release(t)
}

// runRegisters starts the accesses that may start.
func (e *Endpoint) runRegisters() {
	r := &e.regs
	if r.writes.Len() > 0 {
		if w := *r.writes.Peek(); !w.begun {
			w.begun = true
			e.writeDW(w)
		}
	}
	if r.reads.Len() > 0 {
		a := *r.reads.Peek()
		behind := r.writes.Len() == 0 || (*r.writes.Peek()).order > a.order
		if !a.begun && behind {
			a.begun = true
			e.readDW(a)
		}
	}
}

// writeDW writes the next DW with enabled bytes, and ends the access after the last DW.
func (e *Endpoint) writeDW(a *regAccess) {
	t := a.tlp
	for a.dw < t.Length {
		i := a.dw
		a.dw++
		enables := dwEnables(t, i)
		if enables == 0 {
			continue
		}
		offset := t.Addr - a.base + 4*uint64(i)
		value := binary.LittleEndian.Uint32(t.Data[4*i:])
		if e.inMSIX(offset) {
			e.writeMSIX(offset-e.cfg.MSIXOffset, value, enables)
			continue
		}
		epoch := e.regs.epoch
		e.core.WriteRegister(offset, value, enables, func() {
			if epoch == e.regs.epoch {
				e.writeDW(a)
			}
		})
		return
	}
	e.regs.writes.Pop()
	a.port.Release(t)
	e.runRegisters()
}

// readDW reads the next DW, and completes the request after the last DW. A flush reads nothing.
func (e *Endpoint) readDW(a *regAccess) {
	t := a.tlp
	if t.FirstBE == 0 {
		a.value = make([]byte, 4)
	}
	for len(a.value) < 4*t.Length {
		offset := t.Addr - a.base + uint64(len(a.value))
		if e.inMSIX(offset) {
			a.value = binary.LittleEndian.AppendUint32(a.value, e.readMSIX(offset-e.cfg.MSIXOffset))
			continue
		}
		epoch := e.regs.epoch
		e.core.ReadRegister(offset, func(value uint32, status pcie.Status) {
			if epoch != e.regs.epoch {
				return
			}
			a.value = binary.LittleEndian.AppendUint32(a.value, value)
			if status != pcie.SC {
				e.complete(a, status)
				return
			}
			e.readDW(a)
		})
		return
	}
	e.complete(a, pcie.SC)
}

// complete completes a register read and starts the next access.
func (e *Endpoint) complete(a *regAccess, status pcie.Status) {
	t := a.tlp
	addr, left := t.Span()
	if status != pcie.SC {
		e.reportRefusal(status, t)
		e.port.Send(pcie.NewFailure(t, e.cfg.ID, addr, left, status), nil)
		left = 0
	}
	for left > 0 {
		n := pcie.CompletionPart(addr, left, deviceRCB, e.set.MPS, pcie.MaxSize)
		c := pcie.NewCompletion(t, e.cfg.ID, addr, left, n)
		copy(c.Bytes(), a.value[addr-t.Addr:])
		e.port.Send(c, nil)
		addr, left = addr+uint64(n), left-n
	}
	e.regs.reads.Pop()
	a.port.Release(t)
	e.runRegisters()
}

// dwEnables returns the byte enables of DW i of a request.
func dwEnables(t *pcie.TLP, i int) uint8 {
	switch {
	case i == 0:
		return t.FirstBE
	case i == t.Length-1:
		return t.LastBE
	}
	return 0xf
}
