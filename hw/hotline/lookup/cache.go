package lookup

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/feistel"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// cache keeps recent answers of an engine by row id, in sets of 2 ways. A hit
// makes its entry sticky. A new answer goes to the way that the set's clock
// pointer shows, unless that is sticky: then it loses that, and the answer is
// dropped. The pointer advances either way.
//
// A lookup takes as long as the Feistel permutation beside it. Its id is kept by
// window slot, for the answer that may come later.
type cache struct{ arch.Params }

type cachePorts struct {
	Clear hw.Bits // forget everything; no lookup or fill is under way

	Enable hw.Bits // the lookups advance
	Valid  hw.Bits // lookups come in the order of their window slots
	ID     hw.Bits
	Salt   hw.Bits // of the lookup slot; part of the set's number
	Hit    hw.Bits // feistel.Rounds cycles with Enable later, 0 if there was no lookup
	Result hw.Bits

	Fill   hw.Bits // an answer from the EAL,
	Answer hw.Bits // this
}

// ModuleName names the module.
func (p cache) ModuleName() string { return "lookup_cache" }

// Build describes the cache.
func (p cache) Build(m *hw.Module) cachePorts {
	m.Doc("Recent answers of one engine by row id: 2 ways, a sticky bit per entry, a clock pointer per set.")
	io := cachePorts{
		Clear:  m.In("clear", 1),
		Enable: m.In("enable", 1),
		Valid:  m.In("valid", 1),
		ID:     m.In("id", p.IDBits()),
		Salt:   m.In("salt", indexWidth(p.Params)),
		Hit:    m.Out("hit", 1),
		Result: m.Out("result", eal.ResultWidth(p.Params)),
		Fill:   m.In("fill", 1),
		Answer: m.In("answer", eal.AnswerWidth(p.Params)),
	}
	look := p.look(m, io)
	fill := p.fill(m, io, look)

	pointer := m.Reg("pointer", cacheSets(p.Params), 0)
	turn := pointer.And(fill.set).Any().As("turn")
	m.When(io.Clear, func() { pointer.Set(hw.K(0)) }).
		ElseWhen(fill.valid, func() { pointer.Set(pointer.Xor(fill.set)) })

	match := m.WireVec("match", cacheWays, 1)
	results := m.WireVec("match_result", cacheWays, eal.ResultWidth(p.Params))
	m.For("way", cacheWays, func(w hw.Index) {
		live, sticky := m.Reg("live", cacheSets(p.Params), 0), m.Reg("sticky", cacheSets(p.Params), 0)
		used := fill.valid.And(turn.Eq(w.Bits(1))).As("fill_turn")
		replace := used.And(sticky.And(fill.set).Any().Not()).As("replace")

		entries := hw.Inst(m, "entries", ram.SimpleDual{Depth: cacheSets(p.Params), Width: p.IDBits() + eal.ResultWidth(p.Params)})
		entries.Write.Set(replace)
		entries.WAddr.Set(fill.index)
		entries.WData.Set(hw.Cat(fill.id, fill.result))
		entries.Read.Set(io.Enable.And(io.Valid))
		entries.RAddr.Set(look.next)
		// Read with the entry: a fill in this very cycle counts for neither.
		wasLive := m.Data("was_live", 1)
		m.When(entries.Read, func() { wasLive.Set(live.And(look.nextSet).Any()) })

		id := entries.RData.Slice(entries.RData.Width()-1, eal.ResultWidth(p.Params))
		found := look.valid.And(wasLive).And(id.Eq(look.id)).As("found")
		match.At(w).Set(found)
		results.At(w).Set(entries.RData.Trunc(eal.ResultWidth(p.Params)))

		cooled := sticky.And(hw.Mux(used, fill.set, hw.K(0)).Not())
		m.When(io.Clear, func() {
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

// lookStage is the lookup that is compared: its id, and the number of its set
// also one-hot; next and nextSet are those of the lookup that comes.
type lookStage struct{ valid, id, index, set, next, nextSet hw.Bits }

func (p cache) look(m *hw.Module, io cachePorts) lookStage {
	width := indexWidth(p.Params)
	s := lookStage{
		valid: m.Reg("look_valid", 1, 0),
		id:    m.Data("look_id", p.IDBits()),
		index: m.Data("look_index", width),
		next:  io.ID.Trunc(width).Xor(io.ID.Slice(p.IDBits()-1, 7).Resize(width)).Xor(io.Salt).As("index"),
	}
	s.set = s.index.Decode(cacheSets(p.Params)).As("look_set")
	s.nextSet = s.next.Decode(cacheSets(p.Params)).As("index_set")
	m.When(io.Enable, func() {
		s.valid.Set(io.Valid)
		m.When(io.Valid, func() {
			s.id.Set(io.ID)
			s.index.Set(s.next)
		})
	})
	return s
}

// fillStage is the answer that may enter the cache.
type fillStage struct{ valid, id, index, set, result hw.Bits }

// fill finds id and set of an answer by its window slot.
func (p cache) fill(m *hw.Module, io cachePorts, look lookStage) fillStage {
	slot := m.Reg("entered", p.SlotBits(), 0)
	enter := look.valid.And(io.Enable).As("enter")
	m.When(io.Clear, func() { slot.Set(hw.K(0)) }).ElseWhen(enter, func() { slot.Set(slot.Inc()) })

	asked := hw.Inst(m, "asked", ram.SimpleDual{Depth: p.Window, Width: indexWidth(p.Params) + p.IDBits()})
	asked.Write.Set(enter)
	asked.WAddr.Set(slot)
	asked.WData.Set(hw.Cat(look.index, look.id))
	asked.Read.Set(io.Fill)
	asked.RAddr.Set(eal.Slot(p.Params, io.Answer))

	s := fillStage{
		valid:  m.Reg("fill_valid", 1, 0),
		result: m.Data("fill_result", eal.ResultWidth(p.Params)),
		id:     asked.RData.Trunc(p.IDBits()),
		index:  asked.RData.Slice(asked.RData.Width()-1, p.IDBits()),
	}
	s.set = s.index.Decode(cacheSets(p.Params)).As("fill_set")
	s.valid.Set(io.Fill)
	m.When(io.Fill, func() { s.result.Set(eal.Result(p.Params, io.Answer)) })
	return s
}

// delay brings the outcome of the comparison to the end of the permutation.
func (p cache) delay(m *hw.Module, io cachePorts, match hw.Bits, results hw.Vec) {
	hit, result := match.Any(), results.Select(match)
	for k := 2; k <= feistel.Rounds; k++ {
		nextHit, nextResult := m.Reg(fmt.Sprintf("hit%d", k), 1, 0), m.Data(fmt.Sprintf("result%d", k), result.Width())
		h, r := hit, result
		m.When(io.Enable, func() {
			nextHit.Set(h)
			m.When(h, func() { nextResult.Set(r) })
		})
		hit, result = nextHit, nextResult
	}
	io.Hit.Set(hit)
	io.Result.Set(result)
}
