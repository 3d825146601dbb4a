package dispatch

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Classifier is the input classifier: it walks the results of a sweep a row
// of engines at a time, finds for each input whether all its lookups hit, and
// keeps a bitmap for each half.
type Classifier struct{ arch.Params }

// ClassifierPorts: Start begins a walk over Inputs inputs of Slots lookups,
// Rows rows from FirstRow on. RowReady tells that ScanRow is complete; Hit is
// the result of the row read in the cycle before. Done pulses at the end, with
// Popular valid from then on. The read port gives the bitmap line LineRow in
// the next cycle.
type ClassifierPorts struct {
	Start, Half, Inputs, Slots, Rows, FirstRow hw.Bits
	ScanRow, ScanEnable                        hw.Bits
	RowReady, Hit                              hw.Bits
	Busy, Done, Popular                        hw.Bits
	LineEnable, LineRow, Line                  hw.Bits
}

// most is the greatest number of inputs that end in one row: an input has at
// least a quarter of a row of lookups.
const most = 4

// bitmapLines is the number of StreamBits-wide bitmap lines of a half.
func bitmapLines(p arch.Params) int { return (MaxInputs(p) + p.StreamBits - 1) / p.StreamBits }

func lineBits(p arch.Params) int { return hw.IndexWidth(2 * bitmapLines(p)) }

// ModuleName names the module.
func (Classifier) ModuleName() string { return "input_classifier" }

// Build describes the classifier.
func (p Classifier) Build(m *hw.Module) ClassifierPorts {
	m.Doc("Input classifier: an input is popular if all its lookups hit the EAL.")
	a := p.Params
	io := ClassifierPorts{
		Start: m.In("start", 1), Half: m.In("half", 1), Inputs: m.In("inputs", inputsBits(a)), Slots: m.In("slots", slotsBits(a)),
		Rows: m.In("rows", edramRowBits(a)), FirstRow: m.In("first_row", edramRowBits(a)),
		ScanRow: m.Out("scan_row", edramRowBits(a)), ScanEnable: m.Out("scan_enable", 1),
		RowReady: m.In("row_ready", 1), Hit: m.In("hit", p.Engines),
		Busy: m.Out("busy", 1), Done: m.Out("done", 1), Popular: m.Out("popular", inputsBits(a)),
		LineEnable: m.In("line_enable", 1), LineRow: m.In("line_row", lineBits(a)), Line: m.Out("line", p.StreamBits),
	}
	scan := p.scan(m, io)
	bits, count, last := p.segments(m, io, scan)
	p.collect(m, io, bits, count, last)
	return io
}

// scan walks the rows; the result is 1 in the cycle in which Hit has a row,
// with 1 for the last one.
func (p Classifier) scan(m *hw.Module, io ClassifierPorts) (valid [2]hw.Bits) {
	row := m.Data("row", edramRowBits(p.Params))
	left := m.Reg("rows_left", edramRowBits(p.Params), 0)
	step := left.Ne(hw.K(0)).And(io.RowReady).As("step")
	m.When(io.Start, func() {
		row.Set(io.FirstRow)
		left.Set(io.Rows)
	}).ElseWhen(step, func() {
		row.Set(row.Inc())
		left.Set(left.Dec())
	})
	io.ScanRow.Set(row)
	io.ScanEnable.Set(step)
	have, final := m.Reg("have_row", 1, 0), m.Reg("have_last", 1, 0)
	have.Set(step)
	final.Set(step.And(left.Eq(hw.K(1))))
	return [2]hw.Bits{have, final}
}

// segments cuts a row into the inputs it touches. It gives up to most popularity
// bits for the inputs that end in the row.
func (p Classifier) segments(m *hw.Module, io ClassifierPorts, scan [2]hw.Bits) (bits, count, last hw.Bits) {
	w := hw.CountWidth(p.Engines+p.Slots) + 2
	seen := m.Reg("seen", slotsBits(p.Params), 0) // lookups of the current input in earlier rows
	missed := m.Reg("missed", 1, 0)               // one of them missed
	left := m.Reg("inputs_left", inputsBits(p.Params), 0)
	miss := io.Hit.Not().As("miss")

	below := func(x hw.Bits) hw.Bits { // the engines before position x
		return hw.Lit(p.Engines+1, 1).Shl(x).Sub(hw.Lit(p.Engines+1, 1)).Trunc(p.Engines)
	}
	var covered hw.Bits
	consumed := hw.Lit(w, 0) // words of the row that belong to inputs that end in it
	end := io.Slots.Ext(w).Sub(seen.Ext(w)).As("end_0")
	popular := make([]hw.Bits, most)
	complete := make([]hw.Bits, most)
	var mask hw.Bits
	for j := range most {
		if j > 0 {
			end = end.Add(io.Slots.Ext(w)).As(fmt.Sprintf("end_%d", j))
		}
		complete[j] = end.Le(hw.K(p.Engines)).And(left.Gt(hw.K(j))).As(fmt.Sprintf("complete_%d", j))
		mask = below(end).As(fmt.Sprintf("below_%d", j))
		var bad hw.Bits // a lookup of the input missed
		if j == 0 {
			bad = miss.And(mask).Any().Or(missed)
		} else {
			bad = miss.And(mask).And(covered.Not()).Any()
		}
		popular[j] = bad.Not().And(complete[j]).As(fmt.Sprintf("popular_%d", j))
		covered = mask
		consumed = hw.Mux(complete[j], end, consumed)
	}
	consumed = consumed.As("consumed")
	count = hw.Cat(complete[3], complete[2], complete[1], complete[0]).Count().As("count")
	rest := miss.And(below(consumed).Not()).Any().As("rest_missed")
	m.When(io.Start, func() {
		seen.Set(hw.K(0))
		missed.Set(hw.K(0))
		left.Set(io.Inputs)
	}).ElseWhen(scan[0], func() {
		left.Set(left.Sub(count.Ext(inputsBits(p.Params))))
		missed.Set(rest.Or(missed.And(complete[0].Not())))
		seen.Set(hw.Mux(complete[0], hw.Lit(w, uint64(p.Engines)).Sub(consumed), seen.Ext(w).Add(hw.K(p.Engines))).Trunc(slotsBits(p.Params)))
	})
	bits = hw.Cat(popular[3], popular[2], popular[1], popular[0]).As("popular_bits")
	return bits, hw.Mux(scan[0], count, hw.K(0)).As("new_bits"), scan[1]
}

// collect gathers popularity bits into lines and counts them.
func (p Classifier) collect(m *hw.Module, io ClassifierPorts, bits, count, last hw.Bits) {
	const word = 32
	words := p.StreamBits / word
	acc := m.Data("acc", word+most)
	fill := m.Reg("fill", 6, 0)
	flush := m.Reg("flush", 1, 0) // the last bits are in acc or in the line
	line := m.Data("line_acc", p.StreamBits)
	have := m.Reg("line_words", hw.IndexWidth(words), 0)
	row := m.Reg("line_row_q", lineBits(p.Params), 0)
	popular := m.Reg("popular_q", inputsBits(p.Params), 0)
	busy := m.Reg("busy_q", 1, 0)

	joined := acc.Or(bits.Ext(word + most).Shl(fill)).As("joined")
	joined = hw.Mux(count.IsZero(), acc, joined)
	level := fill.Add(count.Ext(6)).As("level")
	full := level.Ge(hw.K(word)).As("word_full")
	push := full.Or(flush.And(level.Ne(hw.K(0)).Or(have.Ne(hw.K(0))))).As("push")
	pushed := hw.Cat(joined.Trunc(word), line.Slice(p.StreamBits-1, word)).As("pushed")
	lineFull := push.And(have.Eq(hw.K(words - 1))).As("line_full")
	done := flush.And(push.Not()).As("finished")

	mem := m.Mem("bitmap", 2*bitmapLines(p.Params), p.StreamBits)
	m.When(io.Start, func() {
		acc.Set(hw.K(0))
		fill.Set(hw.K(0))
		flush.Set(hw.K(0))
		have.Set(hw.K(0))
		popular.Set(hw.K(0))
		busy.Set(hw.K(1))
		row.Set(hw.Mux(io.Half, hw.Lit(lineBits(p.Params), uint64(bitmapLines(p.Params))), hw.K(0)))
	}).ElseWhen(busy, func() {
		acc.Set(hw.Mux(push, joined.Shr(hw.Lit(6, word)), joined))
		fill.Set(hw.Mux(full, level.Sub(hw.K(word)), hw.Mux(push, hw.K(0), level)))
		popular.Set(popular.Add(hw.Mux(count.IsZero(), hw.Lit(most, 0), bits).Count().Ext(inputsBits(p.Params))))
		m.When(push, func() {
			line.Set(pushed)
			have.Set(hw.Mux(lineFull, hw.K(0), have.Inc()))
		})
		m.When(lineFull, func() {
			mem.Write(row, pushed)
			row.Set(row.Inc())
		})
		m.When(last, func() { flush.Set(hw.K(1)) })
		m.When(done, func() {
			busy.Set(hw.K(0))
			flush.Set(hw.K(0))
		})
	})
	q := m.Data("line_q", p.StreamBits)
	m.When(io.LineEnable, func() { q.Set(mem.Read(io.LineRow)) })
	io.Line.Set(q)
	io.Busy.Set(busy)
	io.Done.Set(done)
	io.Popular.Set(popular)
}
