package trial

import (
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/shell"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// CSR byte offsets.
const (
	csrID           = 0x00
	csrVersion      = 0x04
	csrCaps0        = 0x08
	csrCaps1        = 0x0C
	csrCaps2        = 0x10
	csrCaps3        = 0x14
	csrCaps4        = 0x18
	csrControl      = 0x20
	csrStatus       = 0x24
	csrSQBase       = 0x30
	csrSQBaseHigh   = 0x34
	csrSQLog2       = 0x38
	csrSQTail       = 0x3C
	csrSQHead       = 0x40
	csrCQBase       = 0x44
	csrCQBaseHigh   = 0x48
	csrCQLog2       = 0x4C
	csrCQHead       = 0x50
	csrCQTail       = 0x54
	csrError        = 0x58
	csrRowsAhead    = 0x5C
	csrLookups      = 0x60
	csrCacheHits    = 0x64
	csrLookupCycles = 0x68
	csrRowsRead     = 0x6C
	csrRowsWritten  = 0x70
	csrDropped      = 0x74
	csrHotLookups   = 0x78
	csrConflicts    = 0x7C
	csrWindowStalls = 0x80
	csrQueueStalls  = 0x84
	csrLearnCycles  = 0x88
	csrReads        = 0x8C
	csrTagStalls    = 0x90
	csrLateRows     = 0x94
	csrWriteStalls  = 0x98
	csrBytesRead    = 0xA0
	csrBytesWritten = 0xA8
)

// counters lists the counter registers whose values are not predicted exactly.
var counters = []uint32{csrHotLookups, csrConflicts, csrWindowStalls, csrQueueStalls, csrLearnCycles, csrReads, csrTagStalls, csrLateRows, csrWriteStalls,
	csrBytesRead, csrBytesRead + 4, csrBytesWritten, csrBytesWritten + 4}

// Bits of control and status.
const (
	enable = 1
	reset  = 2

	busy    = 1
	ready   = 2
	halted  = 4
	overrun = 8
	noRings = 16
)

const allBytes = 0xF

// masks contains the implemented bits of the writable registers.
var masks = map[uint32]uint32{
	csrControl: enable, csrSQBase: ^uint32(63), csrSQBaseHigh: ^uint32(0), csrSQLog2: 15, csrSQTail: 0xFFFF,
	csrCQBase: ^uint32(31), csrCQBaseHigh: ^uint32(0), csrCQLog2: 15, csrCQHead: 0xFFFF,
}

var readOnly = append([]uint32{csrID, csrVersion, csrCaps0, csrCaps1, csrCaps2, csrCaps3, csrCaps4, csrStatus, csrSQHead, csrCQTail, csrError, csrRowsAhead,
	csrLookups, csrCacheHits, csrLookupCycles, csrRowsRead, csrRowsWritten, csrDropped}, counters...)

// constants returns the values of the registers that never change.
func constants(p arch.Params) map[uint32]uint32 {
	log2 := func(n int) uint32 { return uint32(arch.Log2(n)) }
	return map[uint32]uint32{
		csrID: 0x484F544C, csrVersion: 0x0002_0004,
		csrCaps0: log2(p.Engines) | log2(p.Banks)<<8 | log2(p.Blocks)<<16 | log2(p.Ways)<<24,
		csrCaps1: uint32(p.StreamBytes() | p.Tags<<16),
		csrCaps2: uint32(p.HalfWords()),
		csrCaps3: uint32(p.Slots | p.Tables<<16),
		csrCaps4: uint32(p.IDBits() | p.GPUs<<8 | p.VectorValues<<16),
	}
}

func (d *driver) write(addr, v uint32) {
	d.await(d.startWrite(addr, v, allBytes), shell.Okay)
}

func (d *driver) startWrite(addr, v, strobe uint32) *shell.Access {
	for !d.Idle(true) {
		d.cycle()
	}
	return d.StartWrite(addr, v, strobe)
}

func (d *driver) read(addr uint32) uint32 {
	for !d.Idle(false) {
		d.cycle()
	}
	a := d.StartRead(addr)
	d.await(a, shell.Okay)
	return a.Data
}

func (d *driver) await(a *shell.Access, answer int) {
	for !a.Done {
		d.cycle()
	}
	d.answered(a, answer)
}

func (d *driver) answered(a *shell.Access, answer int) {
	if a.Answer != answer {
		d.Failf("access of register %03x, strobes %x: answer %d, expected %d", a.Addr, a.Strobe, a.Answer, answer)
	}
}

func (d *driver) expect(addr, want uint32, when string) {
	if got := d.read(addr); got != want {
		d.Failf("register %02x is %#x %s, expected %#x", addr, got, when, want)
	}
}

// noise performs register accesses in addition to the driver's accesses.
type noise struct {
	*driver
	constants   map[uint32]uint32
	read, write *shell.Access
	readAnswer  int
	off         bool
	seen        [2]uint32 // numbers of commands fetched and completed when the read began
}

// illegal returns an address without a register.
func illegal(r *rand.Rand, write bool) uint32 {
	for {
		a := r.Uint32N(0x80)
		if r.IntN(4) == 0 {
			a = r.Uint32N(0x1000)
		}
		_, rw := masks[a]
		if !rw && (write || !slices.Contains(readOnly, a)) {
			return a
		}
	}
}

// step evaluates the accesses that have been answered and starts new ones.
func (n *noise) step() {
	if n.read != nil && n.read.Done {
		n.check()
		n.read = nil
	}
	if n.write != nil && n.write.Done {
		n.answered(n.write, shell.SlaveErr)
		n.write = nil
	}
	if n.off {
		return
	}
	switch r := n.rng; r.IntN(400) {
	case 0:
		if n.Idle(false) {
			addr := illegal(r, false)
			n.readAnswer = shell.SlaveErr
			if r.IntN(3) > 0 {
				addr, n.readAnswer = readOnly[r.IntN(len(readOnly))], shell.Okay
			}
			n.seen = [2]uint32{n.fetched, n.completed}
			n.read = n.StartRead(addr)
		}
	case 1:
		if !n.Idle(true) {
			break
		}
		addr, strobe := illegal(r, true), r.Uint32N(16)
		if r.IntN(2) == 0 { // a writable register, but with partial strobes
			addr, strobe = writable[r.IntN(len(writable))], r.Uint32N(15)
		}
		n.Result.Events["illegal register writes"]++
		n.write = n.StartWrite(addr, r.Uint32(), strobe)
	}
}

var writable = []uint32{csrControl, csrSQBase, csrSQBaseHigh, csrSQLog2, csrSQTail, csrCQBase, csrCQBaseHigh, csrCQLog2, csrCQHead}

// check checks the value of a register that was read while commands run.
func (n *noise) check() {
	a := n.read
	n.answered(a, n.readAnswer)
	if n.readAnswer != shell.Okay {
		n.Result.Events["illegal register reads"]++
		return
	}
	if want, ok := n.constants[a.Addr]; ok && a.Data != want {
		n.Failf("register %02x is %#x, expected %#x", a.Addr, a.Data, want)
	}
	if n.resetting || n.halted {
		return
	}
	within := func(low, high uint32) {
		if a.Data-low&0xFFFF > high-low || a.Data > 0xFFFF {
			n.Failf("register %02x is %d, expected one from %d to %d", a.Addr, a.Data, uint16(low), uint16(high))
		}
	}
	switch a.Addr {
	case csrSQHead:
		within(n.seen[1], n.fetched)
	case csrCQTail:
		within(n.seen[1]-min(n.seen[1], 8), n.completed)
	case csrStatus:
		if n.seen[0] != n.seen[1] && n.completed == n.seen[1] && a.Data&busy == 0 {
			n.Failf("busy is 0, but command %d has been fetched and not completed", n.completed)
		}
	case csrRowsAhead:
		if int(a.Data) > n.p.Tags {
			n.Failf("%d rows are ahead", a.Data)
		}
	}
}
