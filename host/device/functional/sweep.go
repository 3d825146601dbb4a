package functional

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
)

// sweep processes the words of learn and classify.
func (a *Accel) sweep(words []uint32) {
	ids, keys := lookup.IDs(a.p, words, a.model.Dispatch.Bases()), a.model.Keys(words)
	x, slots := a.engines, a.model.Dispatch.Slots
	if a.now.cmd.Opcode == arch.Learn {
		a.model.BeginLearn()
		cycles := x.sweep(ids, keys, slots, a.model.EAL)
		a.csrs.learnCycles += uint32(cycles)
		a.at(a.edge()+cycles, func() { a.run(words) })
		return
	}
	cycles := x.sweep(ids, keys, slots, nil)
	a.csrs.lookups += uint32(len(words))
	a.csrs.cacheHits += uint32(x.cached)
	a.csrs.lookupCycles += uint32(cycles)
	a.csrs.conflicts += uint32(x.conflicts)
	a.csrs.windowStalls += uint32(x.windowStalls)
	a.csrs.queueStalls += uint32(x.queueStalls)
	a.at(a.edge()+cycles+classifyCycles+a.padding(len(words)/slots), func() {
		e := a.model.Run(a.now.cmd, words, keys)
		a.now.values = e.Values
		a.csrs.hotLookups += uint32(e.Hot)
		a.writes.queue(e.Writes, a.copying(e.Writes))
		a.over()
	})
}

// copying returns the number of cycles for each packet of a bitmap.
func (a *Accel) copying(list []dispatch.Write) []int64 {
	cycles := make([]int64, len(list))
	for i, w := range list {
		cycles[i] = announceCycles + lineCycles*int64(len(w.Data)/a.p.StreamBytes())
	}
	return cycles
}

// padding returns the number of cycles for padding the last line of the bitmap of n inputs, at one
// word per cycle.
func (a *Accel) padding(n int) int64 {
	perLine, words := a.p.StreamBits/wordBits, (n+wordBits-1)/wordBits
	return int64((words+perLine-1)/perLine*perLine - words)
}
