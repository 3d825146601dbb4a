package dispatchtest

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

// RequestOf is a request to dma.Read.
func RequestOf(it bench.Item) dma.ReadRequest {
	return dma.ReadRequest{Peer: it[0] == 1, Addr: it[1], Len: int(it[2]), Kind: dma.Kind(it[3]), Dest: uint32(it[4])}
}

// OperationOf is an operation without what its kind has no use for.
func OperationOf(it bench.Item) reduce.Operation {
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

// Writer puts the packets and beats of two streams together.
type Writer struct {
	p            arch.Params
	Packet, Data *bench.Sink
	Writes       []dispatch.Write
}

// NewWriter takes the streams packet and data.
func NewWriter(b *bench.Bench, p arch.Params) *Writer {
	return &Writer{p: p, Packet: bench.PopOf[dma.Packet](b, "packet", p), Data: bench.PopOf[dma.DataBeat](b, "data", p)}
}

// Collect takes what has arrived.
func (w *Writer) Collect() error {
	for _, it := range w.Packet.Got[0] {
		w.Writes = append(w.Writes, dispatch.Write{Addr: it[0], Data: make([]byte, 0, it[1])})
	}
	for _, it := range w.Data.Got[0] {
		k := slices.IndexFunc(w.Writes, func(x dispatch.Write) bool { return len(x.Data) < cap(x.Data) })
		if k < 0 {
			return fmt.Errorf("data %x without a packet", it)
		}
		x := &w.Writes[k]
		x.Data = append(x.Data, BytesOf(it[2:])[:w.p.StreamBytes()]...)
		last, keep := it[0] == 1, it[1]
		if keep != math.MaxUint64>>(64-w.p.StreamBytes()) || last != (len(x.Data) == cap(x.Data)) {
			return fmt.Errorf("%d bytes of a packet of %d: keep %x, last %v", len(x.Data), cap(x.Data), keep, last)
		}
	}
	w.Packet.Got[0], w.Data.Got[0] = nil, nil
	return nil
}

// CompareWrites compares what was written with what should have been.
func CompareWrites(got, want []dispatch.Write) error {
	return Compare("writes", got, want, func(a, b dispatch.Write) bool { return a.Addr == b.Addr && slices.Equal(a.Data, b.Data) })
}

// Compare compares two lists.
func Compare[T any](what string, got, want []T, same func(a, b T) bool) error {
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

// Equal is for Compare.
func Equal[T comparable](a, b T) bool { return a == b }

// EqualOps compares scalars bit by bit.
func EqualOps(a, b reduce.Operation) bool {
	same := math.Float32bits(a.Scalar) == math.Float32bits(b.Scalar)
	a.Scalar, b.Scalar = 0, 0
	return same && a == b
}

// Pulse runs a cycle with a bit at 1.
func Pulse(b *bench.Bench, bit hw.Bits) error {
	bit.Poke(1)
	err := b.Cycle()
	bit.Poke(0)
	return err
}

// Poke drives the elements of a vector.
func Poke(v hw.Vec, xs []uint64) {
	for i, x := range xs {
		v.N(i).Poke(x)
	}
}

// Quiet expects that nothing changes while nothing arrives.
func Quiet(b *bench.Bench) error {
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

// Rate is a probability, often 1.
func Rate(r *rand.Rand) float64 {
	return []float64{1, 1, 0.7, 0.3}[r.IntN(4)]
}

// Addresses are n base addresses.
func Addresses(r *rand.Rand, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Uint64() &^ 0xfff
	}
	return out
}

// RandomRegisters sets all registers to values that make sense; the tables
// share the slots.
func RandomRegisters(r *rand.Rand, p arch.Params) *dispatch.RegisterModel {
	m, n := dispatch.NewRegisterModel(p), dispatch.LeastSlots(p)
	m.TableBase = Addresses(r, p.Tables)
	m.Hot, m.Pooled, m.Grad, m.Mailbox = Addresses(r, p.GPUs), Addresses(r, p.GPUs), Addresses(r, p.GPUs), Addresses(r, p.GPUs)
	m.Slots = n + r.IntN(p.Slots-n+1)
	m.Tables, m.GPUs, m.Scale = 1+r.IntN(p.Tables), 1+r.IntN(p.GPUs), r.Float32()
	least, most := sizes.LeastRowLog2(p.Stream()), sizes.MostRowLog2(p.VectorValues)
	m.RowLog2 = least + r.IntN(most-least+1)
	for s := range m.SlotTable {
		m.SlotTable[s] = dispatch.Slot{Base: r.Uint32() >> (32 - p.IDBits()), Table: r.IntN(m.Tables), First: r.IntN(2) == 0, Last: r.IntN(2) == 0}
	}
	return m
}

// SomeBlocks is a tracker of which one block in so many is valid.
func SomeBlocks(r *rand.Rand, p arch.Params, share int) *eal.Tracker {
	t := eal.NewTracker(p)
	for bank := range p.Banks {
		for row := range p.BankSets() {
			set := t.Set(bank, row)
			for w := range set {
				set[w] = eal.Entry{Valid: r.IntN(share) == 0, RRPV: eal.RRPV(r.IntN(4)), Tag: r.Uint32() >> (32 - p.TagBits)}
			}
		}
	}
	return t
}

// Show drives the blocks of a scan.
func Show(scan eal.Scan, set []eal.Entry) {
	for w, b := range set {
		block := scan.Blocks.N(w)
		block.Valid.Poke(Truth(b.Valid))
		block.RRPV.Poke(b.RRPV)
		block.Tag.Poke(uint64(b.Tag))
	}
}

// BytesOf are the bytes of little-endian words.
func BytesOf(words []uint64) []byte {
	var out []byte
	for _, x := range words {
		out = binary.LittleEndian.AppendUint64(out, x)
	}
	return out
}

// WordsOf are the little-endian words of bytes.
func WordsOf(bytes []byte) []uint64 {
	out := make([]uint64, len(bytes)/8)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(bytes[8*i:])
	}
	return out
}

// Truth is 1 for true.
func Truth(c bool) uint64 {
	if c {
		return 1
	}
	return 0
}
