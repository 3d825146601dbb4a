package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/feistel"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/hw/lib/lanes"
)

// engine is one lookup engine. Its pipeline stalls as a whole while the lookup
// at its end cannot enter its queue.
type engine struct{ arch.Params }

type enginePorts struct {
	Lane                       hw.Bits // number of the engine
	Run                        run
	Base                       baseWrite
	Fetch, FetchRow, FetchData hw.Bits     // eDRAM: the word comes a cycle after Fetch and stays until the next
	Req                        lanes.Lanes // eal.RequestQueues
	AnswerValid                hw.Bits
	Answer                     hw.Vec  // eal.AnswerGroups
	Complete                   hw.Bits // rows that all engines have committed
	Passed                     hw.Bits // this engine has committed row Complete, or has no word in it
	Committed, Cached          hw.Bits // a result was committed; the cache had it
	Read, ReadRow, ReadData    hw.Bits // results: a cycle after Read, until the next
}

// ModuleName names the module.
func (p engine) ModuleName() string { return "lookup_engine" }

// Build describes the engine.
func (p engine) Build(m *hw.Module) enginePorts {
	m.Doc("One lookup engine: walks over its words, looks each up, commits the results in order.")
	io := enginePorts{
		Lane:        m.In("lane", laneWidth(p.Params)),
		Run:         runIn(m, p.Params),
		Base:        baseIn(m, "slot", p.Params),
		Fetch:       m.Out("fetch", 1),
		FetchRow:    m.Out("fetch_row", addressWidth(p.Params)),
		FetchData:   m.In("fetch_data", wordBits),
		Req:         lanes.Source(m, "req", eal.RequestQueues, eal.RequestWidth(p.Params)),
		AnswerValid: m.In("answer_valid", eal.AnswerGroups),
		Answer:      m.InVec("answer", eal.AnswerGroups, eal.AnswerWidth(p.Params)),
		Complete:    m.In("complete", rowWidth(p.Params)),
		Passed:      m.Out("passed", 1),
		Committed:   m.Out("committed", 1),
		Cached:      m.Out("cached", 1),
		Read:        m.In("result_en", 1),
		ReadRow:     m.In("result_row", addressWidth(p.Params)),
		ReadData:    m.Out("result", eal.ResultWidth(p.Params)),
	}
	advance := m.Wire("advance", 1) // the pipeline moves
	win := hw.Inst(m, "window", window(p))
	id := p.fetch(m, io, advance, win.Head)
	p.scatter(m, io, advance, id, win)

	win.Start.Set(io.Run.Start)
	win.AnswerValid.Set(io.AnswerValid)
	win.Answer.Set(io.Answer)
	io.Passed.Set(win.Head.Ne(io.Complete).Or(before(io.Complete, io.Lane, io.Run.Words).Not()))
	io.Committed.Set(win.Commit)
	io.Cached.Set(win.CommitCached)

	res := hw.Inst(m, "results", results(p))
	res.Write.Set(win.Commit)
	res.WriteRow.Set(address(p.Params, io.Run.Half, win.CommitRow))
	res.WriteData.Set(win.CommitResult)
	res.Read.Set(io.Read)
	res.ReadRow.Set(io.ReadRow)
	io.ReadData.Set(res.ReadData)
	return io
}

// lookupID is a lookup whose id is known; salt is that of its slot.
type lookupID struct{ valid, id, salt hw.Bits }

// fetch describes the first stages: choice of the next word, its way from the
// eDRAM, its id.
func (p engine) fetch(m *hw.Module, io enginePorts, advance, head hw.Bits) lookupID {
	w := hw.Inst(m, "walk", walk(p))
	w.Start.Set(io.Run.Start)
	w.Settle.Set(io.Run.Settle)
	w.Words.Set(io.Run.Words)
	w.Slots.Set(io.Run.Slots)
	w.Step.Set(io.Run.Step)
	w.Lane.Set(io.Lane)
	w.Base.connect(io.Base)

	count := p.SlotBits() + 1 // rows modulo twice the window
	full := w.Row.Trunc(count).Eq(head.Trunc(count).Xor(hw.K(p.Window))).As("window_full")
	next := io.Run.Active.And(w.More).And(full.Not()).And(advance).As("next")
	w.Next.Set(next)
	io.Fetch.Set(next)
	io.FetchRow.Set(address(p.Params, io.Run.Half, w.Row))

	fetched, fetchedSlot := m.Reg("fetched", 1, 0), m.Data("fetched_slot", indexWidth(p.Params))
	l := lookupID{m.Reg("id_valid", 1, 0), m.Data("id", p.IDBits()), m.Data("salt", indexWidth(p.Params))}
	m.When(advance, func() {
		fetched.Set(next)
		l.valid.Set(fetched)
	})
	m.When(next, func() { fetchedSlot.Set(w.Slot) })
	m.When(advance.And(fetched), func() {
		l.id.Set(w.BaseID.Add(io.FetchData.Resize(p.IDBits())))
		l.salt.Set(fetchedSlot.Mul(hw.K(saltFactor % cacheSets(p.Params))))
	})
	return l
}

// scatter describes the last stages: permutation and cache, and the way out.
func (p engine) scatter(m *hw.Module, io enginePorts, advance hw.Bits, l lookupID, win windowPorts) {
	probing := io.Run.Learn.Not().As("probing")
	perm := hw.Inst(m, "scatter", feistel.Feistel{Width: p.IDBits()})
	perm.Enable.Set(advance)
	perm.InValid.Set(l.valid)
	perm.InID.Set(l.id)
	recent := hw.Inst(m, "cache", cache(p))
	recent.Clear.Set(io.Run.Start)
	recent.Enable.Set(advance)
	recent.Valid.Set(l.valid.And(probing))
	recent.ID.Set(l.id)
	recent.Salt.Set(l.salt)
	fill := io.AnswerValid.Lowest().As("fill")
	recent.Fill.Set(fill.Any().And(probing))
	recent.Answer.Set(io.Answer.Select(fill))

	ask := perm.OutValid.And(recent.Hit.Not()).As("ask")
	queue := perm.OutID.Bit(0).As("queue_number")
	ready := m.WireVec("queue_ready", eal.RequestQueues, 1)
	m.For("queue", eal.RequestQueues, func(q hw.Index) {
		f := hw.Inst(m, "fifo", fifo.FIFO[hw.Bits]{Of: hw.Width(eal.RequestWidth(p.Params)), Depth: QueueDepth})
		f.Push.Valid.Set(ask.And(queue.Eq(q.Bits(1))))
		f.Push.Data.Set(eal.Request(p.Params, perm.OutID, win.LeaveSlot))
		ready.At(q).Set(f.Push.Ready)
		io.Req.At(q).Connect(f.Pop)
	})
	advance.Set(ask.Not().Or(ready.Index(queue)))

	win.Leave.Set(perm.OutValid.And(advance))
	win.LeaveCached.Set(recent.Hit)
	win.LeaveResult.Set(recent.Result)
	win.LeaveGroup.Set(perm.OutID.Trunc(hw.IndexWidth(eal.AnswerGroups)))
}
