package lookup

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

// Lookup is the array of lookup engines.
type Lookup struct{ Sizes }

// Of returns the array of an accelerator.
func Of(p arch.Params) Lookup { return Lookup{sizesOf(p)} }

// Ports are the ports of a Lookup. Element e of a vector, and bit e of a bit mask, belong to engine
// e.
type Ports struct {
	RunPorts
	NetworkPorts
}

// RunPorts are the ports to the rest of the accelerator.
type RunPorts struct {
	Control `hw:"in"`
	Events  Events `hw:"out,inline"`
}

// Events are the events of a cycle that are counted.
type Events struct {
	Answered     hw.Bits `hw:"CountBits" doc:"results committed"`
	Cached       hw.Bits `hw:"CountBits" doc:"results from caches"`
	Hot          hw.Bits `hw:"CountBits" doc:"results of hot rows"`
	WindowStalls hw.Bits `hw:"CountBits" doc:"engines whose words wait for the window"`
	QueueStalls  hw.Bits `hw:"CountBits" doc:"engines whose lookup waits for a bank queue"`
	Conflicts    hw.Bits `hw:"ConflictBits" doc:"requests that the EAL did not take"`
}

// Control is the interface to the dispatcher. Vectors are indexed by engine.
//
// Start begins a run over Words words of a half of the eDRAM, with Slots lookups per input. It is
// allowed while Busy is 0. The slot registers must be written between runs. EDRAM.Row and ReadRow
// consist of half and row of the half. The results of a half are valid until its next run.
type Control struct {
	Start hw.Bits   `doc:"pulse: begins a run"`
	Learn hw.Bits   `doc:"the run learns"`
	Half  hw.Bits   `doc:"half of the eDRAM"`
	Words hw.Bits   `hw:"WordsBits" doc:"words of the run"`
	Slots hw.Bits   `hw:"SlotCountBits" doc:"lookups per input, at least 1"`
	Slot  SlotWrite `doc:"id of row 0 of a slot's table"`

	EDRAM     hw.Array[Access] `hw:"back,len=Engines" doc:"reads of the eDRAM"`
	EDRAMData hw.Vec           `hw:"32,len=Engines" doc:"the word, a cycle after edram_en and until the next"`

	Read    hw.Bits              `hw:"name=result_en" doc:"reads a row of results"`
	ReadRow hw.Bits              `hw:"AddressBits,name=result_row" doc:"half, row of the half"`
	Result  hw.Array[eal.Result] `hw:"back,len=Engines" doc:"a cycle after result_en, until the next"`

	ScanRow  hw.Bits `hw:"AddressBits" doc:"a row of the present run; its half does not matter"`
	RowReady hw.Bits `hw:"back" doc:"every engine has committed its word of scan_row, or has none"`
	Busy     hw.Bits `hw:"back" doc:"not all results are committed"`
}

// Access reads a word of an engine's eDRAM bank.
type Access struct {
	Enable hw.Bits `hw:"name=en" doc:"reads the word of the engine"`
	Row    hw.Bits `hw:"AddressBits" doc:"half, row of the half"`
}

// NetworkPorts are the ports to an EAL; see eal.Ports.
type NetworkPorts struct {
	Request  hw.Array[hw.Stream[eal.Request]] `hw:"out,len=RequestPorts" doc:"to the EAL, by the low bit of the key"`
	Answer   hw.Array[eal.Reply]              `hw:"in,len=AnswerPorts" doc:"from the EAL, by the low bits of the key"`
	EALLearn hw.Bits                          `hw:"out" doc:"requests learn"`
}

// fromEngines holds the events of all engines.
type fromEngines struct {
	Events hw.Array[engineEvents] `hw:"inline,len=Engines"`
}

// Build describes the array.
func (p Lookup) Build(m *hw.Module) Ports {
	m.Doc("Array of lookup engines: looks up the words of a mini-batch in the EAL and keeps the results.")
	io := hw.Ports[Ports](m)
	reached := m.WireVec("reached", p.Engines, p.RowBits())
	run, at := p.sequence(m, io, p.least(m, io.Start, reached))
	events := hw.Wire[fromEngines](m, "engine").Events

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

		reached.At(e).Set(unit.Reached)
		hw.Set(events.At(e), unit.Events)
		unit.Read.Set(io.Read)
		unit.ReadRow.Set(io.ReadRow)
		hw.Set(io.Result.At(e), unit.Result)
	})
	io.EALLearn.Set(run.Learn)
	io.Busy.Set(at.busy)
	row := io.ScanRow.Trunc(p.AddressBits() - 1).Resize(p.RowBits())
	io.RowReady.Set(row.Lt(at.complete))

	p.count(m, io.Events, events)
	return io
}

// least returns the minimum of the engines' rows, computed by a binary tree of registers.
func (p Lookup) least(m *hw.Module, start hw.Bits, rows hw.Vec) hw.Bits {
	for n := rows.Len() / 2; n > 0; n /= 2 {
		of, least := rows, m.RegVec(fmt.Sprintf("least_of_%d", p.Engines/n), n, p.RowBits(), 0)
		m.For(fmt.Sprintf("every_%d", p.Engines/n), n, func(i hw.Index) {
			a, b := of.At(i.Times(2)), of.At(i.Times(2).Plus(1))
			least.At(i).Set(hw.Mux(start, hw.K(0), hw.Mux(a.Lt(b), a, b)))
		})
		rows = least
	}
	return rows.N(0)
}

// count adds up the events of the engines.
func (p Lookup) count(m *hw.Module, io Events, engines hw.Array[engineEvents]) {
	sum := func(name string, to hw.Bits, of func(engineEvents) hw.Bits) {
		count := m.Reg(name, to.Width(), 0)
		count.Set(engines.Vec(of).Pack().Count())
		to.Set(count)
	}
	sum("answered_count", io.Answered, func(e engineEvents) hw.Bits { return e.Committed })
	sum("cached_count", io.Cached, func(e engineEvents) hw.Bits { return e.Cached })
	sum("hot_count", io.Hot, func(e engineEvents) hw.Bits { return e.Hot })
	sum("window_stalls_count", io.WindowStalls, func(e engineEvents) hw.Bits { return e.WindowStall })
	sum("queue_stalls_count", io.QueueStalls, func(e engineEvents) hw.Bits { return e.QueueStall })
	sum("conflicts_count", io.Conflicts, func(e engineEvents) hw.Bits { return e.Refused })
}
