package wrap

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// xdmaModel models one H2C channel and one C2H channel of AMD's core with descriptor bypass, as
// specified in PG195 and PG344. A channel buffers descriptors and accepts one more after ready has
// fallen. Streams follow descriptor order. A pulse reports the end of a C2H descriptor. XDMA
// reports an error for a descriptor that arrives when it is not allowed. It also reports C2H
// descriptors whose length is not a multiple of 64 bytes or differs from the packet. The caller
// must call Look in each cycle.
type xdmaModel struct {
	Memory   dma.Memory
	Delay    int       // maximum wait of a descriptor, in cycles
	Ready    float64   // probability that a non-full channel is ready
	DataRate float64   // probability that a C2H channel with a descriptor accepts a beat
	IRQ      *irqModel // nil for a design without the interrupt

	bench    *bench.Bench
	rand     *rand.Rand
	cycle    int
	bytes    int // bytes per beat
	h2c, c2h channel
	source   *bench.Source
	sink     *bench.Sink
	beats    int   // sent to the source
	done     []int // end cycles of C2H descriptors
	errs     []error
}

// channelDepth is the number of descriptors that a channel buffers while it is ready.
const channelDepth = 8

// channel is the buffer of a channel.
type channel struct {
	name          string
	jobs          []*channelJob
	ready, before bool // in this cycle and in the previous cycle
}

type channelJob struct {
	addr      uint64
	bytes, at int
	start     int
}

// newXDMAModel connects the core to a design.
func newXDMAModel(b *bench.Bench, m dma.Memory, streamBytes, delay int, seed uint64) *xdmaModel {
	for _, port := range []string{"cfg_bus_master_enable", "link_up"} {
		if has(b, port) {
			b.Pin(port).SetBool(true)
		}
	}
	u := &xdmaModel{Memory: m, Delay: delay, Ready: 0.8, DataRate: 0.8, bench: b, rand: rand.New(rand.NewPCG(seed, 4)), bytes: streamBytes,
		h2c: channel{name: "h2c"}, c2h: channel{name: "c2h"},
		source: b.Source("s_axis_h2c_tvalid", "s_axis_h2c_tready", prefixed("s_axis_h2c_t", "data", "keep", "last")...),
		sink:   b.Sink("m_axis_c2h_tvalid", "m_axis_c2h_tready", prefixed("m_axis_c2h_t", "data", "keep", "last")...)}
	if has(b, "usr_irq_req") {
		u.IRQ = newIRQModel(b, "usr_irq_", seed)
	}
	return u
}

// behindXDMA connects the core to a card, including the interrupt.
func (c *card) behindXDMA(streamBytes, delay int, seed uint64) *xdmaModel {
	u := newXDMAModel(c.Bench, c.Memory, streamBytes, delay, seed)
	c.Far, c.Look = u, append(c.Look, u.Look)
	c.Interrupted, c.Serviced = u.IRQ.Interrupted, u.IRQ.Serviced
	return u
}

// Idle reports whether nothing is in flight.
func (u *xdmaModel) Idle() bool { return len(u.h2c.jobs)+len(u.c2h.jobs)+len(u.done) == 0 }

func (u *xdmaModel) wait() int { return u.cycle + 1 + u.rand.IntN(u.Delay+1) }

// Give drives the inputs before a cycle.
func (u *xdmaModel) Give() {
	u.cycle++
	for _, c := range []*channel{&u.h2c, &u.c2h} {
		c.before, c.ready = c.ready, len(c.jobs) < channelDepth && u.rand.Float64() < u.Ready
		u.bench.Pin(c.name + "_dsc_byp_ready").SetBool(c.ready)
	}
	u.send()
	u.sink.Rate = 0
	if len(u.c2h.jobs) > 0 && u.c2h.jobs[0].start <= u.cycle {
		u.sink.Rate = u.DataRate
	}
	status := uint64(u.rand.IntN(256)) &^ 8 // unused bits are random
	if len(u.done) > 0 && u.done[0] <= u.cycle {
		status, u.done = status|8, u.done[1:]
	}
	u.bench.Pin("c2h_sts").Set(status)
	if u.IRQ != nil {
		u.IRQ.Give()
	}
}

// send sends a beat of the oldest descriptor of H2C.
func (u *xdmaModel) send() {
	if len(u.h2c.jobs) == 0 || u.source.Sent() != u.beats || u.h2c.jobs[0].start > u.cycle {
		return
	}
	j := u.h2c.jobs[0]
	n, beat := min(u.bytes, j.bytes-j.at), make([]byte, u.bytes)
	u.Memory.ReadAt(j.addr+uint64(j.at), beat[:n])
	j.at += n
	u.beats++
	u.source.Send(0, append(bench.Item(dma.WordsOf(beat)), ^uint64(0)>>(64-n), bench.Bit(j.at == j.bytes)))
	if j.at == j.bytes {
		u.h2c.jobs = u.h2c.jobs[1:]
	}
}

// Look samples descriptors and the interrupt.
func (u *xdmaModel) Look() error {
	if u.IRQ != nil {
		if err := u.IRQ.Look(); err != nil {
			return err
		}
	}
	for _, c := range []*channel{&u.h2c, &u.c2h} {
		get := func(field string) uint64 { return u.bench.Pin(c.name + "_dsc_byp_" + field).Get() }
		if get("load") == 0 {
			continue
		}
		if !c.ready && !c.before || get("ctl") != 1<<4 {
			return fmt.Errorf("a descriptor of %s: ready is %v and was %v, control %#x", c.name, c.ready, c.before, get("ctl"))
		}
		addr, none := get("src_addr"), get("dst_addr")
		if c == &u.c2h {
			addr, none = none, addr
		}
		j := &channelJob{addr: addr, bytes: int(get("len")), start: u.wait()}
		if c == &u.c2h && j.bytes%64 != 0 || none != 0 {
			return fmt.Errorf("a descriptor of %s: %+v, other address %#x", c.name, *j, none)
		}
		c.jobs = append(c.jobs, j)
	}
	return nil
}

// Take processes the outputs after a cycle. It returns an error if the design has violated a rule.
func (u *xdmaModel) Take() error {
	for _, it := range u.sink.Got[0] {
		j, n := u.c2h.jobs[0], u.bytes/8
		p := dma.BytesOf(it[:n])
		p = p[:slices.Index(append(bitsOf(it[n], len(p)), 0), 0)]
		u.Memory.WriteAt(j.addr+uint64(j.at), p)
		j.at += len(p)
		last := it[n+1] == 1
		if full := len(p) == u.bytes && j.at < j.bytes; j.at > j.bytes || last && j.at <= j.bytes-64 || !last && !full {
			u.errs = append(u.errs, fmt.Errorf("a beat of %d bytes for %+v, last %v", len(p), *j, last))
		}
		if last {
			u.c2h.jobs, u.done = u.c2h.jobs[1:], append(u.done, u.wait())
		}
	}
	u.sink.Got[0] = nil
	return errors.Join(u.errs...)
}

// bitsOf returns the n lowest bits of x.
func bitsOf(x uint64, n int) (out []uint64) {
	for i := range n {
		out = append(out, x>>i&1)
	}
	return out
}
