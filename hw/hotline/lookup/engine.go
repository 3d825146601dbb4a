package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
)

// lookupEngine is a lookup engine. Its whole pipeline stalls while the lookup at its end cannot
// enter its queue.
type lookupEngine struct{ Sizes }

type enginePorts struct {
	Lane      hw.Bits                          `hw:"in,LaneBits" doc:"number of the engine"`
	Run       run                              `hw:"in,inline"`
	Slot      SlotWrite                        `hw:"in" doc:"id of row 0 of a slot's table"`
	Fetch     Access                           `hw:"out" doc:"reads of the eDRAM"`
	FetchData hw.Bits                          `hw:"in,32" doc:"the word, a cycle after fetch_en and until the next"`
	Request   hw.Array[hw.Stream[eal.Request]] `hw:"out,len=Queues" doc:"to the EAL, by queue"`
	Answer    hw.Array[eal.Reply]              `hw:"in,len=Groups" doc:"from the EAL, by group"`
	Reached   hw.Bits                          `hw:"out,RowBits" doc:"rows that it has committed; all ones if it has no more words"`
	Events    engineEvents                     `hw:"out,inline"`
	Read      hw.Bits                          `hw:"in,name=result_en" doc:"reads a result"`
	ReadRow   hw.Bits                          `hw:"in,AddressBits,name=result_row" doc:"half, row of the half"`
	Result    eal.Result                       `hw:"out" doc:"a cycle after result_en, until the next"`
}

// engineEvents are the events of an engine that are counted.
type engineEvents struct {
	Committed   hw.Bits `doc:"a result was committed"`
	Cached      hw.Bits `doc:"the cache had it"`
	Hot         hw.Bits `doc:"the EAL has its row"`
	WindowStall hw.Bits `doc:"a word waits for the window"`
	QueueStall  hw.Bits `doc:"a lookup waits for a bank queue"`
	Refused     hw.Bits `hw:"Queues" doc:"by queue: the EAL did not take its request"`
}

// Groups returns the number of answer ports.
func (p lookupEngine) Groups() int { return eal.AnswerGroups }

// Build describes the engine.
func (p lookupEngine) Build(m *hw.Module) enginePorts {
	m.Doc("One lookup engine: walks over its words, looks each up, commits the results in order.")
	io := hw.Ports[enginePorts](m)
	advance := m.Wire("advance", 1) // the pipeline advances
	win := hw.Inst(m, "window", lookupWindow{Window: p.Window, Ways: p.Ways, RowBits: p.RowBits()})
	id := p.fetch(m, io, advance, win.Head)
	p.scatter(m, io, advance, id, win)

	win.Start.Set(io.Run.Start)
	hw.Set(win.Answer, io.Answer)
	io.Reached.Set(p.reached(m, io, win.Head))
	io.Events.Committed.Set(win.Commit.Valid)
	io.Events.Cached.Set(win.Commit.Cached)
	io.Events.Hot.Set(win.Commit.Valid.And(win.Commit.Hit))

	res := hw.Inst(m, "results", lookupResults{HalfRows: p.HalfRows(), Ways: p.Ways})
	res.Write.Set(win.Commit.Valid)
	res.WriteRow.Set(p.address(io.Run.Half, win.Commit.Row))
	hw.Set(res.WriteData, win.Commit.Result)
	res.Read.Set(io.Read)
	res.ReadRow.Set(io.ReadRow)
	hw.Set(io.Result, res.ReadData)
	return io
}

// reached returns the progress of the engine, delayed by one cycle.
func (p lookupEngine) reached(m *hw.Module, io enginePorts, head hw.Bits) hw.Bits {
	rows := m.Reg("reached_row", p.RowBits(), 0)
	m.When(io.Run.Start, func() { rows.Set(hw.K(0)) }).Else(func() {
		rows.Set(hw.Mux(before(head, io.Lane, io.Run.Words), head, hw.Ones(p.RowBits())))
	})
	return rows
}

// happened returns now one cycle later.
func happened(m *hw.Module, name string, now hw.Bits) hw.Bits {
	was := m.Reg(name, now.Width(), 0)
	was.Set(now)
	return was
}

// lookupID is a lookup with its id and the salt of its lookup slot.
type lookupID struct{ valid, id, salt hw.Bits }

// fetch describes the first stages: it chooses the next word, reads it from the eDRAM and computes
// its id.
func (p lookupEngine) fetch(m *hw.Module, io enginePorts, advance, head hw.Bits) lookupID {
	w := hw.Inst(m, "walk", lookupWalk{Engines: p.Engines, IDBits: p.IDBits, WordsBits: p.WordsBits(), RowBits: p.RowBits(), Slots: p.Slots, SaltBits: p.IndexBits()})
	w.Start.Set(io.Run.Start)
	w.Settle.Set(io.Run.Settle)
	w.Words.Set(io.Run.Words)
	w.Slots.Set(io.Run.Slots)
	w.Step.Set(io.Run.Step)
	w.Lane.Set(io.Lane)
	hw.Set(w.Slot, io.Slot)

	count := p.TicketBits() + 1 // rows modulo twice the window
	full := w.Row.Trunc(count).Eq(head.Trunc(count).Xor(hw.Named("window", p.Window))).As("window_full")
	wanted := io.Run.Active.And(w.More).And(advance).As("wanted")
	next := wanted.And(full.Not()).As("next")
	io.Events.WindowStall.Set(happened(m, "window_stalled", wanted.And(full)))
	w.Next.Set(next)
	hw.Set(io.Fetch, Access{next, p.address(io.Run.Half, w.Row)})

	fetched, fetchedSalt := m.Reg("fetched", 1, 0), m.Data("fetched_salt", p.IndexBits())
	l := lookupID{m.Reg("id_valid", 1, 0), m.Data("id", p.IDBits), m.Data("salt", p.IndexBits())}
	m.When(advance, func() {
		fetched.Set(next)
		l.valid.Set(fetched)
	})
	m.When(next, func() { fetchedSalt.Set(w.Salt) })
	m.When(advance.And(fetched), func() {
		l.id.Set(w.BaseID.Add(io.FetchData.Resize(p.IDBits)))
		l.salt.Set(fetchedSalt.Mul(hw.Named("salt_factor", saltFactor%p.CacheSets())))
	})
	return l
}

// scatter describes the last stages: randomizer and cache, and the queues to the EAL.
func (p lookupEngine) scatter(m *hw.Module, io enginePorts, advance hw.Bits, l lookupID, win windowPorts) {
	perm := hw.Inst(m, "randomizer", randomizer.Randomizer{Width: p.IDBits})
	perm.Enable.Set(advance)
	hw.Set(perm.In, randomizer.Entry{Valid: l.valid, ID: l.id})
	recent := p.cache(m, io, advance, l)

	merged := m.Data("merged", arch.Log2(Refresh)) // number of learning lookups that the cache had, modulo Refresh
	known := recent.Hit.And(io.Run.Learn.And(merged.All()).Not()).As("known")
	ask := perm.Out.Valid.And(known.Not()).As("ask")
	queue := perm.Out.ID.Bit(0).As("queue_number")
	request := eal.Request{Key: perm.Out.ID.Slice(p.IDBits-1, 1), Ticket: win.Ticket}
	ready := m.WireVec("queue_ready", eal.RequestQueues, 1)
	m.For("queue", eal.RequestQueues, func(q hw.Index) {
		f := hw.Inst(m, "fifo", fifo.FIFO[eal.Request]{Of: hw.Of[eal.Request](p), Depth: QueueDepth})
		f.Push.Valid.Set(ask.And(queue.Eq(q.Bits(1))))
		hw.Set(f.Push.Data, request)
		ready.At(q).Set(f.Push.Ready)
		m.Unused(f.Level)
		hw.Connect(io.Request.At(q), f.Pop)
	})
	advance.Set(ask.Not().Or(ready.Index(queue)))
	io.Events.QueueStall.Set(happened(m, "stalled", advance.Not()))
	refused := hw.Valids(io.Request).Pack().And(hw.Readies(io.Request).Pack().Not())
	io.Events.Refused.Set(happened(m, "refused_requests", refused))
	m.When(io.Run.Start, func() { merged.Set(hw.K(0)) }).
		ElseWhen(io.Run.Learn.And(recent.Hit).And(advance), func() { merged.Set(merged.Inc()) })

	hw.Set(win.Leave, leaving{
		Valid:  perm.Out.Valid.And(advance),
		outset: outset{Cached: known, Group: perm.Out.ID.Trunc(hw.IndexWidth(eal.AnswerGroups)), Result: recent.Result},
	})
}

// cache describes the cache, which works in parallel with the randomizer. It accepts one answer per
// cycle. While learning, it accepts hits only: their RRPV is already RRPVHit, so another lookup
// immediately afterwards would change nothing.
func (p lookupEngine) cache(m *hw.Module, io enginePorts, advance hw.Bits, l lookupID) cachePorts {
	c := hw.Inst(m, "cache", lookupCache{IDBits: p.IDBits, Ways: p.Ways, Window: p.Window, Sets: p.CacheSets()})
	c.Start.Set(io.Run.Start)
	c.Forget.Set(io.Run.Forget)
	c.Enable.Set(advance)
	c.Valid.Set(l.valid)
	c.ID.Set(l.id)
	c.Salt.Set(l.salt)
	of := hw.Of[eal.Answer](p)
	words := m.WireVec("answer_word", eal.AnswerGroups, of.Bits())
	m.For("answer", eal.AnswerGroups, func(g hw.Index) { words.At(g).Set(hw.Pack(io.Answer.At(g).Answer)) })
	valid := io.Answer.Vec(func(r eal.Reply) hw.Bits { return r.Valid }).Pack()
	hit := io.Answer.Vec(func(r eal.Reply) hw.Bits { return r.Hit }).Pack()
	first := hw.Mux(io.Run.Learn, valid.And(hit), valid).Lowest().As("first_answer")
	hw.Set(c.Fill, eal.Reply{Valid: first.Any(), Answer: of.Unpack(m, words.Select(first))})
	return c
}
