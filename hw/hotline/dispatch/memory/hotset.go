package memory

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// HotSetReader reads the sets of the EAL that have changed in the current learning epoch. It emits
// an entry for each valid block, and recovers the row id by the inverse permutation. Banks, Sets
// and Ways are powers of two.
type HotSetReader struct {
	Banks   int `doc:"EAL banks"`
	Sets    int `doc:"EAL sets in all banks"`
	Ways    int `doc:"size of an EAL set" unit:"blocks"`
	TagBits int `doc:"tag of a block" unit:"bits"`
}

// HotSetReaderPorts are the ports of a HotSetReader.
type HotSetReaderPorts struct {
	Start   hw.Bits             `hw:"in" doc:"begins at set 0 of bank 0"`
	Scan    eal.Scan            `hw:"out" doc:"reads of the EAL"`
	Entry   hw.Stream[HotEntry] `hw:"out" doc:"hot rows"`
	Busy    hw.Bits             `hw:"out" doc:"sets are left"`
	Entries hw.Bits             `hw:"out,32" doc:"sent since start"`
}

// BankBits returns the width of a bank number.
func (p HotSetReader) BankBits() int { return arch.Log2(p.Banks) }

// SetBits returns the width of a set number within its bank.
func (p HotSetReader) SetBits() int { return arch.Log2(p.Sets / p.Banks) }

// IDBits returns the width of a row id.
func (p HotSetReader) IDBits() int { return arch.Log2(p.Sets) + p.TagBits }

// readOut describes a HotSetReader. The sets with one number pass through three stages: a set is
// asked for, then shown, then listed. All three stages advance in a step, when the last block of
// the listed set has left.
type readOut struct {
	m  *hw.Module
	p  HotSetReader
	io HotSetReaderPorts

	set     hw.Bits // number of the scanned sets
	pending hw.Bits // banks that are still to be asked for the set with this number
	asked   hw.Bits // a set with this number has been asked for
	shown   hw.Bits // a set is shown
	left    hw.Bits // valid blocks of the listed set that have not been sent
	lowest  hw.Bits // the first of these blocks
	tags    hw.Vec
	listed  setPlace
	step    hw.Bits
	move    hw.Bits // the permutation advances
}

// setPlace is the location of a set.
type setPlace struct {
	Set  hw.Bits `hw:"SetBits"`
	Bank hw.Bits `hw:"BankBits"`
}

// Build describes the reader.
func (p HotSetReader) Build(m *hw.Module) HotSetReaderPorts {
	m.Doc("Hot-set reader: lists the rows of the sets of the EAL that have changed, with their block numbers.")
	r := &readOut{m: m, p: p, io: hw.Ports[HotSetReaderPorts](m), set: m.Reg("set", p.SetBits(), 0), pending: m.Reg("pending", p.Banks, 0),
		asked: m.Reg("set_asked", 1, 0), shown: m.Reg("set_shown", 1, 0), left: m.Reg("left", p.Ways, 0), tags: m.DataVec("tags", p.Ways, p.TagBits),
		listed: hw.Data[setPlace](m, "listed"), step: m.Wire("step", 1), move: m.Wire("move", 1)}
	r.lowest = r.left.Lowest().As("lowest")
	r.step.Set(r.left.IsZero().Or(r.left.Eq(r.lowest).And(r.move)))
	r.sequence()
	r.list()
	r.invert()
	r.count()
	return r.io
}

// sequence scans the sets in the order of their numbers.
func (r *readOut) sequence() {
	m, io := r.m, r.io
	st := hw.FSM[struct{ Idle, Scan, Look, List, Drain hw.State }](m, "state")
	drained := m.Reg("drained", hw.IndexWidth(randomizer.Rounds), 0)
	io.Scan.Valid.Set(st.Scan.Is())
	io.Scan.Set.Set(r.set)
	io.Busy.Set(st.Idle.Is().Not())

	st.Idle.Do(func() {
		m.When(io.Start, st.Scan.Next)
	})
	st.Scan.Do(st.Look.Next)
	st.Look.Do(func() {
		r.pending.Set(io.Scan.Changed)
		st.List.Next()
	})
	st.List.Do(func() {
		m.When(r.pending.Any().Or(r.asked).Not(), func() {
			r.set.Set(r.set.Inc())
			m.When(r.set.All(), st.Drain.Next).Else(st.Scan.Next)
		})
	})
	st.Drain.Do(func() { // wait until the last entry has left the permutation
		m.When(r.shown.Or(r.left.Any()).Not().And(r.move), func() {
			drained.Set(drained.Inc())
			m.When(drained.Eq(hw.Named("last_round", randomizer.Rounds-1)), st.Idle.Next)
		})
	})
}

// list asks for the sets that have changed, and sends their blocks.
func (r *readOut) list() {
	m, scan := r.m, r.io.Scan
	bank, at := m.Data("asked_bank", r.p.BankBits()), hw.Data[setPlace](m, "shown")
	scan.Bank.Set(bank)
	scan.Show.Set(r.step.And(r.asked))
	m.Unused(scan.Blocks.Vec(func(b eal.Block) hw.Bits { return b.RRPV.Bits() })) // the age of a row is not listed
	m.When(r.step, func() {
		first, any := r.pending.Lowest().As("first"), r.pending.Any()
		r.asked.Set(any)
		m.When(any, func() {
			r.pending.Set(r.pending.Xor(first))
			bank.Set(first.Encode())
		})
		r.shown.Set(r.asked)
		m.When(r.asked, func() { hw.Set(at, setPlace{Set: r.set, Bank: bank}) })
		valid := scan.Blocks.Vec(func(b eal.Block) hw.Bits { return b.Valid }).Pack()
		r.left.Set(hw.Mux(r.shown, valid, hw.K(0)))
		m.When(r.shown, func() {
			r.tags.Set(scan.Blocks.Vec(func(b eal.Block) hw.Bits { return b.Tag }))
			hw.Set(r.listed, at)
		})
	}).ElseWhen(r.move, func() { r.left.Set(r.left.Xor(r.lowest)) })
}

// invert converts {tag, set} of the current block into its row id. The block number is delayed
// equally.
func (r *readOut) invert() {
	m, io := r.m, r.io
	way := r.lowest.Encode().As("way")
	f := hw.Inst(m, "randomizer", randomizer.Randomizer{Width: r.p.IDBits(), Inverse: true})
	f.Enable.Set(r.move)
	set := hw.Pack(r.listed)
	f.In.Valid.Set(r.left.Any())
	f.In.ID.Set(hw.Cat(r.tags.Index(way), set))
	block := hw.Cat(set, way)
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
