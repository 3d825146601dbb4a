package dispatch

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Classifier is the input classifier: it walks the results of a sweep a row
// of engines at a time and finds for each input whether all its lookups hit.
//
//	cut    while the results of a row are read: where its inputs end
//	judge  with the results: which pieces of inputs have a miss
//	join   pieces become inputs; their bits go to the bitmap
type Classifier struct{ arch.Params }

// ClassifierPorts: Start begins a walk over Inputs inputs of Slots lookups,
// Rows rows of a half. RowReady tells that ScanRow is complete; Hit is
// the result of the row read in the cycle before. Done pulses at the end, with
// Popular valid from then on. The read port gives the bitmap line LineRow in
// the next cycle.
type ClassifierPorts struct {
	Start, Half, Inputs, Slots, Rows hw.Bits
	ScanRow, ScanEnable              hw.Bits
	RowReady, Hit                    hw.Bits
	Busy, Done, Popular              hw.Bits
	LineEnable, LineRow, Line        hw.Bits
}

// mostEnds is the greatest number of inputs that end in one row.
const mostEnds = arch.MostEnds

// ModuleName names the module.
func (Classifier) ModuleName() string { return "input_classifier" }

// Build describes the classifier.
func (p Classifier) Build(m *hw.Module) ClassifierPorts {
	m.Doc("Input classifier: an input is popular if all its lookups hit the EAL.")
	io := p.ports(m)
	step, final := p.scan(m, io)
	row := p.cut(m, io, step, final)
	judged := p.judge(m, io, row)
	popular := p.join(m, io, judged)

	bits := hw.Inst(m, "bitmap", bitmap(p))
	bits.Start.Set(io.Start)
	bits.Half.Set(io.Half)
	bits.Valid.Set(judged.valid)
	bits.Last.Set(judged.last)
	bits.Ends.Set(judged.ends)
	bits.Popular.Set(popular)
	bits.LineEnable.Set(io.LineEnable)
	bits.LineRow.Set(io.LineRow)
	io.Line.Set(bits.Line)
	io.Busy.Set(bits.Busy)
	io.Done.Set(bits.Done)
	io.Popular.Set(bits.Count)
	return io
}

func (p Classifier) ports(m *hw.Module) ClassifierPorts {
	a := p.Params
	return ClassifierPorts{
		Start:      m.In("start", 1),
		Half:       m.In("half", 1),
		Inputs:     m.In("inputs", inputsBits(a)),
		Slots:      m.In("slots", slotsBits(a)),
		Rows:       m.In("rows", edramRowBits(a)),
		ScanRow:    m.Out("scan_row", edramRowBits(a)),
		ScanEnable: m.Out("scan_enable", 1),
		RowReady:   m.In("row_ready", 1),
		Hit:        m.In("hit", p.Engines),
		Busy:       m.Out("busy", 1),
		Done:       m.Out("done", 1),
		Popular:    m.Out("popular", inputsBits(a)),
		LineEnable: m.In("line_enable", 1),
		LineRow:    m.In("line_row", lineBits(a)),
		Line:       m.Out("line", p.StreamBits),
	}
}

// scan walks the rows. It gives the cycles in which a row is read, and those in
// which that is the last one.
func (p Classifier) scan(m *hw.Module, io ClassifierPorts) (step, final hw.Bits) {
	row := m.Data("row", edramRowBits(p.Params))
	left := m.Reg("rows_left", edramRowBits(p.Params), 0)
	step = left.Any().And(io.RowReady).As("step")
	m.When(io.Start, func() {
		row.Set(edramRow(p.Params, io.Half, hw.Lit(1, 0)))
		left.Set(io.Rows)
	}).ElseWhen(step, func() {
		row.Set(row.Inc())
		left.Set(left.Dec())
	})
	io.ScanRow.Set(row)
	io.ScanEnable.Set(step)
	return step, left.Eq(hw.K(1))
}

// pieces are the inputs that a row touches. Of an input that began in an
// earlier row, or goes on in a later one, the row has a piece.
type pieces struct {
	valid, last hw.Bits // a row; the last one
	ends        hw.Bits // bit j: the (j+1)-th of its inputs ends here
	end         hw.Vec  // where: the number of the engine behind its last lookup
	used        hw.Bits // engines of inputs that end here
}

// cut finds where the inputs of a row end, while its results are read.
func (p Classifier) cut(m *hw.Module, io ClassifierPorts, step, final hw.Bits) pieces {
	sb, ib := slotsBits(p.Params), inputsBits(p.Params)
	w := hw.CountWidth(mostEnds * p.Slots)
	engines := hw.Lit(w, uint64(p.Engines))
	seen := m.Data("seen", sb) // lookups of the row's first input in earlier rows
	left := m.Data("inputs_left", ib)
	multiples := m.DataVec("multiples", mostEnds, w) // of Slots

	end, ends := make([]hw.Bits, mostEnds), make([]hw.Bits, mostEnds)
	used := hw.Zeros(w)
	for j := range mostEnds {
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
		for j := range mostEnds {
			multiples.N(j).Set(sum)
			sum = sum.Add(io.Slots.Ext(w))
		}
	}).ElseWhen(step, func() {
		left.Set(left.Sub(mask.Count().Ext(ib)))
		seen.Set(hw.Mux(ends[0], engines.Sub(used), seen.Ext(w).Add(engines)).Trunc(sb))
	})

	row := pieces{valid: m.Reg("cut_valid", 1, 0), last: m.Data("cut_last", 1), ends: m.Data("cut_ends", mostEnds),
		end: m.DataVec("cut_end", mostEnds, w), used: m.Data("cut_used", w)}
	row.valid.Set(step)
	m.When(step, func() {
		row.last.Set(final)
		row.ends.Set(mask)
		row.end.Set(hw.VecOf(end...))
		row.used.Set(used)
	})
	return row
}

// judged are the pieces of a row with their misses.
type judged struct {
	valid, last, ends hw.Bits
	missed            hw.Bits // bit j: of the piece that ends at end j
	rest              hw.Bits // of the piece that ends in a later row
}

// judge looks for misses in the pieces.
func (p Classifier) judge(m *hw.Module, io ClassifierPorts, row pieces) judged {
	miss := io.Hit.Not().As("miss")
	from := func(x hw.Bits) hw.Bits { return hw.Ones(p.Engines).Shl(x) } // engines from x on
	missed := make([]hw.Bits, mostEnds)
	begin := hw.Ones(p.Engines)
	for j := range mostEnds {
		end := from(row.end.N(j)).As(fmt.Sprintf("from_end_%d", j))
		missed[j] = miss.And(begin).And(end.Not()).Any()
		begin = end
	}
	rest := miss.And(from(row.used)).Any()

	out := judged{valid: m.Reg("judged_valid", 1, 0), last: m.Data("judged_last", 1), ends: m.Data("judged_ends", mostEnds),
		missed: m.Data("judged_missed", mostEnds), rest: m.Data("judged_rest", 1)}
	out.valid.Set(row.valid)
	m.When(row.valid, func() {
		out.last.Set(row.last)
		out.ends.Set(row.ends)
		out.missed.Set(hw.VecOf(missed...).Pack())
		out.rest.Set(rest)
	})
	return out
}

// join adds the misses of earlier rows to those of the row's first input. It
// gives the inputs that end in the row and are popular.
func (p Classifier) join(m *hw.Module, io ClassifierPorts, row judged) (popular hw.Bits) {
	first := row.ends.Bit(0) // the row's first input ends here
	missed := m.Data("missed", 1)
	m.When(io.Start, func() {
		missed.Set(hw.K(0))
	}).ElseWhen(row.valid, func() {
		missed.Set(row.rest.Or(missed.And(first.Not())))
	})
	return row.ends.And(row.missed.Or(missed.Ext(mostEnds)).Not()).As("popular_ends")
}
