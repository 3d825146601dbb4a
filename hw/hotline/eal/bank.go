package eal

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/hw/lib/lanes"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// AnswerDepth is the depth of each of a bank's two queues of answers.
const AnswerDepth = 3

// bank is one bank: a single-port memory of sets, a pipeline in front of it and
// queues of answers behind.
//
//	read    the request is taken, the memory reads its set
//	match   the set is compared, a victim is chosen
//	finish  the answer is queued; if learning, the changed set is written
//
// Probes follow each other every cycle; a learning access has the bank to
// itself until it has written.
type bank struct{ arch.Params }

type bankPorts struct {
	Request  hw.Stream[hw.Bits] // bankRequest
	Answer   lanes.Lanes        // by the low bit of the engine: {engine without its low bit, answer}
	Learn    hw.Bits
	Clear    hw.Bits // write zeros to ClearRow; no request is taken
	ClearRow hw.Bits
	Scan     hw.Bits // read ScanRow; no request may be under way
	ScanRow  hw.Bits
	ScanData hw.Bits // the set, a cycle after Scan
}

// ModuleName names the module.
func (p bank) ModuleName() string { return "eal_bank" }

// request is a request as it arrives at a bank.
type request struct{ engine, tag, row, slot hw.Bits }

func (p bank) requestWidth() int {
	return arch.Log2(p.Engines) + p.TagBits + p.RowBits() + p.SlotBits()
}

func (p bank) split(data hw.Bits) request {
	row, tag := p.SlotBits(), p.SlotBits()+p.RowBits()
	engine := tag + p.TagBits
	return request{
		engine: data.Slice(p.requestWidth()-1, engine),
		tag:    data.Slice(engine-1, tag),
		row:    data.Slice(tag-1, row),
		slot:   data.Trunc(row),
	}
}

// Build describes the bank.
func (p bank) Build(m *hw.Module) bankPorts {
	m.Doc("One bank of the embedding access logger: probe or SRRIP update of a set.")
	io := bankPorts{
		Request:  m.Sink("request", p.requestWidth()),
		Answer:   lanes.Source(m, "answer", EngineGroups, p.answerWidth()),
		Learn:    m.In("learn", 1),
		Clear:    m.In("clear", 1),
		ClearRow: m.In("clear_row", p.RowBits()),
		Scan:     m.In("scan", 1),
		ScanRow:  m.In("scan_row", p.RowBits()),
		ScanData: m.Out("scan_data", SetWidth(p.Params)),
	}
	mem := hw.Inst(m, "sets", ram.RAM{Depth: p.BankSets(), Width: SetWidth(p.Params), Style: "block"})
	io.ScanData.Set(mem.RData)
	set := p.unpack(m, mem.RData)

	match, matchData := m.Reg("match_valid", 1, 0), m.Data("match_request", p.requestWidth())
	finish, finishData := m.Reg("finish_valid", 1, 0), m.Data("finish_request", p.requestWidth())
	found := p.match(m, set, p.split(matchData).tag, io.Learn)
	hit, chosen, age := m.Data("hit", 1), m.Data("chosen", p.Ways), m.Data("age", 2)

	done := p.answer(m, io.Answer, finish, p.split(finishData), hit, chosen)
	advance := finish.Not().Or(done).As("advance") // match may go on to finish
	free := hw.Mux(io.Learn, match.Or(finish).Not(), match.Not().Or(advance)).As("free")
	io.Request.Ready.Set(free.And(io.Clear.Not()))
	take := io.Request.Fire().As("take")

	m.When(free, func() { match.Set(take) }).ElseWhen(advance, func() { match.Set(hw.K(0)) })
	m.When(take, func() { matchData.Set(io.Request.Data) })
	m.When(advance, func() { finish.Set(match) })
	m.When(advance.And(match), func() {
		finishData.Set(matchData)
		hit.Set(found.hit)
		chosen.Set(found.chosen)
		age.Set(found.age)
	})

	update := done.And(io.Learn).As("update")
	access := p.split(finishData)
	mem.Enable.Set(io.Clear.Or(update).Or(io.Scan).Or(take))
	mem.Write.Set(io.Clear.Or(update))
	mem.Addr.Set(hw.Mux(io.Clear, io.ClearRow,
		hw.Mux(update, access.row, hw.Mux(io.Scan, io.ScanRow, p.split(io.Request.Data).row))))
	mem.WData.Set(hw.Mux(io.Clear, hw.K(0), p.updated(m, set, access.tag, hit, chosen, age)))
	return io
}

func (p bank) answerWidth() int { return arch.Log2(p.Engines) - 1 + AnswerWidth(p.Params) }

// answer queues the answer of a request in the finish stage; the result tells
// that it went.
func (p bank) answer(m *hw.Module, out lanes.Lanes, valid hw.Bits, r request, hit, chosen hw.Bits) hw.Bits {
	data := hw.Cat(r.engine.Slice(r.engine.Width()-1, 1), r.slot, hit, chosen.Encode()).As("answer")
	ready := m.WireVec("queue_ready", EngineGroups, 1)
	group := r.engine.Bit(0).As("group")
	m.For("queue", EngineGroups, func(g hw.Index) {
		q := hw.Inst(m, "fifo", fifo.FIFO[hw.Bits]{Of: hw.Width(p.answerWidth()), Depth: AnswerDepth})
		q.Push.Valid.Set(valid.And(group.Eq(g.Bits(1))))
		q.Push.Data.Set(data)
		ready.At(g).Set(q.Push.Ready)
		out.Valid.At(g).Set(q.Pop.Valid)
		out.Data.At(g).Set(q.Pop.Data)
		q.Pop.Ready.Set(out.Ready.At(g))
	})
	return valid.And(ready.Index(group)).As("done")
}
