package accel

import (
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// csrs are the control and status registers.
type csrs struct {
	stored map[uint64]uint32
	ready  node.Time // when the EAL is cleared after reset

	lookups, lookupCycles, rowsRead, rowsWritten uint32
}

// addressBits is the width of a CSR address.
const addressBits = 12

// writable are the bits of the registers that can be written.
var writable = map[uint64]uint32{
	driver.CSRControl:  1,
	driver.CSRSQBaseLo: 0xffffffc0, driver.CSRSQBaseHi: 0xffffffff, driver.CSRSQLog2: 0xf, driver.CSRSQTail: 0xffff,
	driver.CSRCQBaseLo: 0xffffffe0, driver.CSRCQBaseHi: 0xffffffff, driver.CSRCQLog2: 0xf, driver.CSRCQHead: 0xffff,
}

func (c *csrs) pair(lo, hi uint64) uint64 { return uint64(c.stored[hi])<<32 | uint64(c.stored[lo]) }

// ReadRegister implements link.Core.
func (a *Accel) ReadRegister(offset uint64, reply func(uint32, pcie.Status)) {
	offset %= 1 << addressBits
	if offset == driver.CSRControl && a.resetting {
		reply(1<<driver.ControlResetBit, pcie.SC)
		return
	}
	if _, ok := writable[offset]; ok {
		reply(a.csrs.stored[offset], pcie.SC)
		return
	}
	if v, ok := a.readOnly(offset); ok {
		reply(v, pcie.SC)
		return
	}
	reply(0, pcie.UR)
}

func (a *Accel) readOnly(offset uint64) (uint32, bool) {
	p, c := a.p, &a.csrs
	log := func(n int) uint32 { return uint32(log2(n)) }
	switch offset {
	case driver.CSRID:
		return driver.ID, true
	case driver.CSRVersion:
		return driver.Version, true
	case driver.CSRCaps0:
		return log(p.Engines) | log(p.Banks)<<8 | log(p.Blocks)<<16 | log(p.Ways)<<24, true
	case driver.CSRCaps1:
		return uint32(p.StreamBytes) | uint32(p.Tags)<<16, true
	case driver.CSRCaps2:
		return uint32(p.HalfWords()), true
	case driver.CSRCaps3:
		return uint32(p.Slots) | uint32(p.Tables)<<16, true
	case driver.CSRCaps4:
		return uint32(p.IDBits()) | uint32(p.GPUs)<<8 | uint32(p.VectorValues)<<16, true
	case driver.CSRStatus:
		return a.status(), true
	case driver.CSRSQHead:
		return uint32(a.ring.head), true
	case driver.CSRCQTail:
		return uint32(a.ring.tail), true
	case driver.CSRError:
		return uint32(a.ring.halted), true
	case driver.CSRRowsAhead:
		return uint32(a.direct.ahead), true
	case driver.CSRDropped:
		return 0, true // the endpoint drops what nothing expects
	case driver.CSRLookups:
		return c.lookups, true
	case driver.CSRCacheHits:
		return 0, true // the model has no engines and so no caches
	case driver.CSRLookupCycles:
		return c.lookupCycles, true
	case driver.CSRRowsRead:
		return c.rowsRead, true
	case driver.CSRRowsWritten:
		return c.rowsWritten, true
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
	set(driver.StatusBusyBit, (a.now.busy || a.ring.asked != a.ring.head) && !halted)
	set(driver.StatusReadyBit, a.k.Now() >= a.csrs.ready)
	set(driver.StatusHaltedBit, halted)
	set(driver.StatusOverrunBit, a.overrun())
	return bits
}

// WriteRegister implements link.Core. Only whole words are written.
func (a *Accel) WriteRegister(offset uint64, value uint32, enables uint8, done func()) {
	offset %= 1 << addressBits
	if mask, ok := writable[offset]; ok && enables == 0xf && !a.resetting {
		a.csrs.stored[offset] = value & mask
		a.resetting = offset == driver.CSRControl && value>>driver.ControlResetBit&1 != 0
		a.fetch()
		a.post()
		a.resetIfIdle()
	}
	done()
}
