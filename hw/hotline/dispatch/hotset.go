package dispatch

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// HotSet reads the hot set out of the EAL: an entry {block number 32, row id
// 32} for each valid block, recovered by the inverse permutation.
type HotSet struct{ arch.Params }

// HotSetPorts: Start begins at set 0 of bank 0. The scan port answers two
// cycles after ScanEnable. Entries counts what Entry has sent.
type HotSetPorts struct {
	Start                         hw.Bits
	ScanEnable, ScanBank, ScanRow hw.Bits
	ScanData                      hw.Bits
	Entry                         hw.Stream[hw.Bits]
	Busy, Entries                 hw.Bits
}

const entryBits = 8 * arch.HotRowBytes // of the hot set

// setBits is the width of a set's number {row of the bank, bank}.
func setBits(p arch.Params) int { return p.SetBits() + p.BankBits() }

// blockBits is the width of a block, {valid, RRPV, tag}; way 0 of a set is least
// significant.
func blockBits(p arch.Params) int { return hw.Of[eal.Block](p).Bits() }

// ModuleName names the module.
func (HotSet) ModuleName() string { return "hot_set_reader" }

// readOut is a HotSet being described.
type readOut struct {
	m  *hw.Module
	p  arch.Params
	io HotSetPorts

	set, final hw.Bits // being read, 0 again at the end; it is the last one
	blocks     hw.Vec
	left       hw.Bits // valid blocks of the set, not yet listed
	lowest     hw.Bits // the first of them
	listing    hw.Bits
	move       hw.Bits // the permutation moves
}

// Build describes the reader.
func (p HotSet) Build(m *hw.Module) HotSetPorts {
	m.Doc("Hot-set reader: lists the rows that the EAL holds, with their block numbers.")
	a := p.Params
	io := HotSetPorts{
		Start:      m.In("start", 1),
		ScanEnable: m.Out("scan_enable", 1),
		ScanBank:   m.Out("scan_bank", p.BankBits()),
		ScanRow:    m.Out("scan_row", p.SetBits()),
		ScanData:   m.In("scan_data", a.Ways*blockBits(a)),
		Entry:      m.Source("entry", entryBits),
		Busy:       m.Out("busy", 1),
		Entries:    m.Out("entries", 32),
	}
	r := &readOut{m: m, p: a, io: io, set: m.Reg("set", setBits(a), 0), final: m.Data("final_set", 1),
		blocks: m.DataVec("blocks", p.Ways, blockBits(a)), left: m.Data("left", p.Ways),
		listing: m.Wire("listing", 1), move: m.Wire("move", 1)}
	r.lowest = r.left.Lowest().As("lowest")
	io.ScanBank.Set(r.set.Trunc(p.BankBits()))
	io.ScanRow.Set(r.set.Slice(setBits(a)-1, p.BankBits()))
	r.invert()
	r.sequence()
	r.count()
	return io
}

// sequence reads set by set and lists the valid blocks of each.
func (r *readOut) sequence() {
	m, io := r.m, r.io
	st := hw.FSM[struct{ Idle, Scan, Latency, Take, List, Drain hw.State }](m, "state")
	valid := r.valid()
	drained := m.Reg("drained", hw.IndexWidth(randomizer.Rounds), 0)
	io.ScanEnable.Set(st.Scan.Is())
	io.Busy.Set(st.Idle.Is().Not())
	r.listing.Set(st.List.Is())

	st.Idle.Do(func() {
		m.When(io.Start, st.Scan.Next)
	})
	st.Scan.Do(st.Latency.Next)
	st.Latency.Do(st.Take.Next)
	st.Take.Do(func() {
		r.blocks.Set(io.ScanData.Unpack(blockBits(r.p)))
		r.left.Set(valid)
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

// valid are the valid bits of the set's blocks.
func (r *readOut) valid() hw.Bits {
	w := blockBits(r.p)
	bits := r.m.WireVec("valid", r.p.Ways, 1)
	r.m.For("block", r.p.Ways, func(i hw.Index) { bits.At(i).Set(r.io.ScanData.Unpack(w).At(i).Bit(w - 1)) })
	return bits.Pack()
}

// invert turns {tag, set} of the block at hand into its row id; the block
// number goes along.
func (r *readOut) invert() {
	m, io := r.m, r.io
	way := r.lowest.Encode().As("way")
	f := hw.Inst(m, "randomizer", randomizer.Randomizer{Width: r.p.IDBits(), Inverse: true})
	f.Enable.Set(r.move)
	f.In.Valid.Set(r.listing.And(r.left.Any()))
	f.In.ID.Set(hw.Cat(r.blocks.Index(way).Trunc(r.p.TagBits), r.set))
	block := hw.Cat(r.set, way)
	for i := range randomizer.Rounds {
		q := m.Data(fmt.Sprintf("block_%d", i), block.Width())
		before := block
		m.When(r.move, func() { q.Set(before) })
		block = q
	}
	io.Entry.Valid.Set(f.Out.Valid)
	io.Entry.Data.Set(hw.Cat(block.Ext(32), f.Out.ID.Ext(32)))
	r.move.Set(io.Entry.Ready.Or(f.Out.Valid.Not()))
}

// count counts the entries.
func (r *readOut) count() {
	entries := r.m.Data("entries_sent", 32)
	r.m.When(r.io.Start, func() { entries.Set(hw.K(0)) }).
		ElseWhen(r.io.Entry.Fire(), func() { entries.Set(entries.Inc()) })
	r.io.Entries.Set(entries)
}
