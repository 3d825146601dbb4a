package top

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

const merged = 3 // number of merged streams

func rates(b *bench.Bench, sources []*bench.Source, sinks ...*bench.Sink) {
	for _, s := range sources {
		s.Rate = 0.1 + 0.9*b.Rand.Float64()
	}
	for _, s := range sinks {
		s.Rate = []float64{1, 0.6, 0.2}[b.Rand.IntN(3)]
	}
}

// tagged returns a random item. Field at contains an address, whose low byte is the number of the
// source.
func tagged(s *bench.Source, source, at int) bench.Item {
	it := s.Random()
	it[at] = it[at]&^0xff | uint64(source)
	return it
}

// checkReads merges requests. All must arrive, requests of one source in order. bench.Sink checks
// that waiting requests are stable.
func checkReads(d *ir.Design, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	sources, out := make([]*bench.Source, merged), bench.PopOf[dma.Request](b, "request", nil)
	for i := range sources {
		sources[i] = bench.PushOf[dma.Request](b, fmt.Sprintf("request_%d", i), nil)
	}
	for round := range 10 {
		rates(b, sources, out)
		sent := make([][]bench.Item, merged)
		for k := range 30 {
			i := k % merged
			if round < merged {
				i = round // a single source
			}
			sent[i] = append(sent[i], tagged(sources[i], i, 1))
			sources[i].Send(0, sent[i][len(sent[i])-1])
		}
		if err := b.Drain(30, 2000); err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
		for _, it := range out.Got[0] {
			i := int(it[1] & 0xff)
			if i >= merged || len(sent[i]) == 0 || !slices.Equal(it, sent[i][0]) {
				return fmt.Errorf("request %x is not the next of its source", it)
			}
			sent[i] = sent[i][1:]
		}
		out.Got[0] = nil
	}
	return rest(b)
}

// rest checks that no register changes.
func rest(b *bench.Bench) error {
	for range 2 {
		if err := b.Sim.Step(); err != nil {
			return err
		}
	}
	if !b.Sim.Quiet() {
		return fmt.Errorf("registers change while nothing arrives")
	}
	return nil
}

// packet is a packet of a source with its data.
type packet struct {
	header bench.Item
	beats  []bench.Item
}

// checkWrites merges packets. Their data must follow in the same order, and a source's packets may
// only pass while no data of another source is owed.
func checkWrites(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	w := writing{Bench: b, packet: bench.PopOf[dma.Packet](b, "packet", p), data: bench.PopOf[dma.DataBeat](b, "data", p), sent: make([][]packet, merged)}
	for i := range merged {
		w.packets = append(w.packets, bench.PushOf[dma.Packet](b, fmt.Sprintf("packet_%d", i), p))
		w.beats = append(w.beats, bench.PushOf[dma.DataBeat](b, fmt.Sprintf("data_%d", i), p))
	}
	for round := range 10 {
		rates(b, append(w.packets, w.beats...), w.packet, w.data)
		for k := range 12 {
			i := k % merged
			if round < merged {
				i = round // a single source
			}
			w.send(i, 1+b.Rand.IntN(5))
		}
		for n := 0; w.left() > 0; n++ {
			if n > 5000 {
				return fmt.Errorf("%d packets have not arrived", w.left())
			}
			if err := w.cycle(); err != nil {
				return err
			}
		}
	}
	return errors.Join(rest(b), w.hurry())
}

// hurry sends packets of one beat, one per cycle. Then it sends packets whose data is blocked: as
// many must pass as may be ahead of their data, and none of another source.
func (w *writing) hurry() error {
	const n = 40
	for _, s := range append(w.packets, w.beats...) {
		s.Rate = 1
	}
	w.packet.Rate, w.data.Rate = 1, 1
	for range n {
		w.send(merged-1, 1)
	}
	start := w.Sim.Cycle()
	for w.left() > 0 {
		if err := w.some(1); err != nil {
			return err
		}
	}
	if cycles := int(w.Sim.Cycle() - start); cycles > n+2 {
		return fmt.Errorf("%d packets of a beat take %d cycles", n, cycles)
	}
	w.data.Rate = 0
	for range n {
		w.send(merged-1, 1)
	}
	if err := w.some(n); err != nil {
		return err
	}
	if w.owed != packetsAhead {
		return fmt.Errorf("%d packets pass without data, want %d", w.owed, packetsAhead)
	}
	first := w.packets[0].Sent()
	w.send(0, 1)
	w.data.Rate = 0.2
	passed := w.packets[merged-1].Sent()
	for w.packets[0].Sent() == first {
		if err := w.some(1); err != nil {
			return err
		}
	}
	if more := w.packets[merged-1].Sent() - passed; more > 1 {
		return fmt.Errorf("%d packets pass while an earlier source has one", more)
	}
	return nil
}

// some runs n cycles.
func (w *writing) some(n int) error {
	for range n {
		if err := w.cycle(); err != nil {
			return err
		}
	}
	return nil
}

// writing is a WriteMerge with the packets that were sent through it.
type writing struct {
	*bench.Bench
	packets, beats []*bench.Source
	packet, data   *bench.Sink
	sent           [][]packet
	owner, owed    int // source of the latest packets; number of its packets whose data has not passed
}

// send queues a packet.
func (w *writing) send(source, beats int) {
	q := packet{header: tagged(w.packets[source], source, 0)}
	w.packets[source].Send(0, q.header)
	for k := range beats {
		it := w.beats[source].Random()
		it[0] = 0 // not the last beat
		if k == beats-1 {
			it[0] = 1
		}
		q.beats = append(q.beats, it)
		w.beats[source].Send(0, it)
	}
	w.sent[source] = append(w.sent[source], q)
}

func (w *writing) left() (n int) {
	for _, q := range w.sent {
		n += len(q)
	}
	return n
}

func (w *writing) cycle() error {
	if err := w.Cycle(); err != nil {
		return err
	}
	for _, it := range w.data.Got[0] {
		if w.owed == 0 {
			return fmt.Errorf("data %x between packets", it)
		}
		q := &w.sent[w.owner][0]
		if !slices.Equal(it, q.beats[0]) {
			return fmt.Errorf("data %x, want the first of %x", it, q.beats)
		}
		if q.beats = q.beats[1:]; len(q.beats) == 0 {
			w.sent[w.owner] = w.sent[w.owner][1:]
			w.owed--
		}
	}
	for _, it := range w.packet.Got[0] {
		i := int(it[0] & 0xff)
		if w.owed > 0 && i != w.owner || w.owed == packetsAhead || i >= merged || len(w.sent[i]) <= w.owed || !slices.Equal(it, w.sent[i][w.owed].header) {
			return fmt.Errorf("packet %x is not the next of its source, or data of source %d is missing", it, w.owner)
		}
		w.owner = i
		w.owed++
	}
	w.data.Got[0], w.packet.Got[0] = nil, nil
	return nil
}

func TestMerges(t *testing.T) {
	reads, err := hw.Elaborate(ReadMerge{N: merged})
	require.NoError(t, err)
	for seed := range uint64(5) {
		require.NoError(t, checkReads(reads, seed))
	}
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		writes, err := hw.Elaborate(WriteMerge{Stream: p.Stream(), N: merged})
		require.NoError(t, err)
		for seed := range uint64(5) {
			require.NoError(t, checkWrites(writes, p, seed))
		}
	}
}

func TestBrokenMergesAreNoticed(t *testing.T) {
	reads, err := hw.Elaborate(ReadMerge{N: merged})
	require.NoError(t, err)
	survivors, tried := bench.Survivors(reads, func() error { return checkReads(reads, 1) })
	require.Empty(t, survivors)
	require.Greater(t, tried, 10)

	p := arch.Small()
	writes, err := hw.Elaborate(WriteMerge{Stream: p.Stream(), N: merged})
	require.NoError(t, err)
	survivors, tried = bench.Survivors(writes, func() error { return checkWrites(writes, p, 1) })
	require.Empty(t, survivors)
	require.Greater(t, tried, 20)
}
