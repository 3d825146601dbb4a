package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

// Lookup is the array of lookup engines.
type Lookup struct{ Sizes }

// Of is the array of an accelerator.
func Of(p arch.Params) Lookup { return Lookup{sizesOf(p)} }

// Ports are the ports of a Lookup. Element e of a vector, bit e of a number, is
// engine e.
type Ports struct {
	RunPorts
	NetworkPorts
}

// RunPorts are the ports to the rest of the accelerator.
type RunPorts struct {
	Control  `hw:"in"`
	Answered hw.Bits `hw:"out,CountBits" doc:"results committed in a cycle"`
	Cached   hw.Bits `hw:"out,CountBits" doc:"those of them that caches had"`
}

// Control is how the dispatcher works with the array. Vectors are by engine.
//
// Start begins a run over Words words of a half of the eDRAM, with Slots lookups
// per input; it may come when Busy is 0. The slot registers are written between
// runs. An EDRAM.Row and a ReadRow is {half, row of the half}. The results of a half
// stay until its next run.
type Control struct {
	Start hw.Bits
	Learn hw.Bits
	Half  hw.Bits
	Words hw.Bits `hw:"WordsBits"`
	Slots hw.Bits `hw:"SlotCountBits" doc:"lookups per input, at least 1"`
	Slot  SlotWrite

	EDRAM     hw.Array[Access] `hw:"back,len=Engines"`
	EDRAMData hw.Vec           `hw:"32,len=Engines" doc:"the word, a cycle after edram_en and until the next"`

	Read    hw.Bits              `hw:"name=result_en"`
	ReadRow hw.Bits              `hw:"AddressBits,name=result_row"`
	Result  hw.Array[eal.Result] `hw:"back,len=Engines" doc:"a cycle after result_en, until the next"`

	ScanRow  hw.Bits `hw:"AddressBits" doc:"a row of the present run; its half does not matter"`
	RowReady hw.Bits `hw:"back" doc:"every engine has committed its word of scan_row, or has none"`
	Busy     hw.Bits `hw:"back" doc:"not all results are committed"`
}

// Access reads a word of an engine's bank of the eDRAM.
type Access struct {
	Enable hw.Bits `hw:"name=en"`
	Row    hw.Bits `hw:"AddressBits" doc:"half, row of the half"`
}

// NetworkPorts are the ports to an EAL, and as it has them.
type NetworkPorts struct {
	Request  hw.Array[hw.Stream[eal.Request]] `hw:"out,len=RequestPorts"`
	Answer   hw.Array[eal.Reply]              `hw:"in,len=AnswerPorts"`
	EALLearn hw.Bits                          `hw:"out" doc:"requests learn"`
}

// Build describes the array.
func (p Lookup) Build(m *hw.Module) Ports {
	m.Doc("Array of lookup engines: looks up the words of a mini-batch in the EAL and keeps the results.")
	io := hw.Ports[Ports](m)
	passed := m.WireVec("passed", p.Engines, 1)
	run, at := p.sequence(m, io, passed.Pack().All())
	committed, cached := m.WireVec("engine_committed", p.Engines, 1), m.WireVec("engine_cached", p.Engines, 1)

	m.For("engine", p.Engines, func(e hw.Index) {
		unit := hw.Inst(m, "unit", lookupEngine(p))
		unit.Lane.Set(e.Bits(p.LaneBits()))
		hw.Set(unit.Run, run)
		hw.Set(unit.Slot, io.Slot)
		hw.Set(io.EDRAM.At(e), unit.Fetch)
		unit.FetchData.Set(io.EDRAMData.At(e))

		m.For("queue", eal.RequestQueues, func(q hw.Index) {
			hw.Connect(io.Request.At(e.Times(eal.RequestQueues).Add(q)), unit.Request.At(q))
		})
		m.For("group", eal.AnswerGroups, func(g hw.Index) {
			hw.Set(unit.Answer.At(g), io.Answer.At(e.Times(eal.AnswerGroups).Add(g)))
		})

		unit.Complete.Set(at.complete)
		passed.At(e).Set(unit.Passed)
		committed.At(e).Set(unit.Committed)
		cached.At(e).Set(unit.Cached)
		unit.Read.Set(io.Read)
		unit.ReadRow.Set(io.ReadRow)
		hw.Set(io.Result.At(e), unit.Result)
	})
	io.EALLearn.Set(run.Learn)
	io.Busy.Set(at.busy)
	row := io.ScanRow.Trunc(p.AddressBits() - 1).Resize(p.RowBits())
	io.RowReady.Set(at.finished.Or(row.Lt(at.complete)))

	answered, hits := m.Reg("answered_count", p.CountBits(), 0), m.Reg("cached_count", p.CountBits(), 0)
	answered.Set(committed.Pack().Count())
	hits.Set(cached.Pack().Count())
	io.Answered.Set(answered)
	io.Cached.Set(hits)
	return io
}
