package dispatch

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/feistel"
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
	Entry                         hw.Stream
	Busy, Entries                 hw.Bits
}

// blockWidth is valid 1, RRPV 2, tag: from the most significant bit.
func blockWidth(p arch.Params) int { return 3 + p.TagBits }

const entryBits = 64

// ModuleName names the module.
func (HotSet) ModuleName() string { return "hot_set_reader" }

// Build describes the reader.
func (p HotSet) Build(m *hw.Module) HotSetPorts {
	m.Doc("Hot-set reader: lists the rows that the EAL holds, with their block numbers.")
	a := p.Params
	setBits := p.BankBits() + p.RowBits()
	io := HotSetPorts{
		Start: m.In("start", 1), ScanEnable: m.Out("scan_enable", 1), ScanBank: m.Out("scan_bank", p.BankBits()), ScanRow: m.Out("scan_row", p.RowBits()),
		ScanData: m.In("scan_data", p.Ways*blockWidth(a)), Entry: m.Source("entry", entryBits),
		Busy: m.Out("busy", 1), Entries: m.Out("entries", 32),
	}
	set := m.Data("set", setBits)
	final := m.Data("final_set", 1)
	blocks := m.DataVec("blocks", p.Ways, blockWidth(a))
	left := m.Data("left", p.Ways) // valid blocks of the set, not yet listed
	entries := m.Reg("entries_q", 32, 0)
	_, st := m.FSM("state", "Idle", "Scan", "Latency", "Take", "List", "Drain")
	idle, scan, wait, take, list, drain := st[0], st[1], st[2], st[3], st[4], st[5]

	valid := p.valid(m, io.ScanData)
	lowest := left.Lowest().As("lowest")
	way := lowest.Encode().As("way")
	tag := blocks.Index(way).Trunc(p.TagBits).As("tag")
	move := m.Wire("move", 1)
	f := hw.Inst(m, "feistel", feistel.Feistel{Width: p.IDBits(), Inverse: true})
	f.Enable.Set(move)
	f.InValid.Set(list.Is().And(left.Ne(hw.K(0))))
	f.InID.Set(hw.Cat(tag, set))
	block := hw.Cat(set, way)
	for i := range feistel.Rounds {
		r := m.Data(fmt.Sprintf("block_%d", i), block.Width())
		prev := block
		m.When(move, func() { r.Set(prev) })
		block = r
	}
	io.Entry.Valid.Set(f.OutValid)
	io.Entry.Data.Set(hw.Cat(block.Ext(32), f.OutID.Ext(32)))
	move.Set(io.Entry.Ready.Or(f.OutValid.Not()))
	io.ScanEnable.Set(scan.Is())
	io.ScanBank.Set(set.Trunc(p.BankBits()))
	io.ScanRow.Set(set.Slice(setBits-1, p.BankBits()))
	io.Busy.Set(idle.Is().Not())
	io.Entries.Set(entries)
	m.When(io.Entry.Fire(), func() { entries.Set(entries.Inc()) })

	drained := m.Reg("drained", 3, 0)
	idle.Do(func() {
		m.When(io.Start, func() {
			set.Set(hw.K(0))
			entries.Set(hw.K(0))
			scan.Next()
		})
	})
	scan.Do(wait.Next)
	wait.Do(take.Next)
	take.Do(func() {
		blocks.Set(io.ScanData.Unpack(blockWidth(a)))
		left.Set(valid)
		final.Set(set.All())
		list.Next()
	})
	list.Do(func() {
		m.When(left.Eq(hw.K(0)), func() {
			set.Set(set.Inc())
			m.When(final, func() {
				drained.Set(hw.K(0))
				drain.Next()
			}).Else(scan.Next)
		}).ElseWhen(move, func() { left.Set(left.Xor(lowest)) })
	})
	drain.Do(func() { // the last entries leave the permutation
		m.When(move, func() {
			drained.Set(drained.Inc())
			m.When(drained.Eq(hw.K(feistel.Rounds)), idle.Next)
		})
	})
	return io
}

// valid are the valid bits of a set's blocks.
func (p HotSet) valid(m *hw.Module, set hw.Bits) hw.Bits {
	bits := m.WireVec("valid", p.Ways, 1)
	m.For("block_valid", p.Ways, func(i hw.Index) {
		bits.At(i).Set(set.Unpack(blockWidth(p.Params)).At(i).Bit(blockWidth(p.Params) - 1))
	})
	return bits.Pack()
}
