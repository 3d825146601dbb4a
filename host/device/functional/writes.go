package functional

import (
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
)

// writes is the write engine: packets one after the other, a beat a cycle, as
// long as the shell takes them.
type writes struct {
	a      *Accel
	under  int           // packets that have not left for the link
	left   int64         // edge at which the engine knows that the latest has
	free   int64         // edge at which the stream of write data is free
	failed arch.DMAError // first write that failed
	due    int64         // edge at which a packet was ready for which there was no room; 0 if none was

	packets []packet
	at      int // the next of them

	leaving []dispatch.Write // packets that are handed to the link, each at its edge
	first   int              // the oldest of them
	leave   planned          // at that edge,
	last    planned          // behind the reads of the same edge, as in the shell
}

func newWrites(a *Accel) writes {
	w := &a.writes
	return writes{a: a, leave: a.plan(func() { w.last.at(a.edge()) }), last: a.plan(func() { w.hand() })}
}

// packet is one of the dispatcher's own, and how long after the one before its
// last beat leaves.
type packet struct {
	dispatch.Write
	cycles int64
}

// queue appends the packets of a command.
func (w *writes) queue(list []dispatch.Write, cycles []int64) {
	w.packets, w.at = w.packets[:0], 0
	for i, p := range list {
		w.packets = append(w.packets, packet{p, cycles[i]})
	}
	w.free = max(w.free, w.a.edge())
	w.run()
}

func (w *writes) busy() bool { return w.under > 0 || w.at < len(w.packets) }

// room tells whether the shell takes the next packet, which is ready at an edge.
func (w *writes) room(ready int64) bool {
	if w.under >= min(link.WriteWindow, w.a.p.Tags) {
		if w.due == 0 {
			w.due = ready
		}
		return false
	}
	if w.due != 0 && w.due < w.a.edge() {
		w.a.csrs.writeStalls++
	}
	w.due = 0
	return true
}

// run sends packets that are queued.
func (w *writes) run() {
	for w.at < len(w.packets) && w.room(w.free+w.packets[w.at].cycles) {
		p := w.packets[w.at]
		w.at++
		w.free = max(w.free, w.a.edge()-p.cycles) + p.cycles
		w.send(w.free, p.Addr, p.Data)
	}
}

// send hands a packet to the link at an edge; packets do so in their order.
func (w *writes) send(edge int64, addr uint64, data []byte) {
	if w.first == len(w.leaving) {
		w.leaving, w.first = w.leaving[:0], 0
	}
	w.leaving = append(w.leaving, dispatch.Write{Addr: addr, Data: data})
	w.under++
	w.leave.at(edge)
}

// hand hands the next packet to the link.
func (w *writes) hand() {
	p := w.leaving[w.first]
	w.first++
	if !w.a.resetting {
		w.a.now.sum += arch.BeatSum(w.a.p.StreamBytes(), p.Data)
		w.a.write(dataID, p.Addr, p.Data)
	}
}

// end notes that a packet has left.
func (w *writes) end(e link.Error) {
	w.under--
	w.left = w.a.edge() + leftCycles
	if w.failed == 0 {
		w.failed = arch.DMAError(e)
	}
	if w.a.resetting {
		return
	}
	w.free = max(w.free, w.a.edge()-1)
	w.run()
	w.a.reducer.run()
	w.a.reads.issue()
}
