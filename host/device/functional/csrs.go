package functional

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/isa"
)

// csrs contains the control and status registers.
type csrs struct {
	stored map[uint64]uint32
	ready  int64 // edge at which the EAL has been cleared after a reset

	lookups, cacheHits, hotLookups, lookupCycles, learnCycles uint32
	conflicts, windowStalls, queueStalls                      uint32
	rowsRead, rowsWritten, lateRows, tagStalls, writeStalls   uint32
	mostReads                                                 uint32
	bytesRead, bytesWritten                                   wide
}

// wide is a 64-bit counter that is read as two words. Reading the low word latches the high word.
type wide struct {
	n    uint64
	held uint32
}

func (w *wide) low() uint32 {
	w.held = uint32(w.n >> 32)
	return uint32(w.n)
}

// writable contains the writable bits of each register, by offset.
var writable = arch.CSRMap.Stored()

// rings returns the configuration of the command and completion rings.
func (c *csrs) rings() (commands, completions isa.Ring) {
	ring := func(lo, hi, log2, index uint64) isa.Ring {
		return isa.Ring{Base: uint64(c.stored[hi])<<32 | uint64(c.stored[lo]), Log2: int(c.stored[log2]), Index: uint16(c.stored[index])}
	}
	return ring(arch.CSRSQBaseLo, arch.CSRSQBaseHi, arch.CSRSQLog2, arch.CSRSQTail), ring(arch.CSRCQBaseLo, arch.CSRCQBaseHi, arch.CSRCQLog2, arch.CSRCQHead)
}

// ringsGiven reports whether all words of both ring bases were written since the reset.
func (c *csrs) ringsGiven() bool {
	for _, offset := range []uint64{arch.CSRSQBaseLo, arch.CSRSQBaseHi, arch.CSRCQBaseLo, arch.CSRCQBaseHi} {
		if _, written := c.stored[offset]; !written {
			return false
		}
	}
	return true
}

// after runs f when a bus access completes, cycles cycles from now. A reset by the driver does not
// cancel it, a function-level reset does.
func (a *Accel) after(cycles int64, f func()) {
	a.k.At(des.Time(a.edge()+cycles)*a.period, a.unlessReset(f))
}

// ReadRegister implements link.Core.
func (a *Accel) ReadRegister(offset uint64, reply func(uint32, pcie.Status)) {
	a.after(busCycles, func() { reply(a.register(offset)) })
}

// register returns the value of a register.
func (a *Accel) register(offset uint64) (uint32, pcie.Status) {
	if offset == arch.CSRControl && a.resetting {
		return 1 << arch.ControlResetBit, pcie.SC
	}
	if _, ok := writable[offset]; ok {
		return a.csrs.stored[offset], pcie.SC
	}
	if v, ok := a.readOnly(offset); ok {
		return v, pcie.SC
	}
	return 0, pcie.UR
}

func (a *Accel) readOnly(offset uint64) (uint32, bool) {
	c, caps := &a.csrs, a.p.Geometry().Caps()
	switch offset {
	case arch.CSRID:
		return arch.ID, true
	case arch.CSRVersion:
		return arch.Version, true
	case arch.CSRCaps0:
		return caps[0], true
	case arch.CSRCaps1:
		return caps[1], true
	case arch.CSRCaps2:
		return caps[2], true
	case arch.CSRCaps3:
		return caps[3], true
	case arch.CSRCaps4:
		return caps[4], true
	case arch.CSRStatus:
		return a.status(), true
	case arch.CSRSQHead:
		return uint32(a.model.ISA.Head()), true
	case arch.CSRCQTail:
		return uint32(a.model.ISA.Tail()), true
	case arch.CSRError:
		return uint32(a.ring.halted), true
	case arch.CSRRowsAhead:
		return uint32(a.model.Dispatch.RowsAhead), true
	case arch.CSRDropped:
		return uint32(a.model.Reads.Dropped()), true
	case arch.CSRLookups:
		return c.lookups, true
	case arch.CSRCacheHits:
		return c.cacheHits, true
	case arch.CSRLookupCycles:
		return c.lookupCycles, true
	case arch.CSRRowsRead:
		return c.rowsRead, true
	case arch.CSRRowsWritten:
		return c.rowsWritten, true
	}
	return a.counter(offset)
}

// counter returns the value of a counter introduced in register map 2.3.
func (a *Accel) counter(offset uint64) (uint32, bool) {
	c := &a.csrs
	switch offset {
	case arch.CSRHotLookups:
		return c.hotLookups, true
	case arch.CSRConflicts:
		return c.conflicts, true
	case arch.CSRWindowStalls:
		return c.windowStalls, true
	case arch.CSRQueueStalls:
		return c.queueStalls, true
	case arch.CSRLearnCycles:
		return c.learnCycles, true
	case arch.CSRReadsInFlight:
		return c.mostReads<<16 | uint32(a.reads.inFlight()), true
	case arch.CSRTagStalls:
		return c.tagStalls, true
	case arch.CSRLateRows:
		return c.lateRows, true
	case arch.CSRWriteStalls:
		return c.writeStalls, true
	case arch.CSRBytesReadLo:
		return c.bytesRead.low(), true
	case arch.CSRBytesReadHi:
		return c.bytesRead.held, true
	case arch.CSRBytesWrittenLo:
		return c.bytesWritten.low(), true
	case arch.CSRBytesWrittenHi:
		return c.bytesWritten.held, true
	}
	return 0, false
}

func (a *Accel) status() (bits uint32) {
	set := func(bit int, on bool) {
		if on {
			bits |= 1 << bit
		}
	}
	halted := a.ring.halted != link.OK
	set(arch.StatusBusyBit, (a.now.busy || a.ring.ahead > 0) && !halted)
	set(arch.StatusReadyBit, a.edge() >= a.csrs.ready)
	set(arch.StatusHaltedBit, halted)
	set(arch.StatusOverrunBit, a.model.ISA.Overrun())
	set(arch.StatusNoRingsBit, a.model.ISA.NoRings())
	return bits
}

// WriteRegister implements link.Core. It ignores writes of partial words.
func (a *Accel) WriteRegister(offset uint64, value uint32, enables uint8, done func()) {
	a.after(busCycles, func() {
		if mask, ok := writable[offset]; ok && enables == 0xf && !a.resetting {
			a.csrs.stored[offset] = value & mask
			a.resetting = offset == arch.CSRControl && value>>arch.ControlResetBit&1 != 0
			a.model.ISA.Enable = a.csrs.stored[arch.CSRControl]>>arch.ControlEnableBit&1 != 0
			a.model.ISA.Commands, a.model.ISA.Completions = a.csrs.rings()
			a.model.ISA.RingsGiven = a.csrs.ringsGiven()
			a.fetch()
			a.post()
			a.resetIfIdle()
		}
		done()
	})
}
