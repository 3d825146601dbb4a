package eal

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// AnswerDepth is the depth of each of a bank's two queues of answers.
const AnswerDepth = 3

// ealBank is one bank: a single-port memory of sets, a pipeline in front of it and
// queues of answers behind.
//
//	read    the request is taken, the memory reads its set
//	match   the set is compared, a victim is chosen
//	finish  the answer is queued; if learning, the changed set is written
//
// Probes follow each other every cycle; a learning access has the bank to
// itself until it has written.
type ealBank struct{ EngineBits, TagBits, SetBits, TicketBits, Ways int }

type bankPorts struct {
	Access   hw.Stream[access]              `hw:"in"`
	Answer   hw.Array[hw.Stream[addressed]] `hw:"out,len=Groups"` // by the low bit of the engine
	Learn    hw.Bits                        `hw:"in"`
	Clear    hw.Bits                        `hw:"in" doc:"write zeros to clear_set; no request is taken"`
	ClearSet hw.Bits                        `hw:"in,SetBits"`
	Scan     hw.Bits                        `hw:"in" doc:"read scan_set; no request may be under way"`
	ScanSet  hw.Bits                        `hw:"in,SetBits"`
	Scanned  set                            `hw:"out" doc:"the set, a cycle after scan"`
}

// Groups is the number of groups of engines.
func (p ealBank) Groups() int { return EngineGroups }

// WayBits is the width of a way's number.
func (p ealBank) WayBits() int { return arch.Log2(p.Ways) }

// BlockBits is the width of a block, packed.
func (p ealBank) BlockBits() int { return hw.Of[Block](p).Bits() }

// Build describes the bank.
func (p ealBank) Build(m *hw.Module) bankPorts {
	m.Doc("One bank of the embedding access logger: probe or SRRIP update of a set.")
	io := hw.Ports[bankPorts](m)
	mem := hw.Inst(m, "sets", ram.RAM[set]{Of: hw.Of[set](p), Depth: 1 << p.SetBits, Style: "block"})
	blocks := hw.Wire[ways](m, "present").Blocks
	mem.RData.connect(m, "present_way", blocks)
	hw.Set(io.Scanned, mem.RData)

	match, matched := m.Reg("match_valid", 1, 0), hw.Data[access](m, "match")
	finish, finished := m.Reg("finish_valid", 1, 0), hw.Data[access](m, "finish")
	found, held := p.match(m, blocks, matched.Tag, io.Learn), hw.Data[outcome](m, "outcome")

	done := p.answer(m, io.Answer, finish, finished, held)
	advance := finish.Not().Or(done).As("advance") // match may go on to finish
	free := hw.Mux(io.Learn, match.Or(finish).Not(), match.Not().Or(advance)).As("free")
	io.Access.Ready.Set(free.And(io.Clear.Not()))
	take := io.Access.Fire().As("take")

	m.When(free, func() { match.Set(take) }).ElseWhen(advance, func() { match.Set(hw.K(0)) })
	m.When(take, func() { hw.Set(matched, io.Access.Data) })
	m.When(advance, func() { finish.Set(match) })
	m.When(advance.And(match), func() {
		hw.Set(finished, matched)
		hw.Set(held, found)
	})

	update := done.And(io.Learn).As("update")
	mem.Enable.Set(io.Clear.Or(update).Or(io.Scan).Or(take))
	mem.Write.Set(io.Clear.Or(update))
	mem.Addr.Set(hw.Mux(io.Clear, io.ClearSet,
		hw.Mux(update, finished.Set, hw.Mux(io.Scan, io.ScanSet, io.Access.Data.Set))))
	hw.Set(mem.WData, hw.Mux(io.Clear, hw.Zero[set](m), p.updated(m, blocks, finished.Tag, held)))
	return io
}

// answer queues the answer of a request in the finish stage; the result tells
// that it went.
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
