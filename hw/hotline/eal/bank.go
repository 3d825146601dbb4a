package eal

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// AnswerDepth is the depth of each of a bank's two answer queues.
const AnswerDepth = 3

// ealBank is a bank: a single-port memory of sets, a pipeline in front of it and answer queues
// behind it. The pipeline has three stages:
//
//	read    the request is accepted, the memory reads its set
//	match   the set is compared, a victim is chosen
//	finish  the answer is queued; a set that learning changes is written
//
// A request can enter in every cycle, with two exceptions for learning: a request waits while its
// set is in the pipeline, and during the cycle of a write.
type ealBank struct {
	EngineBits int `doc:"number of a lookup engine" unit:"bits"`
	TagBits    int `doc:"tag of a block" unit:"bits"`
	SetBits    int `doc:"set of a bank" unit:"bits"`
	TicketBits int `doc:"place of a lookup in its window" unit:"bits"`
	Ways       int `doc:"size of an EAL set" unit:"blocks"`
}

type bankPorts struct {
	Access   hw.Stream[access]              `hw:"in" doc:"requests of the queue"`
	Answer   hw.Array[hw.Stream[addressed]] `hw:"out,len=Groups" doc:"by the low bit of the engine"`
	Learn    hw.Bits                        `hw:"in" doc:"1: requests learn, 0: they probe"`
	Clear    hw.Bits                        `hw:"in" doc:"writes zeros to clear_set; no request is taken"`
	ClearSet hw.Bits                        `hw:"in,SetBits" doc:"set to clear"`
	Stretch  hw.Bits                        `hw:"in" doc:"number of the learning epoch, modulo 2"`
	Scan     hw.Bits                        `hw:"in" doc:"reads scan_set; only while no request and no scan is in flight"`
	ScanSet  hw.Bits                        `hw:"in,SetBits" doc:"stays for another cycle"`
	Changed  hw.Bits                        `hw:"out" doc:"the set has changed in this epoch, a cycle after scan"`
	Scanned  hw.Vec                         `hw:"out,BlockBits,len=Ways" doc:"its blocks, from then on"`
}

// Groups returns the number of groups of engines.
func (p ealBank) Groups() int { return EngineGroups }

// WayBits returns the width of a way number.
func (p ealBank) WayBits() int { return arch.Log2(p.Ways) }

// BlockBits returns the width of a packed block.
func (p ealBank) BlockBits() int { return hw.Of[Block](p).Bits() }

// Build describes the bank.
func (p ealBank) Build(m *hw.Module) bankPorts {
	m.Doc("One bank of the embedding access logger: probe or SRRIP update of a set.")
	io := hw.Ports[bankPorts](m)
	mem := hw.Inst(m, "sets", ram.RAM[set]{Of: hw.Of[set](p), Depth: 1 << p.SetBits, Style: "block"})
	blocks := hw.Wire[ways](m, "present").Blocks
	mem.RData.connect(m, "present_way", blocks)
	io.Scanned.Set(mem.RData.Blocks)
	forget := p.scan(m, io, mem.RData)

	match, matched := m.Reg("match_valid", 1, 0), hw.Data[access](m, "match")
	finish, finished := m.Reg("finish_valid", 1, 0), hw.Data[access](m, "finish")
	found, held := p.match(m, blocks, matched.Tag, io.Learn), hw.Data[outcome](m, "outcome")
	read := hw.Data[set](m, "finish") // the part of the set that learning changes

	done := p.answer(m, io.Answer, finish, finished, held)
	advance := finish.Not().Or(done).As("advance") // match may advance to finish
	free := match.Not().Or(advance).As("free")
	update := done.And(held.Changed).As("update")
	next := io.Access.Data.Set
	pending := match.And(matched.Set.Eq(next)).Or(finish.And(finished.Set.Eq(next))).As("set_pending")
	io.Access.Ready.Set(free.And(io.Learn.And(pending).Or(update).Or(io.Clear).Not()))
	take := io.Access.Fire().As("take")
	m.Cover(update.And(held.Hit.Not()).And(held.Age.Eq(hw.K(int(RRPVDistant)))), "all blocks of a set were hit, and age for a victim")
	m.Cover(io.Access.Valid.And(pending), "a lookup finds its set in the pipeline")

	m.When(free, func() { match.Set(take) })
	m.When(take, func() { hw.Set(matched, io.Access.Data) })
	m.When(advance, func() { finish.Set(match) })
	m.When(advance.And(match), func() {
		hw.Set(finished, matched)
		hw.Set(held, found)
		m.When(io.Learn, func() { hw.Set(read, mem.RData) })
	})

	mem.Enable.Set(io.Clear.Or(update).Or(io.Scan).Or(forget).Or(take))
	mem.Write.Set(io.Clear.Or(update).Or(forget))
	mem.Addr.Set(hw.Mux(io.Clear, io.ClearSet,
		hw.Mux(update, finished.Set, hw.Mux(io.Scan.Or(forget), io.ScanSet, next))))
	unchanged := hw.With(mem.RData, set{Changed: hw.K(0)})
	hw.Set(mem.WData, hw.Mux(io.Clear, hw.Zero[set](m),
		hw.Mux(forget, unchanged, p.updated(m, read, finished.Tag, held, io.Stretch))))
	return io
}

// scan reports on its port whether the set that was read has changed in this epoch. It returns
// whether the set changed in the previous epoch. Then its flag must be cleared, because the next
// epoch has the same number modulo 2.
func (p ealBank) scan(m *hw.Module, io bankPorts, read set) (forget hw.Bits) {
	scanned := m.Data("scan_read", 1)
	scanned.Set(io.Scan)
	now := read.Stretch.Eq(io.Stretch).As("changed_now")
	io.Changed.Set(read.Changed.And(now))
	m.When(scanned, func() { m.Assert(io.Scan.Not(), "a cycle is between two scans") })
	return scanned.And(read.Changed).And(now.Not()).As("forget")
}

// answer queues the answer of a request in the finish stage. It reports whether the answer was
// accepted.
func (p ealBank) answer(m *hw.Module, out hw.Array[hw.Stream[addressed]], valid hw.Bits, r access, o outcome) hw.Bits {
	result := Result{Hit: o.Hit, Way: o.Chosen.Encode().As("chosen_way")}
	data := addressed{Engine: r.Engine.Slice(p.EngineBits-1, 1), Answer: Answer{Ticket: r.Ticket, Result: result}}
	ready := m.WireVec("queue_ready", EngineGroups, 1)
	group := r.Engine.Bit(0).As("group")
	m.For("queue", EngineGroups, func(g hw.Index) {
		q := hw.Inst(m, "fifo", fifo.FIFO[addressed]{Of: hw.Of[addressed](p), Depth: AnswerDepth})
		q.Push.Valid.Set(valid.And(group.Eq(g.Bits(1))))
		hw.Set(q.Push.Data, data)
		ready.At(g).Set(q.Push.Ready)
		m.Unused(q.Level)
		hw.Connect(out.At(g), q.Pop)
	})
	return valid.And(ready.Index(group)).As("done")
}
