package accel

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// loadBytes is the size of the reads of a mini-batch.
const loadBytes = 512

// load reads words into a half, a beat per cycle from the first one on.
type load struct {
	a     *Accel
	addr  uint64
	left  int // bytes to ask for
	into  []uint32
	until node.Time
	then  func()
}

func (l *load) next() (uint64, int, bool) {
	addr, n := l.addr, min(l.left, loadBytes)
	l.addr, l.left = addr+uint64(n), l.left-n
	return addr, n, n > 0
}

func (l *load) take(data []byte, e link.Error) {
	l.a.fail(e)
	if l.until == 0 {
		l.until = l.a.k.Now() + l.a.cycles(l.a.p.beats(4*len(l.into)))
	}
	for i := 0; i < len(data); i += 4 {
		l.into[i/4] = binary.LittleEndian.Uint32(data[i:])
	}
	l.into = l.into[len(data)/4:]
}

func (l *load) end() { l.a.at(max(l.until, l.a.k.Now()), l.then) }

// loadHalf brings n words from addr into a half and goes on with then, unless
// that has failed.
func (a *Accel) loadHalf(h *half, addr uint64, n int, then func()) {
	a.reads.start(&load{a: a, addr: addr, left: 4 * n, into: h.words[:n], then: func() {
		if a.failed() {
			a.finish(0)
			return
		}
		then()
	}})
}

// sweep is learn and classify: the words of n inputs are loaded and looked up.
func (a *Accel) sweep(n int) {
	c, h := a.now.cmd, &a.halves[a.now.cmd.half]
	words := n * a.slots()
	a.loadHalf(h, c.operand[0], words, func() {
		if c.opcode == driver.OpLearn {
			a.lookUp(h, words, a.eal.learn)
			a.now.values[0] = uint32(words)
			a.finish(a.k.Now() + a.cycles(a.p.learnCycles(words)))
			return
		}
		a.lookUp(h, words, a.eal.probe)
		cycles := a.p.probeCycles(words)
		a.csrs.lookups += uint32(words)
		a.csrs.lookupCycles += uint32(cycles)
		a.after(cycles, func() {
			a.classify(h, n)
			a.finish(0)
		})
	})
}

func (a *Accel) lookUp(h *half, words int, access func(id uint32) (int, bool)) {
	mask := uint32(1)<<a.p.IDBits() - 1
	slots := a.slots()
	for i, w := range h.words[:words] {
		base := uint32(a.regs[driver.RegSlot+i%slots])
		block, hit := access((base + w) & mask)
		h.results[i] = result{uint32(block), hit}
	}
}

// classify sends the bitmap of popular inputs, in whole beats, to the host and
// to each GPU's mailbox.
func (a *Accel) classify(h *half, n int) {
	slots := a.slots()
	clear(h.popular)
	popular := 0
	for i := range n {
		if allHit(h.results[i*slots : (i+1)*slots]) {
			h.popular[i/8] |= 1 << (i % 8)
			popular++
		}
	}
	a.now.values = [2]uint32{uint32(popular), uint32(n * slots)}
	bitmap := h.popular[:a.p.bitmapBytes(n)]
	a.write(a.now.cmd.operand[2], bitmap)
	for g := range a.gpus() {
		a.write(a.regs[driver.RegMailbox+g], bitmap)
	}
}

func allHit(results []result) bool {
	for _, r := range results {
		if !r.hit {
			return false
		}
	}
	return true
}
