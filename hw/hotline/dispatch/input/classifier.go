package input

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// Classifier is the input classifier. It walks the results of a sweep, one row of engines at a
// time, and determines for each input whether all its lookups hit. Its pipeline has three stages:
//
//	cut    finds where the inputs of a row end, while its results are read
//	judge  finds the pieces of inputs that have a miss
//	join   combines pieces into inputs, whose bits go to the bitmap
type Classifier struct {
	sizes.Beats
	sizes.SlotNumbers
}

// ClassifierPorts are the ports of a Classifier.
type ClassifierPorts struct {
	Start  hw.Bits `hw:"in" doc:"begins a walk; may come when busy is 0"`
	Half   hw.Bits `hw:"in" doc:"half of the eDRAM"`
	Inputs hw.Bits `hw:"in,InputsBits" doc:"of the mini-batch"`
	Slots  hw.Bits `hw:"in,SlotCountBits" doc:"lookups per input"`
	Rows   hw.Bits `hw:"in,AddressBits" doc:"rows of the mini-batch"`

	Scan     Fetch   `hw:"out" doc:"reads the results of a row"`
	RowReady hw.Bits `hw:"in" doc:"scan_row is complete"`
	Hit      hw.Vec  `hw:"in,1,len=Engines" doc:"of the row that was read in the cycle before"`

	Busy    hw.Bits  `hw:"out" doc:"the walk, or the bitmap, is not complete"`
	Popular hw.Bits  `hw:"out,InputsBits" doc:"popular inputs, while busy is 0"`
	Line    LineRead `hw:"in" doc:"reads of the bitmap"`
}

// LineRead reads a line of the bitmaps.
type LineRead struct {
	Enable hw.Bits `doc:"reads a line"`
	Number hw.Bits `hw:"LineBits" doc:"of the line"`
	Bits   hw.Bits `hw:"back,StreamBits" doc:"the line, a cycle after enable, until the next"`
}

// ModuleName returns the name of the module.
func (Classifier) ModuleName() string { return "input_classifier" }

// Build describes the classifier.
func (p Classifier) Build(m *hw.Module) ClassifierPorts {
	m.Doc("Input classifier: an input is popular if all its lookups hit the EAL.")
	io := hw.Ports[ClassifierPorts](m)
	row := p.cut(m, io, p.scan(m, io))
	judged := p.judge(m, io, row)
	bits := hw.Inst(m, "bitmap", bitmapMemory{p.Beats})
	bits.Start.Set(io.Start)
	bits.Half.Set(io.Half)
	bits.Row.Valid.Set(judged.Valid)
	hw.Set(bits.Row.Data, ending{Last: judged.Data.Last, Ends: judged.Data.Ends, Popular: p.join(m, io, judged)})
	hw.Connect(bits.Line, io.Line)
	io.Busy.Set(bits.Busy)
	io.Popular.Set(bits.Count)
	return io
}

// scan walks the rows. It returns the cycles in which a row is read, and those in which it is the
// last row.
func (p Classifier) scan(m *hw.Module, io ClassifierPorts) (s step) {
	row := m.Data("row", p.AddressBits())
	left := m.Reg("rows_left", p.AddressBits(), 0)
	s.taken = left.Any().And(io.RowReady).As("step")
	s.last = left.Eq(hw.K(1))
	m.When(io.Start, func() {
		row.Set(p.Address(io.Half, hw.Lit(1, 0)))
		left.Set(io.Rows)
	}).ElseWhen(s.taken, func() {
		row.Set(row.Inc())
		left.Set(left.Dec())
	})
	hw.Set(io.Scan, Fetch{Enable: s.taken, Row: row})
	return s
}

// step is the step to the next row: a row is read (taken), and it is the last row.
type step struct{ taken, last hw.Bits }

// pieces describes the pieces of inputs in a row. An input that began in an earlier row, or
// continues in a later one, has only a piece of its lookups in the row.
type pieces struct {
	Last hw.Bits `doc:"the row is the last one"`
	Ends hw.Bits `hw:"MostEnds" doc:"bit j: input j of the row ends in it"`
	At   hw.Vec  `hw:"LaneBits,len=MostEnds" doc:"the engine of its last lookup, counted from the first that can have it"`
	Rest hw.Bits `hw:"RestBits" doc:"engines behind the inputs that end in the row"`
}

// MostEnds returns the maximum number of inputs that end in one row.
func (p Classifier) MostEnds() int { return sizes.MostEnds }

// RestBits returns the width of a number of engines.
func (p Classifier) RestBits() int { return hw.CountWidth(p.Engines) }

// first returns the first engine that can have the last lookup of input j of a row. Inputs with the
// minimum number of lookups fill a row; all other inputs have at least one lookup more.
func (p Classifier) first(j int) int { return min((j+1)*p.LeastSlots()-1, j*(p.LeastSlots()+1)) }

// cut finds where the inputs of a row end, while its results are read.
func (p Classifier) cut(m *hw.Module, io ClassifierPorts, s step) dma.Event[pieces] {
	seen := m.Data("seen", p.SlotBits()) // lookups of the row's first input in earlier rows
	left := m.Data("inputs_left", p.InputsBits())

	// whole: where inputs end if the first input has no earlier lookups; at: where they end; ends:
	// whether they end in this row
	whole, at, ends := make([]hw.Bits, sizes.MostEnds), make([]hw.Bits, sizes.MostEnds), make([]hw.Bits, sizes.MostEnds)
	rest := hw.Named("engines", p.Engines)
	for j := range at {
		w := hw.IndexWidth(max((j+1)*p.Slots, p.Engines) - p.first(j))
		whole[j] = m.Data(fmt.Sprintf("whole_%d", j), w)
		at[j] = whole[j].Sub(seen.Resize(w)).As(fmt.Sprintf("at_%d", j))
		behind := p.Engines - 1 - p.first(j) // engines after the first that can have the last lookup
		ends[j] = at[j].Le(hw.K(behind)).As(fmt.Sprintf("ends_%d", j))
		if j > 0 { // the last input is followed by nothing
			ends[j] = ends[j].And(left.Gt(hw.K(j)))
		}
		rest = hw.Mux(ends[j], hw.Lit(p.RestBits(), uint64(behind)).Sub(at[j].Resize(p.RestBits())), rest)
	}
	rest = rest.As("rest")
	mask := hw.VecOf(ends...).Pack()
	m.When(io.Start, func() {
		seen.Set(hw.K(0))
		left.Set(io.Inputs)
		slots := io.Slots.Ext(p.SlotCountBits() + arch.Log2(sizes.MostEnds))
		all := hw.Zeros(slots.Width())
		for j := range whole {
			all = all.Add(slots)
			whole[j].Set(all.Sub(hw.K(p.first(j) + 1)).Resize(whole[j].Width()))
		}
	}).ElseWhen(s.taken, func() {
		left.Set(left.Sub(mask.Count().Ext(p.InputsBits())))
		row := hw.Lit(p.RestBits(), uint64(p.Engines)).Resize(p.SlotBits())
		seen.Set(hw.Mux(ends[0], rest.Resize(p.SlotBits()), seen.Add(row)))
	})
	for j := range at {
		at[j] = at[j].Resize(p.LaneBits())
	}
	row := dma.Event[pieces]{Valid: s.taken, Data: pieces{Last: s.last, Ends: mask, At: hw.VecOf(at...), Rest: rest}}
	return row.Registered(m, "cut")
}

// judged describes the pieces of a row with their misses.
type judged struct {
	Last   hw.Bits
	Ends   hw.Bits `hw:"MostEnds"`
	Missed hw.Bits `hw:"MostEnds" doc:"bit j: the piece that ends at end j has a miss"`
	Rest   hw.Bits `doc:"the piece that ends in a later row has one"`
}

// judge finds the pieces that have a miss.
func (p Classifier) judge(m *hw.Module, io ClassifierPorts, row dma.Event[pieces]) dma.Event[judged] {
	miss := io.Hit.Pack().Not().As("miss")
	missed := make([]hw.Bits, sizes.MostEnds)
	begin := hw.Ones(p.Engines)
	for j := range missed {
		behind := p.behind(j, row.Data.At.N(j))
		missed[j] = miss.And(begin).And(behind.Not()).Any()
		begin = behind
	}
	rest := hw.Ones(p.Engines).Shr(row.Data.Rest).Not().As("rest_engines")
	out := judged{Last: row.Data.Last, Ends: row.Data.Ends, Missed: hw.VecOf(missed...).Pack(), Rest: miss.And(rest).Any()}
	return dma.Event[judged]{Valid: row.Valid, Data: out}.Registered(m, "judged")
}

// behind returns the engines after input j of a row. at is the engine of its last lookup, encoded
// as in pieces.
func (p Classifier) behind(j int, at hw.Bits) hw.Bits {
	first := p.first(j)
	if first == p.Engines-1 {
		return hw.Zeros(p.Engines)
	}
	return hw.Cat(hw.Ones(p.Engines-1-first).Shl(at), hw.Zeros(first+1)).As(fmt.Sprintf("behind_%d", j))
}

// join adds the misses of earlier rows to the row's first input. It returns the inputs that end in
// the row and are popular.
func (p Classifier) join(m *hw.Module, io ClassifierPorts, row dma.Event[judged]) (popular hw.Bits) {
	first := row.Data.Ends.Bit(0) // the row's first input ends in this row
	missed := m.Data("missed", 1)
	m.When(io.Start, func() {
		missed.Set(hw.K(0))
	}).ElseWhen(row.Valid, func() {
		missed.Set(row.Data.Rest.Or(missed.And(first.Not())))
	})
	return row.Data.Ends.And(row.Data.Missed.Or(missed.Ext(sizes.MostEnds)).Not()).As("popular_ends")
}
