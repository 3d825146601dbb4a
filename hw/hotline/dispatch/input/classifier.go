package input

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// Classifier is the input classifier: it walks the results of a sweep a row
// of engines at a time and finds for each input whether all its lookups hit.
//
//	cut    while the results of a row are read: where its inputs end
//	judge  with the results: which pieces of inputs have a miss
//	join   pieces become inputs; their bits go to the bitmap
type Classifier struct {
	sizes.Beats
	sizes.SlotNumbers
}

// ClassifierPorts are the ports of a Classifier.
type ClassifierPorts struct {
	Start  hw.Bits `hw:"in" doc:"begins a walk"`
	Half   hw.Bits `hw:"in"`
	Inputs hw.Bits `hw:"in,InputsBits"`
	Slots  hw.Bits `hw:"in,SlotCountBits" doc:"lookups per input"`
	Rows   hw.Bits `hw:"in,AddressBits" doc:"of the half"`

	Scan     Fetch   `hw:"out" doc:"reads the results of a row"`
	RowReady hw.Bits `hw:"in" doc:"scan_row is complete"`
	Hit      hw.Vec  `hw:"in,1,len=Engines" doc:"of the row that was read in the cycle before"`

	Busy    hw.Bits  `hw:"out"`
	Popular hw.Bits  `hw:"out,InputsBits" doc:"how many are, once it is not busy"`
	Line    LineRead `hw:"in"`
}

// LineRead reads a line of the bitmaps.
type LineRead struct {
	Enable hw.Bits
	Number hw.Bits `hw:"LineBits"`
	Bits   hw.Bits `hw:"back,StreamBits" doc:"the line, a cycle after enable"`
}

// ModuleName names the module.
func (p Classifier) ModuleName() string {
	return fmt.Sprintf("input_classifier_e%d_h%d_st%d_sl%d", p.Engines, p.HalfWords, p.StreamBits, p.Slots)
}

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

// scan walks the rows. It gives the cycles in which a row is read, and those in
// which that is the last one.
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

// step is that to the next row: a row is read, and it is the last one.
type step struct{ taken, last hw.Bits }

// pieces are the inputs that a row touches. Of an input that began in an
// earlier row, or goes on in a later one, the row has a piece.
type pieces struct {
	Last hw.Bits `doc:"the row is the last one"`
	Ends hw.Bits `hw:"MostEnds" doc:"bit j: input j of the row ends in it"`
	End  hw.Vec  `hw:"EndBits,len=MostEnds" doc:"where: the number of the engine behind its last lookup"`
	Used hw.Bits `hw:"EndBits" doc:"engines of inputs that end in the row"`
}

// MostEnds is the greatest number of inputs that end in one row.
func (p Classifier) MostEnds() int { return sizes.MostEnds }

// EndBits is the width of where an input ends, seen from the row's first engine.
func (p Classifier) EndBits() int { return hw.CountWidth(sizes.MostEnds * p.Slots) }

// cut finds where the inputs of a row end, while its results are read.
func (p Classifier) cut(m *hw.Module, io ClassifierPorts, s step) dma.Event[pieces] {
	w := p.EndBits()
	engines := hw.Lit(w, uint64(p.Engines))
	seen := m.Data("seen", p.SlotCountBits()) // lookups of the row's first input in earlier rows
	left := m.Data("inputs_left", p.InputsBits())
	multiples := m.DataVec("multiples", sizes.MostEnds, w) // of Slots

	end, ends := make([]hw.Bits, sizes.MostEnds), make([]hw.Bits, sizes.MostEnds)
	used := hw.Zeros(w)
	for j := range end {
		end[j] = multiples.N(j).Sub(seen.Ext(w)).As(fmt.Sprintf("end_%d", j))
		ends[j] = end[j].Le(engines).As(fmt.Sprintf("ends_%d", j))
		if j > 0 { // behind the last input comes nothing
			ends[j] = ends[j].And(left.Gt(hw.K(j)))
		}
		used = hw.Mux(ends[j], end[j], used)
	}
	used = used.As("used")
	mask := hw.VecOf(ends...).Pack()
	m.When(io.Start, func() {
		seen.Set(hw.K(0))
		left.Set(io.Inputs)
		sum := io.Slots.Ext(w)
		for j := range end {
			multiples.N(j).Set(sum)
			sum = sum.Add(io.Slots.Ext(w))
		}
	}).ElseWhen(s.taken, func() {
		left.Set(left.Sub(mask.Count().Ext(p.InputsBits())))
		seen.Set(hw.Mux(ends[0], engines.Sub(used), seen.Ext(w).Add(engines)).Trunc(p.SlotCountBits()))
	})
	row := dma.Event[pieces]{Valid: s.taken, Data: pieces{Last: s.last, Ends: mask, End: hw.VecOf(end...), Used: used}}
	return row.Registered(m, "cut")
}

// judged are the pieces of a row with their misses.
type judged struct {
	Last   hw.Bits
	Ends   hw.Bits `hw:"MostEnds"`
	Missed hw.Bits `hw:"MostEnds" doc:"bit j: the piece that ends at end j has a miss"`
	Rest   hw.Bits `doc:"the piece that ends in a later row has one"`
}

// judge looks for misses in the pieces.
func (p Classifier) judge(m *hw.Module, io ClassifierPorts, row dma.Event[pieces]) dma.Event[judged] {
	miss := io.Hit.Pack().Not().As("miss")
	from := func(x hw.Bits) hw.Bits { return hw.Ones(p.Engines).Shl(x) } // engines from x on
	missed := make([]hw.Bits, sizes.MostEnds)
	begin := hw.Ones(p.Engines)
	for j := range missed {
		end := from(row.Data.End.N(j)).As(fmt.Sprintf("from_end_%d", j))
		missed[j] = miss.And(begin).And(end.Not()).Any()
		begin = end
	}
	out := judged{Last: row.Data.Last, Ends: row.Data.Ends, Missed: hw.VecOf(missed...).Pack(), Rest: miss.And(from(row.Data.Used)).Any()}
	return dma.Event[judged]{Valid: row.Valid, Data: out}.Registered(m, "judged")
}

// join adds the misses of earlier rows to those of the row's first input. It
// gives the inputs that end in the row and are popular.
func (p Classifier) join(m *hw.Module, io ClassifierPorts, row dma.Event[judged]) (popular hw.Bits) {
	first := row.Data.Ends.Bit(0) // the row's first input ends here
	missed := m.Data("missed", 1)
	m.When(io.Start, func() {
		missed.Set(hw.K(0))
	}).ElseWhen(row.Valid, func() {
		missed.Set(row.Data.Rest.Or(missed.And(first.Not())))
	})
	return row.Data.Ends.And(row.Data.Missed.Or(missed.Ext(sizes.MostEnds)).Not()).As("popular_ends")
}
