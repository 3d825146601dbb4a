package functional

import (
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
)

// writes models the write engine. It sends packets in order, one beat per cycle, while the shell
// accepts them.
type writes struct {
	a      *Accel
	under  int           // number of packets not yet sent on the link
	left   int64         // edge at which the engine knows that the latest packet was sent
	free   int64         // edge at which the stream of write data becomes free
	failed arch.DMAError // error of the first failed write
	due    int64         // edge at which a packet was ready but not accepted; 0 if none

	packets []packet
	at      int // index of the next packet

	leaving []dispatch.Write // packets on the way to the link, each with its own edge
	first   int              // index of the oldest packet in leaving
	leave   planned          // event at the edge of a packet
	last    planned          // event after the reads of the same edge, as in the shell
}

func newWrites(a *Accel) writes {
	w := &a.writes
	return writes{a: a, leave: a.plan(func() { w.last.at(a.edge()) }), last: a.plan(func() { w.hand() })}
}

// packet is a packet from the dispatcher. cycles is the time from the last beat of the previous
// packet to its last beat.
type packet struct {
	dispatch.Write
	cycles int64
}

// queue replaces the queued packets by the packets of a command.
func (w *writes) queue(list []dispatch.Write, cycles []int64) {
	w.packets, w.at = w.packets[:0], 0
	for i, p := range list {
		w.packets = append(w.packets, packet{p, cycles[i]})
	}
	w.free = max(w.free, w.a.edge())
	w.run()
}

func (w *writes) busy() bool { return w.under > 0 || w.at < len(w.packets) }

// room reports whether the shell accepts the next packet, which is ready at an edge.
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

// run sends queued packets.
func (w *writes) run() {
	for w.at < len(w.packets) && w.room(w.free+w.packets[w.at].cycles) {
		p := w.packets[w.at]
		w.at++
		w.free = max(w.free, w.a.edge()-p.cycles) + p.cycles
		w.send(w.free, p.Addr, p.Data)
	}
}

// send schedules the handover of a packet to the link at an edge. Packets keep their order.
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

// end records that a packet was sent.
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
