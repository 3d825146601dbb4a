package eal

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/lanes"
)

// Each engine has RequestQueues ports for requests, chosen by the low bits of
// the bank, and AnswerGroups ports for answers, one for each group of banks,
// again by the low bits. Port q of engine e is element RequestQueues·e + q, port
// g element AnswerGroups·e + g.
const (
	RequestQueues = 2
	AnswerGroups  = 4
)

// EngineGroups is the number of groups of engines that a bank queues apart.
const EngineGroups = 2

// RequestWidth is the width of a request: {tag, row, bank without its low bit,
// slot}, most significant first.
func RequestWidth(p arch.Params) int { return p.IDBits() - 1 + p.SlotBits() }

// Request makes a request from a key and the engine's slot.
func Request(p arch.Params, key, slot hw.Bits) hw.Bits {
	return hw.Cat(key.Slice(p.IDBits()-1, 1), slot)
}

// ResultWidth is the width of a result: {hit, way}.
func ResultWidth(p arch.Params) int { return 1 + p.WayBits() }

// AnswerWidth is the width of an answer: {slot, hit, way}.
func AnswerWidth(p arch.Params) int { return p.SlotBits() + ResultWidth(p) }

// Slot is the slot of an answer.
func Slot(p arch.Params, answer hw.Bits) hw.Bits {
	return answer.Slice(AnswerWidth(p)-1, ResultWidth(p))
}

// Result is the {hit, way} of an answer.
func Result(p arch.Params, answer hw.Bits) hw.Bits { return answer.Trunc(ResultWidth(p)) }

// Answers are the answers to all engines. They are never stalled.
type Answers struct {
	Valid hw.Vec // AnswerGroups·E elements of one bit
	Data  hw.Vec // likewise, of AnswerWidth bits
}

// AnswersIn declares the answers to all engines as inputs name_valid and
// name_data.
func AnswersIn(m *hw.Module, name string, p arch.Params) Answers {
	n := AnswerGroups * p.Engines
	return Answers{m.InVec(name+"_valid", n, 1), m.InVec(name+"_data", n, AnswerWidth(p))}
}

// answersOut declares the answers to some engines as outputs.
func answersOut(m *hw.Module, name string, engines int, p arch.Params) Answers {
	n := AnswerGroups * engines
	return Answers{m.OutVec(name+"_valid", n, 1), m.OutVec(name+"_data", n, AnswerWidth(p))}
}

// RequestsOut declares the requests of all engines as the sending side.
func RequestsOut(m *hw.Module, name string, p arch.Params) lanes.Lanes {
	return lanes.Source(m, name, RequestQueues*p.Engines, RequestWidth(p))
}

// BlockWidth is the width of a block in memory: {valid, RRPV of 2 bits, tag}.
func BlockWidth(p arch.Params) int { return 3 + p.TagBits }

// SetWidth is the width of a set in memory: its blocks, way 0 least significant.
func SetWidth(p arch.Params) int { return p.Ways * BlockWidth(p) }

// Block in memory.
func (b Block) word(p arch.Params) uint64 {
	w := uint64(b.RRPV)<<p.TagBits | uint64(b.Tag)
	if b.Valid {
		w |= 1 << (p.TagBits + 2)
	}
	return w
}

// Word is a set as the memory holds it and the scan port shows it,
// little-endian words of 64 bits.
func (t *Tracker) Word(bank, row int) []uint64 {
	out := make([]uint64, (SetWidth(t.p)+63)/64)
	width := BlockWidth(t.p)
	for w, b := range t.Set(bank, row) {
		x, at := b.word(t.p), w*width
		out[at/64] |= x << (at % 64)
		if at%64+width > 64 {
			out[at/64+1] |= x >> (64 - at%64)
		}
	}
	return out
}
