package wrap

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// writeHarness connects an axiWrite to a Slave.
type writeHarness struct {
	*bench.Bench
	*busModel
	p          axiWrite
	io         axiWritePorts
	desc, data *bench.Source
	memory     dma.Pages
	want       dma.Pages // expected memory at the end
	jobs       map[int]arch.DMAError
	queue      [][]bench.Item // data of descriptors that are not yet accepted
	taken      int
	faults     bool
}

func newWriteHarness(d *ir.Design, p axiWrite, seed uint64) (*writeHarness, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	r := &writeHarness{Bench: b, p: p, io: sim.Bind[axiWritePorts](b.Sim, p), jobs: map[int]arch.DMAError{}, memory: dma.Pages{}, want: dma.Pages{},
		desc: bench.PushOf[dma.WriteDesc](b, "desc", p),
		data: b.Source("data_tvalid", "data_tready", prefixed("data_t", "data", "keep", "id", "last")...)}
	r.busModel = newBusModel(b, newSlave(r.memory, p.StreamBytes(), 20, seed))
	r.Resp = r.resp
	return r, nil
}

// resp returns an error for some pages.
func (r *writeHarness) resp(addr uint64) uint {
	if x := addr >> pageBits * 0x9e3779b97f4a7c15; r.faults && x>>60 < 6 {
		return uint(x >> 50 & 3)
	}
	return 0
}

// send queues a descriptor with a free tag, and its data.
func (r *writeHarness) send(tag int, addr uint64, n int) {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(r.Rand.Uint32())
	}
	r.want.WriteAt(addr, p)
	for _, at := range []uint64{addr, addr + uint64(n) - 1} { // the second burst begins at a page boundary
		resp := r.resp(max(addr, at>>pageBits<<pageBits))
		if r.jobs[tag] == 0 {
			r.jobs[tag] = 0
			if resp >= 2 {
				r.jobs[tag] = arch.DMAError(4 + resp)
			}
		}
	}
	r.desc.Send(0, bench.Item{addr, uint64(n), uint64(tag)})
	r.queue = append(r.queue, beatsOf(p, r.p.StreamBytes(), uint64(tag)))
}

// cycle runs one clock cycle. Data follows its descriptor.
func (r *writeHarness) cycle() error {
	r.Give()
	err := r.Cycle(r.look)
	for ; r.taken < r.desc.Sent(); r.taken++ {
		for _, it := range r.queue[0] {
			r.data.Send(0, it)
		}
		r.queue = r.queue[1:]
	}
	return errors.Join(err, r.Take())
}

func (r *writeHarness) look() error {
	if r.io.Status.Valid.Peek() == 0 {
		return nil
	}
	tag := int(r.io.Status.Data.Tag.Peek())
	want, ok := r.jobs[tag]
	if got := r.io.Status.Data.Error.Peek(); !ok || got != want {
		return fmt.Errorf("tag %d: status %d, want %d (%v)", tag, got, want, ok)
	}
	delete(r.jobs, tag)
	return nil
}

// run cycles until all descriptors have ended, and compares the memories.
func (r *writeHarness) run(limit int) error {
	for n := 0; len(r.jobs) > 0; n++ {
		if n == limit {
			return fmt.Errorf("not over after %d cycles: %d descriptors", limit, len(r.jobs))
		}
		if err := r.cycle(); err != nil {
			return err
		}
	}
	for range 5 {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if !r.Idle() {
		return errors.New("bursts are under way at the end")
	}
	for page, want := range r.want {
		if got := r.memory[page]; got == nil || !bytes.Equal(got[:], want[:]) {
			return fmt.Errorf("page %#x is wrong", page)
		}
	}
	if len(r.memory) != len(r.want) {
		return fmt.Errorf("%d pages are written, want %d", len(r.memory), len(r.want))
	}
	return nil
}

// randomWrites drives random descriptors through random delays and stalls.
func randomWrites(d *ir.Design, p axiWrite, seed uint64, writes int) error {
	r, err := newWriteHarness(d, p, seed)
	if err != nil {
		return err
	}
	for batch := range writes / 40 {
		r.desc.Rate, r.data.Rate, r.B.Rate = rate(r.Bench), rate(r.Bench), rate(r.Bench)
		r.AW.Rate, r.W.Rate, r.Lazy = rate(r.Bench), rate(r.Bench), batch%3 == 2
		r.Delay, r.faults = []int{0, 3, 20, 200}[batch%4], batch%2 == 1
		for range 40 {
			tag := r.Rand.IntN(p.Tags)
			for n := 0; ; n++ {
				if _, busy := r.jobs[tag]; !busy {
					break
				}
				if n == 20000 {
					return fmt.Errorf("tag %d is not over", tag)
				}
				if err := r.cycle(); err != nil {
					return err
				}
			}
			addr, n := place(r.Bench, p.StreamBytes())
			r.send(tag, addr, n)
		}
		if err := r.run(20000); err != nil {
			return err
		}
	}
	return nil
}

// writesFlow requires a beat per cycle, also for split and shifted descriptors. Shifted descriptors
// have one more beat on the bus.
func writesFlow(d *ir.Design, p axiWrite) error {
	for _, shift := range []uint64{0, 4} {
		r, err := newWriteHarness(d, p, 1)
		if err != nil {
			return err
		}
		r.Delay = 0
		beats := 0
		for tag := range p.Tags {
			r.send(tag, uint64(tag)<<20+2048+shift, 4096)
			beats += 4096/p.StreamBytes() + int(shift/4)
		}
		for range beats + 20 {
			if err := r.cycle(); err != nil {
				return err
			}
		}
		if len(r.jobs) > 0 {
			return fmt.Errorf("%d descriptors are not over in %d cycles", len(r.jobs), beats+20)
		}
	}
	return nil
}

func TestWrites(t *testing.T) {
	for _, p := range []axiWrite{{tiny()}, {arch.Paper().Link()}} {
		d, err := hw.Elaborate(p)
		require.NoError(t, err)
		for seed := range uint64(2) {
			require.NoError(t, randomWrites(d, p, seed, 80), "%+v, seed %d", p, seed)
		}
		require.NoError(t, writesFlow(d, p))
	}
}

func TestFaultsOfWritesAreCaught(t *testing.T) {
	p := axiWrite{tiny()}
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	found := survivors(t, d, 50, func() error {
		for seed := range uint64(6) {
			if err := randomWrites(d, p, seed, 120); err != nil {
				return err
			}
		}
		return writesFlow(d, p)
	})
	// A shift is less than a beat, so the first word before the beat is never used.
	found = without(found, "constant off by one at cutter.go:54")
	require.Empty(t, found)
}
