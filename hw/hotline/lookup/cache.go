package lookup

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// lookupCache caches recent results of an engine by row id, in sets of 2 ways. A hit makes its
// entry sticky. The set's clock pointer selects the way for a new result. If that way is sticky, it
// loses its sticky bit and the result is dropped. The pointer advances in both cases.
//
// A lookup takes as many stages as the randomizer, which works in parallel. The cache keeps the id
// of a lookup by ticket, for the answer that may come later.
type lookupCache struct {
	IDBits int `doc:"row id" unit:"bits"`
	Ways   int `doc:"size of an EAL set" unit:"blocks"`
	Window int `doc:"lookups in flight per engine"`
	Sets   int `doc:"sets of the cache"`
}

type cachePorts struct {
	Start  hw.Bits `hw:"in" doc:"tickets begin with 0; no lookup or fill is in flight"`
	Forget hw.Bits `hw:"in" doc:"with start: forget everything"`

	Enable hw.Bits    `hw:"in" doc:"the lookups advance"`
	Valid  hw.Bits    `hw:"in" doc:"lookups come in the order of their tickets"`
	ID     hw.Bits    `hw:"in,IDBits" doc:"row id"`
	Salt   hw.Bits    `hw:"in,IndexBits" doc:"of the lookup slot; part of the set's number"`
	Hit    hw.Bits    `hw:"out" doc:"after as many cycles with enable as the randomizer takes; 0 without a lookup"`
	Result eal.Result `hw:"out" doc:"if hit"`

	Fill eal.Reply `hw:"in" doc:"an answer from the EAL"`
}

// cacheEntry is a word of a way.
type cacheEntry struct {
	ID     hw.Bits `hw:"IDBits"`
	Result eal.Result
}

// question is a lookup that may have been sent to the EAL.
type question struct {
	Index hw.Bits `hw:"IndexBits"` // number of its set
	ID    hw.Bits `hw:"IDBits"`
}

// TicketBits returns the width of a lookup's position in the window.
func (p lookupCache) TicketBits() int { return arch.Log2(p.Window) }

// WayBits returns the width of a way number.
func (p lookupCache) WayBits() int { return arch.Log2(p.Ways) }

// IndexBits returns the width of a set number.
func (p lookupCache) IndexBits() int { return hw.IndexWidth(p.Sets) }

// Build describes the cache.
func (p lookupCache) Build(m *hw.Module) cachePorts {
	m.Doc("Recent answers of one engine by row id: 2 ways, a sticky bit per entry, a clock pointer per set.")
	io := hw.Ports[cachePorts](m)
	look := p.look(m, io)
	fill := p.fill(m, io, look)

	pointer := m.Reg("pointer", p.Sets, 0)
	turn := pointer.And(fill.set).Any().As("turn")
	clear := io.Start.And(io.Forget).As("clear")
	m.When(clear, func() { pointer.Set(hw.K(0)) }).
		ElseWhen(fill.valid, func() { pointer.Set(pointer.Xor(fill.set)) })

	match := m.WireVec("match", cacheWays, 1)
	results := m.WireVec("match_result", cacheWays, hw.Of[eal.Result](p).Bits())
	m.For("way", cacheWays, func(w hw.Index) {
		live, sticky := m.Reg("live", p.Sets, 0), m.Reg("sticky", p.Sets, 0)
		used := fill.valid.And(turn.Eq(w.Bits(1))).As("fill_turn")
		replace := used.And(sticky.And(fill.set).Any().Not()).As("replace")

		entries := hw.Inst(m, "entries", ram.SimpleDual[cacheEntry]{Of: hw.Of[cacheEntry](p), Depth: p.Sets})
		entries.Write.Set(replace)
		entries.WAddr.Set(fill.asked.Index)
		hw.Set(entries.WData, cacheEntry{ID: fill.asked.ID, Result: fill.result})
		entries.Read.Set(io.Enable.And(io.Valid))
		entries.RAddr.Set(look.next)
		// Sampled when the entry is read: a fill in the same cycle affects neither.
		wasLive := m.Data("was_live", 1)
		m.When(entries.Read, func() { wasLive.Set(live.And(look.nextSet).Any()) })

		found := look.valid.And(wasLive).And(entries.RData.ID.Eq(look.asked.ID)).As("found")
		match.At(w).Set(found)
		results.At(w).Set(hw.Pack(entries.RData.Result))

		cooled := sticky.And(hw.Mux(used, fill.set, hw.K(0)).Not())
		m.When(clear, func() {
			live.Set(hw.K(0))
			sticky.Set(hw.K(0))
		}).Else(func() {
			live.Set(live.Or(hw.Mux(replace, fill.set, hw.K(0))))
			sticky.Set(cooled.Or(hw.Mux(found.And(io.Enable), look.set, hw.K(0))))
		})
	})
	p.delay(m, io, match.Pack(), results)
	return io
}

// lookStage is the lookup that is being compared, and its one-hot set. next and nextSet are the set
// of the next lookup.
type lookStage struct {
	valid              hw.Bits
	asked              question
	set, next, nextSet hw.Bits
}

func (p lookupCache) look(m *hw.Module, io cachePorts) lookStage {
	width := p.IndexBits()
	s := lookStage{
		valid: m.Reg("look_valid", 1, 0),
		asked: hw.Data[question](m, "look"),
		next:  io.ID.Trunc(width).Xor(io.ID.Slice(p.IDBits-1, 7).Resize(width)).Xor(io.Salt).As("index"),
	}
	s.set = s.asked.Index.Decode(p.Sets).As("look_set")
	s.nextSet = s.next.Decode(p.Sets).As("index_set")
	m.When(io.Enable, func() {
		s.valid.Set(io.Valid)
		m.When(io.Valid, func() { hw.Set(s.asked, question{Index: s.next, ID: io.ID}) })
	})
	return s
}

// fillStage is the answer that may enter the cache, and its one-hot set.
type fillStage struct {
	valid  hw.Bits
	asked  question
	set    hw.Bits
	result eal.Result
}

// fill finds the id and the set of an answer by its ticket.
func (p lookupCache) fill(m *hw.Module, io cachePorts, look lookStage) fillStage {
	ticket := m.Reg("entered", p.TicketBits(), 0)
	enter := look.valid.And(io.Enable).As("enter")
	m.When(io.Start, func() { ticket.Set(hw.K(0)) }).ElseWhen(enter, func() { ticket.Set(ticket.Inc()) })

	asked := hw.Inst(m, "asked", ram.SimpleDual[question]{Of: hw.Of[question](p), Depth: p.Window})
	asked.Write.Set(enter)
	asked.WAddr.Set(ticket)
	hw.Set(asked.WData, look.asked)
	asked.Read.Set(io.Fill.Valid)
	asked.RAddr.Set(io.Fill.Ticket)

	s := fillStage{
		valid:  m.Reg("filling", 1, 0),
		asked:  asked.RData,
		set:    asked.RData.Index.Decode(p.Sets).As("fill_set"),
		result: hw.Data[eal.Result](m, "fill_result"),
	}
	s.valid.Set(io.Fill.Valid)
	m.When(io.Fill.Valid, func() { hw.Set(s.result, io.Fill.Result) })
	return s
}

// delay delays the result of the comparison to the last stage of the permutation.
func (p lookupCache) delay(m *hw.Module, io cachePorts, match hw.Bits, results hw.Vec) {
	hit, result := match.Any(), hw.Unpack[eal.Result](m, results.Select(match))
	for k := 2; k <= randomizer.Rounds; k++ {
		nextHit, nextResult := m.Reg(fmt.Sprintf("hit%d", k), 1, 0), hw.Data[eal.Result](m, fmt.Sprintf("result%d", k))
		h, r := hit, result
		m.When(io.Enable, func() {
			nextHit.Set(h)
			m.When(h, func() { hw.Set(nextResult, r) })
		})
		hit, result = nextHit, nextResult
	}
	io.Hit.Set(hit)
	hw.Set(io.Result, result)
}
