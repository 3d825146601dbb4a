package dma

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// writeHarness connects a Write to a Target, which checks the rules of the boundary, and holds the
// packets that it must send.
type writeHarness struct {
	*bench.Bench
	p         arch.Params
	io        WritePorts
	target    *Target
	memory    Pages
	pkt, data *bench.Source
	desc, out *bench.Sink
	stray     float64
	packets   []packet // not yet issued
	written   []packet
	issued    int
	moved     uint64 // bytes of the descriptor that was accepted in the previous cycle
	waited    bool   // a descriptor was not accepted in the previous cycle
}

type packet struct {
	addr uint64
	data []byte
	code arch.DMAError // error with which the target will finish it
}

func newWriteHarness(d *ir.Design, p arch.Params, seed uint64) (*writeHarness, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	w := &writeHarness{
		Bench: b, p: p, memory: Pages{},
		io:   sim.Bind[WritePorts](b.Sim, write(p)),
		pkt:  bench.PushOf[Packet](b, "pkt", p),
		data: bench.PushOf[DataBeat](b, "data", p),
		desc: bench.PopOf[WriteDesc](b, writeDesc, p),
		out: b.Sink(writeData+"_tvalid", writeData+"_tready",
			writeData+"_tdata", writeData+"_tkeep", writeData+"_tid", writeData+"_tlast"),
	}
	w.target = NewTarget(w.memory, p.StreamBytes(), 20, seed)
	w.target.Fault = func(Descriptor) Fault { return Fault{Error: w.packets[0].code} }
	return w, nil
}

// send queues a packet. In all beats but the last, the keep bits are random because they must be
// ignored.
func (w *writeHarness) send(q packet) {
	w.packets = append(w.packets, q)
	w.pkt.Send(0, bench.Item{q.addr, uint64(len(q.data))})
	n := w.p.StreamBytes()
	for rest := q.data; len(rest) > 0; {
		beat := make([]byte, n)
		k := copy(beat, rest)
		rest = rest[k:]
		keep := w.Rand.Uint64() & (^uint64(0) >> (64 - n))
		if len(rest) == 0 {
			keep = ^uint64(0) >> (64 - k)
		}
		w.data.Send(0, append(bench.Item{bench.Bit(len(rest) == 0), keep}, WordsOf(beat)...))
	}
}

// cycle runs one clock cycle and forwards the outputs to the target.
func (w *writeHarness) cycle() error {
	w.target.Tick()
	status, ok := w.target.WriteStatus()
	if tag := w.Rand.IntN(w.p.Tags); !ok && w.Rand.Float64() < w.stray && w.free(tag) {
		status, ok = TagStatus{tag, 3}, true
	}
	w.setStatus(status, ok)
	if err := w.Cycle(w.look); err != nil {
		return err
	}
	for _, it := range w.desc.Got[0] {
		if err := w.take(Descriptor{Addr: it[0], Len: int(it[1]), Tag: int(it[2])}); err != nil {
			return err
		}
	}
	n := w.p.StreamBits / 64
	for _, it := range w.out.Got[0] {
		if err := w.target.TakeData(WriteBeat{Data: it[:n], Keep: it[n], Tag: int(it[n+1]), Last: it[n+2] != 0}); err != nil {
			return err
		}
	}
	w.desc.Got[0], w.out.Got[0] = nil, nil
	return nil
}

// setStatus drives the status of the boundary.
func (w *writeHarness) setStatus(s TagStatus, valid bool) {
	w.io.Status.Valid.Poke(bench.Bit(valid))
	w.io.Status.Data.Tag.Poke(uint64(s.Tag))
	w.io.Status.Data.Error.Poke(s.Error)
}

// free reports whether a tag is not outstanding and its descriptor is not offered.
func (w *writeHarness) free(tag int) bool {
	has := func(j *writeJob) bool { return j.Tag == tag }
	offered := w.io.Desc.Valid.Peek() != 0 && w.io.Desc.Data.Tag.Peek() == uint64(tag)
	return !offered && !slices.ContainsFunc(w.target.writes, has) && !slices.ContainsFunc(w.target.written, has)
}

// take passes a descriptor to the target.
func (w *writeHarness) take(d Descriptor) error {
	if len(w.packets) == 0 {
		return fmt.Errorf("descriptor %+v without a packet", d)
	}
	q := w.packets[0]
	if want := (Descriptor{Addr: q.addr, Len: len(q.data), Tag: w.issued % w.p.Tags}); d != want {
		return fmt.Errorf("descriptor %+v, want %+v", d, want)
	}
	err := w.target.TakeWrite(d)
	w.issued++
	w.packets, w.written = w.packets[1:], append(w.written, q)
	return err
}

func (w *writeHarness) look() error {
	if got := w.io.Sent.Peek(); got != w.moved {
		return fmt.Errorf("%d bytes sent, want %d", got, w.moved)
	}
	valid, ready := w.io.Desc.Valid.Peek() != 0, w.io.Desc.Ready.Peek() != 0
	if stalled, waits := w.io.Stalled.Peek() != 0, valid && !ready; stalled != (waits && !w.waited) {
		return fmt.Errorf("a descriptor waits: %v, and did before: %v; stalled: %v", waits, w.waited, stalled)
	}
	w.moved, w.waited = 0, valid && !ready
	if valid && ready {
		w.moved = w.io.Desc.Data.Len.Peek()
	}
	if w.io.Pending.Peek() == 0 && !w.target.Idle() {
		return errors.New("not pending with packets outstanding")
	}
	return nil
}

// run cycles until all traffic has finished, and a few cycles more. Then it compares the memory and
// the error, and clears the error.
func (w *writeHarness) run(limit int) error {
	for n := 0; len(w.packets) > 0 || !w.target.Idle(); n++ {
		if n == limit {
			return fmt.Errorf("not done after %d cycles: %d packets wait", limit, len(w.packets))
		}
		if err := w.cycle(); err != nil {
			return err
		}
	}
	for range w.p.Tags + 5 {
		if err := w.cycle(); err != nil {
			return err
		}
	}
	code := arch.DMAOK
	for _, q := range w.written {
		got := make([]byte, len(q.data))
		w.memory.ReadAt(q.addr, got)
		if q.code == 0 && !bytes.Equal(got, q.data) {
			return fmt.Errorf("packet at %#x is wrong in memory", q.addr)
		}
		if code == 0 {
			code = q.code
		}
	}
	switch {
	case w.io.Pending.Peek() != 0:
		return errors.New("still pending at the end")
	case w.io.Error.Peek() != code:
		return fmt.Errorf("error is %d, want %d", w.io.Error.Peek(), code)
	}
	w.written = nil
	return w.clear()
}

func (w *writeHarness) clear() error {
	w.io.Clear.Poke(1)
	err := w.cycle()
	w.io.Clear.Poke(0)
	return err
}

// randomPacket returns a packet with random content and address.
func (w *writeHarness) randomPacket() packet {
	longest := 64
	if w.Rand.IntN(20) == 0 {
		longest = MaxBytes / 4
	}
	n := 4 * (1 + w.Rand.IntN(longest))
	if w.Rand.IntN(20) == 0 {
		n = 4 * longest
	}
	q := packet{addr: w.Rand.Uint64() &^ 3, data: make([]byte, n)}
	for i := range q.data {
		q.data[i] = byte(w.Rand.Uint32())
	}
	if w.Rand.IntN(10) == 0 {
		q.code = arch.DMAError(1 + w.Rand.IntN(15))
	}
	return q
}

// randomWrites drives a Write with random packets, delays and faults.
func randomWrites(d *ir.Design, p arch.Params, seed uint64, packets int) error {
	w, err := newWriteHarness(d, p, seed)
	if err != nil {
		return err
	}
	for batch := range packets / 20 {
		w.pkt.Rate, w.data.Rate, w.desc.Rate, w.out.Rate = rate(w.Rand), rate(w.Rand), rate(w.Rand), rate(w.Rand)
		w.target.Delay, w.target.Rate, w.stray = []int{0, 3, 20, 100}[batch%4], rate(w.Rand), 0.1
		for range 20 {
			w.send(w.randomPacket())
		}
		if err := w.run(10000); err != nil {
			return err
		}
	}
	return nil
}
