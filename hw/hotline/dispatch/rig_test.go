package dispatch

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// sizes are the parameters of the tests: a beat fills a row of the eDRAM, half
// of one, a row that is no power of two deep; 4, 2, 1 and 8 GPUs.
var sizes = []struct {
	name string
	arch.Params
}{
	{"tiny", tiny},
	{"wide", sized(func(p *arch.Params) {
		p.Engines, p.StreamBits, p.ALUs, p.GPUs, p.Ways, p.Tables = 16, 256, 8, 2, 4, 8
		p.EDRAMWords, p.Blocks = 16*2*60, 512
	})},
	{"full", sized(func(p *arch.Params) {
		p.Engines, p.StreamBits, p.ALUs, p.GPUs, p.Tables, p.Slots = 16, 512, 16, 1, 2, 16
		p.EDRAMWords, p.Blocks = 16*2*33, 1024
	})},
	{"many", many},
}

// many has several words of the bitmap end within a row.
var many = sized(func(p *arch.Params) { p.Engines, p.EDRAMWords, p.Slots, p.GPUs = 64, 64*2*40, 256, 8 })

var tiny = sized(func(p *arch.Params) { p.Engines, p.Ways, p.TagBits, p.Tables, p.Slots, p.Tags = 4, 2, 6, 4, 8, 4 })

func sized(change func(*arch.Params)) arch.Params {
	p := arch.Small()
	p.Banks, p.Blocks, p.TagBits, p.EDRAMWords, p.Slots, p.VectorValues, p.GPUs = 4, 256, 8, 4*2*64, 64, 32, 4
	change(&p)
	return p
}

// forSizes runs a check of the module that make describes, at all sizes.
func forSizes[P any](t *testing.T, describe func(arch.Params) hw.Generator[P], check func(*ir.Design, arch.Params, uint64) error) {
	for _, p := range sizes {
		require.NoError(t, p.Validate(), p.name)
		d, err := hw.Elaborate(describe(p.Params))
		require.NoError(t, err)
		for seed := range uint64(3) {
			require.NoError(t, check(d, p.Params, seed), "%s, seed %d", p.name, seed)
		}
	}
}

// fields takes a value apart from its low end, or puts one together.
type fields struct {
	words []uint64
	at    int
}

func (f *fields) take(width int) uint64 {
	x := make([]uint64, ir.Words(width))
	bv.Slice(x, f.words, f.at, width)
	f.at += width
	return x[0]
}

func (f *fields) put(width int, x uint64) {
	for len(f.words) < ir.Words(f.at+width) {
		f.words = append(f.words, 0)
	}
	bv.Insert(f.words, f.at, []uint64{x}, width)
	f.at += width
}

func requestOf(it bench.Item) dma.ReadRequest {
	return dma.ReadRequest{Peer: it[0] == 1, Addr: it[1], Len: int(it[2]), Kind: dma.Kind(it[3]), Dest: uint32(it[4])}
}

// operationOf is an operation without what its kind has no use for.
func operationOf(it bench.Item) reduce.Operation {
	kind, load, scalar, addr := it[0], it[1], it[2], it[3]
	switch o := (reduce.Operation{Kind: reduce.Kind(kind)}); o.Kind {
	case reduce.Add:
		o.Load = load == 1
		return o
	case reduce.Mul:
		o.Scalar = math.Float32frombits(uint32(scalar))
		return o
	default:
		o.Addr = addr
		return o
	}
}

// writer puts the packets and beats of two streams together.
type writer struct {
	p            arch.Params
	packet, data *bench.Sink
	writes       []Write
}

func newWriter(b *bench.Bench, p arch.Params) *writer {
	return &writer{p: p, packet: bench.PopOf[dma.Packet](b, "packet", p), data: bench.PopOf[dma.DataBeat](b, "data", p)}
}

// collect takes what has arrived.
func (w *writer) collect() error {
	for _, it := range w.packet.Got[0] {
		w.writes = append(w.writes, Write{Addr: it[0], Data: make([]byte, 0, it[1])})
	}
	for _, it := range w.data.Got[0] {
		k := slices.IndexFunc(w.writes, func(x Write) bool { return len(x.Data) < cap(x.Data) })
		if k < 0 {
			return fmt.Errorf("data %x without a packet", it)
		}
		x := &w.writes[k]
		x.Data = append(x.Data, bytesOf(it[2:])[:w.p.StreamBytes()]...)
		last, keep := it[0] == 1, it[1]
		if keep != math.MaxUint64>>(64-w.p.StreamBytes()) || last != (len(x.Data) == cap(x.Data)) {
			return fmt.Errorf("%d bytes of a packet of %d: keep %x, last %v", len(x.Data), cap(x.Data), keep, last)
		}
	}
	w.packet.Got[0], w.data.Got[0] = nil, nil
	return nil
}

// compareWrites compares what was written with what should have been.
func compareWrites(got, want []Write) error {
	return compare("writes", got, want, func(a, b Write) bool { return a.Addr == b.Addr && slices.Equal(a.Data, b.Data) })
}

func compare[T any](what string, got, want []T, same func(a, b T) bool) error {
	for i := range min(len(got), len(want)) {
		if !same(got[i], want[i]) {
			return fmt.Errorf("%s: number %d is %+v, want %+v", what, i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d %s, want %d", len(got), what, len(want))
	}
	return nil
}

func equal[T comparable](a, b T) bool { return a == b }

// equalOps compares scalars bit by bit.
func equalOps(a, b reduce.Operation) bool {
	same := floatBits(a.Scalar) == floatBits(b.Scalar)
	a.Scalar, b.Scalar = 0, 0
	return same && a == b
}

// pins are ports by name.
type pins map[string]sim.Pin

func pinsOf(b *bench.Bench) pins {
	out := pins{}
	for _, p := range b.Sim.Ports() {
		out[p.Name] = b.Pin(p.Name)
	}
	return out
}

func (p pins) set(name string, v uint64)  { p[name].Set(v) }
func (p pins) get(name string) uint64     { return p[name].Get() }
func (p pins) words(name string) []uint64 { return p[name].Words() }

// pulse runs a cycle with the port at 1.
func (p pins) pulse(b *bench.Bench, name string) error {
	p[name].SetBool(true)
	err := b.Cycle()
	p[name].SetBool(false)
	return err
}

// lane is element i of a port of elements of a width.
func (p pins) lane(name string, i, width int) uint64 {
	f := fields{words: p.words(name), at: i * width}
	return f.take(width)
}

// elements drives a port of elements of a width.
func (p pins) elements(name string, width int, xs []uint64) {
	var f fields
	for _, x := range xs {
		f.put(width, x)
	}
	p[name].SetWords(f.words)
}

// quiet expects that nothing changes while nothing arrives.
func quiet(b *bench.Bench) error {
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

// rate is a probability, often 1.
func rate(r *rand.Rand) float64 {
	return []float64{1, 1, 0.7, 0.3}[r.IntN(4)]
}

// addresses are n base addresses.
func addresses(r *rand.Rand, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Uint64() &^ 0xfff
	}
	return out
}

// randomRegisters sets all registers to values that make sense; the tables
// share the slots.
func randomRegisters(r *rand.Rand, p arch.Params) *RegisterModel {
	m := NewRegisterModel(p)
	m.TableBase = addresses(r, p.Tables)
	m.Hot, m.Pooled, m.Grad, m.Mailbox = addresses(r, p.GPUs), addresses(r, p.GPUs), addresses(r, p.GPUs), addresses(r, p.GPUs)
	m.Slots = LeastSlots(p) + r.IntN(p.Slots-LeastSlots(p)+1)
	m.Tables, m.GPUs, m.Scale = 1+r.IntN(p.Tables), 1+r.IntN(p.GPUs), r.Float32()
	m.RowLog2 = minRowLog2(p) + r.IntN(maxRowLog2(p)-minRowLog2(p)+1)
	for s := range m.SlotTable {
		m.SlotTable[s] = arch.Slot{Base: r.Uint32() >> (32 - p.IDBits()), Table: r.IntN(m.Tables), First: r.IntN(2) == 0, Last: r.IntN(2) == 0}
	}
	return m
}

// bytesOf are the bytes of little-endian words, wordsOf the words.
func bytesOf(words []uint64) []byte {
	var out []byte
	for _, x := range words {
		out = binary.LittleEndian.AppendUint64(out, x)
	}
	return out
}

func wordsOf(bytes []byte) []uint64 {
	out := make([]uint64, len(bytes)/8)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(bytes[8*i:])
	}
	return out
}

func truth(c bool) uint64 {
	if c {
		return 1
	}
	return 0
}

func floatBits(x float32) uint32 { return math.Float32bits(x) }
