package memory

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// HotSetReader reads the hot set out of the EAL: an entry for each valid block,
// its row recovered by the inverse permutation. Banks, Sets and Ways are powers of
// two.
type HotSetReader struct {
	Banks   int
	Sets    int // of all banks
	Ways    int
	TagBits int
}

// HotSetReaderPorts are the ports of a HotSetReader.
type HotSetReaderPorts struct {
	Start   hw.Bits             `hw:"in" doc:"begins at set 0 of bank 0"`
	Scan    eal.Scan            `hw:"out"`
	Entry   hw.Stream[HotEntry] `hw:"out"`
	Busy    hw.Bits             `hw:"out"`
	Entries hw.Bits             `hw:"out,32" doc:"sent since start"`
}

// BankBits is the width of the number of a bank.
func (p HotSetReader) BankBits() int { return arch.Log2(p.Banks) }

// SetBits is the width of the number of a set in its bank.
func (p HotSetReader) SetBits() int { return arch.Log2(p.Sets / p.Banks) }

// IDBits is the width of the id of a row.
func (p HotSetReader) IDBits() int { return arch.Log2(p.Sets) + p.TagBits }

// readOut is a HotSetReader being described.
type readOut struct {
	m  *hw.Module
	p  HotSetReader
	io HotSetReaderPorts

	set, final hw.Bits // being read, its bank in the low bits, 0 again at the end; it is the last one
	tags       hw.Vec  // tags of its blocks
	left       hw.Bits // valid blocks of the set, not yet listed
	lowest     hw.Bits // the first of them
	listing    hw.Bits
	move       hw.Bits // the permutation moves
}

// Build describes the reader.
func (p HotSetReader) Build(m *hw.Module) HotSetReaderPorts {
	m.Doc("Hot-set reader: lists the rows that the EAL holds, with their block numbers.")
	r := &readOut{m: m, p: p, io: hw.Ports[HotSetReaderPorts](m), set: m.Reg("set", arch.Log2(p.Sets), 0), final: m.Data("final_set", 1),
		tags: m.DataVec("tags", p.Ways, p.TagBits), left: m.Data("left", p.Ways),
		listing: m.Wire("listing", 1), move: m.Wire("move", 1)}
	r.lowest = r.left.Lowest().As("lowest")
	m.Unused(r.io.Scan.Blocks.Vec(func(b eal.Block) hw.Bits { return b.RRPV.Bits() })) // how old a row is
	r.io.Scan.Bank.Set(r.set.Trunc(p.BankBits()))
	r.io.Scan.Set.Set(r.set.Slice(r.set.Width()-1, p.BankBits()))
	r.invert()
	r.sequence()
	r.count()
	return r.io
}

// sequence reads set by set and lists the valid blocks of each.
func (r *readOut) sequence() {
	m, io := r.m, r.io
	st := hw.FSM[struct{ Idle, Scan, Latency, Take, List, Drain hw.State }](m, "state")
	drained := m.Reg("drained", hw.IndexWidth(randomizer.Rounds), 0)
	io.Scan.Valid.Set(st.Scan.Is())
	io.Busy.Set(st.Idle.Is().Not())
	r.listing.Set(st.List.Is())

	st.Idle.Do(func() {
		m.When(io.Start, st.Scan.Next)
	})
	st.Scan.Do(st.Latency.Next)
	st.Latency.Do(st.Take.Next)
	st.Take.Do(func() {
		r.tags.Set(io.Scan.Blocks.Vec(func(b eal.Block) hw.Bits { return b.Tag }))
		r.left.Set(io.Scan.Blocks.Vec(func(b eal.Block) hw.Bits { return b.Valid }).Pack())
		r.final.Set(r.set.All())
		st.List.Next()
	})
	st.List.Do(func() {
		m.When(r.left.IsZero(), func() {
			r.set.Set(r.set.Inc())
			m.When(r.final, st.Drain.Next).Else(st.Scan.Next)
		}).ElseWhen(r.move, func() {
			r.left.Set(r.left.Xor(r.lowest))
		})
	})
	st.Drain.Do(func() { // until the last entry has left the permutation
		m.When(r.move, func() {
			drained.Set(drained.Inc())
			m.When(drained.Eq(hw.K(randomizer.Rounds-1)), st.Idle.Next)
		})
	})
}

// invert turns {tag, set} of the block at hand into its row id; the block
// number goes along.
func (r *readOut) invert() {
	m, io := r.m, r.io
	way := r.lowest.Encode().As("way")
	f := hw.Inst(m, "randomizer", randomizer.Randomizer{Width: r.p.IDBits(), Inverse: true})
	f.Enable.Set(r.move)
	f.In.Valid.Set(r.listing.And(r.left.Any()))
	f.In.ID.Set(hw.Cat(r.tags.Index(way), r.set))
	block := hw.Cat(r.set, way)
	for i := range randomizer.Rounds {
		q := m.Data(fmt.Sprintf("block_%d", i), block.Width())
		before := block
		m.When(r.move, func() { q.Set(before) })
		block = q
	}
	io.Entry.Valid.Set(f.Out.Valid)
	hw.Set(io.Entry.Data, HotEntry{Block: block.Ext(32), Row: f.Out.ID.Ext(32)})
	r.move.Set(io.Entry.Ready.Or(f.Out.Valid.Not()))
}

// count counts the entries.
func (r *readOut) count() {
	entries := r.m.Data("entries_sent", 32)
	r.m.When(r.io.Start, func() { entries.Set(hw.K(0)) }).
		ElseWhen(r.io.Entry.Fire(), func() { entries.Set(entries.Inc()) })
	r.io.Entries.Set(entries)
}
