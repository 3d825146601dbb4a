package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/lib/lanes"
)

// Lookup is the array of lookup engines.
type Lookup struct{ arch.Params }

// Ports are the ports of a Lookup. Element e of a vector, bit e of a number, is
// engine e.
//
// Start begins a run over Words words of a half of the eDRAM, with Slots lookups
// per input, 1 to Params.Slots; it may come when Busy is 0. The slot registers
// are written between runs. EDRAMData is the word a cycle after EDRAMEnable, and
// stays until the next. A result is {hit, way}; those of a half stay until its
// next run.
type Ports struct {
	Start, Learn, Half, Words, Slots hw.Bits
	Slot                             baseWrite // slot_we, slot_addr, slot_base: id of row 0 of the slot's table

	EDRAMEnable hw.Bits // E bits
	EDRAMRow    hw.Vec  // {half, row of the half}
	EDRAMData   hw.Vec

	Read    hw.Bits // result_en
	ReadRow hw.Bits // result_row, {half, row of the half}
	Result  hw.Vec  // a cycle after Read, until the next

	ScanRow  hw.Bits // a row of the present run; its half does not matter
	RowReady hw.Bits // every engine has committed its word of ScanRow, or has none

	Busy             hw.Bits // not all results are committed
	Answered, Cached hw.Bits // results committed in a cycle, and those of them that caches had

	Req      lanes.Lanes // to the EAL, as in package eal
	Ans      eal.Answers
	EALLearn hw.Bits // to the EAL
}

// ModuleName names the module.
func (p Lookup) ModuleName() string { return "lookup" }

// Build describes the array.
func (p Lookup) Build(m *hw.Module) Ports {
	m.Doc("Array of lookup engines: looks up the words of a mini-batch in the EAL and keeps the results.")
	io := p.ports(m)
	passed := m.WireVec("passed", p.Engines, 1)
	run, at := p.sequence(m, io, passed.Pack().All())
	fetch := m.WireVec("fetch", p.Engines, 1)
	committed, cached := m.WireVec("engine_committed", p.Engines, 1), m.WireVec("engine_cached", p.Engines, 1)

	m.For("engine", p.Engines, func(e hw.Index) {
		unit := hw.Inst(m, "unit", engine(p))
		unit.Lane.Set(e.Bits(laneWidth(p.Params)))
		unit.Run.connect(run)
		unit.Base.connect(io.Slot)
		fetch.At(e).Set(unit.Fetch)
		io.EDRAMRow.At(e).Set(unit.FetchRow)
		unit.FetchData.Set(io.EDRAMData.At(e))

		m.For("queue", eal.RequestQueues, func(q hw.Index) {
			io.Req.At(e.Times(eal.RequestQueues).Add(q)).Connect(unit.Req.At(q))
		})
		valid := m.WireVec("answer_valid", eal.AnswerGroups, 1)
		m.For("group", eal.AnswerGroups, func(g hw.Index) {
			from := e.Times(eal.AnswerGroups).Add(g)
			valid.At(g).Set(io.Ans.Valid.At(from))
			unit.Answer.At(g).Set(io.Ans.Data.At(from))
		})
		unit.AnswerValid.Set(valid.Pack())

		unit.Complete.Set(at.complete)
		passed.At(e).Set(unit.Passed)
		committed.At(e).Set(unit.Committed)
		cached.At(e).Set(unit.Cached)
		unit.Read.Set(io.Read)
		unit.ReadRow.Set(io.ReadRow)
		io.Result.At(e).Set(unit.ReadData)
	})
	io.EDRAMEnable.Set(fetch.Pack())
	io.EALLearn.Set(run.Learn)
	io.Busy.Set(at.busy)
	row := io.ScanRow.Trunc(addressWidth(p.Params) - 1).Resize(rowWidth(p.Params))
	io.RowReady.Set(at.finished.Or(row.Lt(at.complete)))

	answered, hits := m.Reg("answered_count", io.Answered.Width(), 0), m.Reg("cached_count", io.Cached.Width(), 0)
	answered.Set(committed.Pack().Count())
	hits.Set(cached.Pack().Count())
	io.Answered.Set(answered)
	io.Cached.Set(hits)
	return io
}

func (p Lookup) ports(m *hw.Module) Ports {
	return Ports{
		Start:       m.In("start", 1),
		Learn:       m.In("learn", 1),
		Half:        m.In("half", 1),
		Words:       m.In("words", hw.CountWidth(p.HalfWords())),
		Slots:       m.In("slots", slotsWidth(p.Params)),
		Slot:        baseIn(m, "slot", p.Params),
		EDRAMEnable: m.Out("edram_en", p.Engines),
		EDRAMRow:    m.OutVec("edram_row", p.Engines, addressWidth(p.Params)),
		EDRAMData:   m.InVec("edram_data", p.Engines, wordBits),
		Read:        m.In("result_en", 1),
		ReadRow:     m.In("result_row", addressWidth(p.Params)),
		Result:      m.OutVec("result", p.Engines, eal.ResultWidth(p.Params)),
		ScanRow:     m.In("scan_row", addressWidth(p.Params)),
		RowReady:    m.Out("row_ready", 1),
		Busy:        m.Out("busy", 1),
		Answered:    m.Out("answered", hw.CountWidth(p.Engines)),
		Cached:      m.Out("cached", hw.CountWidth(p.Engines)),
		Req:         eal.RequestsOut(m, "req", p.Params),
		Ans:         eal.AnswersIn(m, "ans", p.Params),
		EALLearn:    m.Out("eal_learn", 1),
	}
}
