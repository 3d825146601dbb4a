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

// noise is a memory with pseudo-random content.
type noise struct{}

func (noise) ReadAt(addr uint64, p []byte) {
	for i := range p {
		p[i] = byte((addr + uint64(i)) * 0x9e3779b97f4a7c15 >> 56)
	}
}

func (noise) WriteAt(uint64, []byte) {}

// readHarness connects an axiRead to a Slave.
type readHarness struct {
	*bench.Bench
	*busModel
	p    axiRead
	io   axiReadPorts
	desc *bench.Source
	data *bench.Sink
	jobs map[int]*readJob // by tag, sent but not ended
	wait []int            // tags of descriptors that are sent, but not yet accepted
	over int
	// probability of an error per beat
	faults float64
}

// readJob is a descriptor and the data that has arrived for it.
type readJob struct {
	addr  uint64
	bytes int
	got   []byte
	last  bool
}

func newReadHarness(d *ir.Design, p axiRead, seed uint64) (*readHarness, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	r := &readHarness{Bench: b, p: p, io: sim.Bind[axiReadPorts](b.Sim, p), jobs: map[int]*readJob{},
		desc: bench.PushOf[dma.ReadDesc](b, "desc", p),
		data: b.Sink("data_tvalid", "data_tready", prefixed("data_t", "data", "keep", "id", "user", "last")...)}
	r.busModel = newBusModel(b, newSlave(noise{}, p.StreamBytes(), 20, seed))
	r.Resp = r.resp
	return r, nil
}

// resp returns an error for addresses that are spread over the whole address space.
func (r *readHarness) resp(addr uint64) uint {
	x := addr / uint64(r.p.StreamBytes()) * 0x9e3779b97f4a7c15
	if float64(x>>40&0xfff)/4096 < r.faults {
		return uint(x >> 60 & 3)
	}
	return uint(x >> 63) // OKAY and EXOKAY are both success
}

// send queues a descriptor with a free tag.
func (r *readHarness) send(tag int, addr uint64, bytes int) {
	r.jobs[tag] = &readJob{addr: addr, bytes: bytes}
	r.wait = append(r.wait, tag)
	r.desc.Send(0, bench.Item{addr, uint64(bytes), uint64(tag), r.Rand.Uint64N(2)})
}

// want returns the expected data of a job, and the first error of its beats.
func (r *readHarness) want(j *readJob) (data []byte, status arch.DMAError) {
	data = make([]byte, j.bytes)
	r.Memory.ReadAt(j.addr, data)
	for at := r.First(j.addr); at < j.addr+uint64(j.bytes); at += uint64(r.p.StreamBytes()) {
		if resp := r.resp(at); resp >= 2 {
			return data, arch.DMAError(2 + resp)
		}
	}
	return data, 0
}

// cycle runs one clock cycle and compares the outputs.
func (r *readHarness) cycle() error {
	r.Give()
	err := r.Cycle(r.look)
	for _, it := range r.data.Got[0] {
		err = errors.Join(err, r.beat(it))
	}
	r.data.Got[0] = nil
	return errors.Join(err, r.Take())
}

// look checks a status, which must arrive with the last beat of its descriptor.
func (r *readHarness) look() error {
	if r.io.Status.Valid.Peek() == 0 {
		return nil
	}
	for _, it := range r.data.Got[0] {
		if err := r.beat(it); err != nil {
			return err
		}
	}
	r.data.Got[0] = nil
	tag := int(r.io.Status.Data.Tag.Peek())
	j := r.jobs[tag]
	if j == nil || !j.last {
		return fmt.Errorf("a status of tag %d: %+v", tag, j)
	}
	delete(r.jobs, tag)
	r.over++
	data, status := r.want(j)
	if got := r.io.Status.Data.Error.Peek(); got != status {
		return fmt.Errorf("%+v: status %d, want %d", *j, got, status)
	}
	if !bytes.Equal(j.got[:j.bytes], data) {
		return fmt.Errorf("%d bytes at %#x are %x, want %x", j.bytes, j.addr, j.got[:j.bytes], data)
	}
	return nil
}

// beat checks a beat of data.
func (r *readHarness) beat(it bench.Item) error {
	n := r.p.StreamBits / 64
	j := r.jobs[int(it[n+1])]
	if j == nil || j.last || it[n] != 1<<r.p.StreamBytes()-1 || it[n+2] != 0 {
		return fmt.Errorf("a beat %x of %+v", it, j)
	}
	j.got = append(j.got, dma.BytesOf(it[:n])...)
	j.last = it[n+3] == 1
	if j.last != (len(j.got) >= j.bytes) {
		return fmt.Errorf("last is %v with %d of %d bytes", j.last, len(j.got), j.bytes)
	}
	return nil
}

// run cycles until all descriptors have ended, and a few cycles more.
func (r *readHarness) run(limit int) error {
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
	return nil
}

// place returns the location of a random transfer. It is often close to a 4 KiB boundary.
func place(r *bench.Bench, beat int) (addr uint64, n int) {
	n = 4 * (1 + r.Rand.IntN([]int{3 * beat / 4, 64, 1024}[r.Rand.IntN(3)]))
	if r.Rand.IntN(20) == 0 {
		n = dma.MaxBytes
	}
	addr = r.Rand.Uint64() &^ 3
	if r.Rand.IntN(2) == 0 {
		addr = addr&^0xfff - 4*uint64(r.Rand.IntN(n/4+2))
	}
	if r.Rand.IntN(3) > 0 {
		addr &^= uint64(beat - 1)
	}
	return addr, n
}

// randomReads drives random descriptors through random delays and stalls.
func randomReads(d *ir.Design, p axiRead, seed uint64, reads int) error {
	r, err := newReadHarness(d, p, seed)
	if err != nil {
		return err
	}
	for batch := range reads / 40 {
		r.desc.Rate, r.data.Rate, r.AR.Rate, r.R.Rate = rate(r.Bench), rate(r.Bench), rate(r.Bench), rate(r.Bench)
		r.Delay, r.faults = []int{0, 3, 20, 200}[batch%4], []float64{0, 0.1}[batch%2]
		for range 40 {
			tag := r.Rand.IntN(2 * p.Tags)
			for n := 0; r.jobs[tag] != nil; n++ {
				if n == 20000 {
					return fmt.Errorf("tag %d is not over", tag)
				}
				if err := r.cycle(); err != nil {
					return err
				}
			}
			addr, bytes := place(r.Bench, p.StreamBytes())
			r.send(tag, addr, bytes)
		}
		if err := r.run(20000); err != nil {
			return err
		}
	}
	return nil
}

// readsFlow requires a beat per cycle, also for split descriptors.
func readsFlow(d *ir.Design, p axiRead) error {
	r, err := newReadHarness(d, p, 1)
	if err != nil {
		return err
	}
	r.Delay = 0
	beats := 0
	for tag := range 2 * p.Tags {
		r.send(tag, uint64(tag)<<20+2048, 4096)
		beats += 4096 / p.StreamBytes()
	}
	for range beats + 20 {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if r.over != 2*p.Tags {
		return fmt.Errorf("%d descriptors in %d cycles", r.over, beats+20)
	}
	return nil
}

func TestReads(t *testing.T) {
	for _, p := range []axiRead{{tiny()}, {arch.Paper().Link()}} {
		d, err := hw.Elaborate(p)
		require.NoError(t, err)
		for seed := range uint64(2) {
			require.NoError(t, randomReads(d, p, seed, 80), "%+v, seed %d", p, seed)
		}
		require.NoError(t, readsFlow(d, p))
	}
}

func TestFaultsOfReadsAreCaught(t *testing.T) {
	p := axiRead{tiny()}
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	found := survivors(t, d, 50, func() error {
		for seed := range uint64(4) {
			if err := randomReads(d, p, seed, 120); err != nil {
				return err
			}
		}
		return readsFlow(d, p)
	})
	// Reads use neither the shift of a burst, nor bytes after the end of the data, nor responses
	// below two.
	found = without(found, "*ir.Assign without effect at bursts.go:62", "constant off by one at read.go:112", "constant off by one at read.go:122")
	require.Empty(t, found)
}
