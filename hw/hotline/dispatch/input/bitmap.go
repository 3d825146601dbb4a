package input

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// bitmapMemory packs the bits of inputs into lines as wide as the stream, counts the popular inputs
// and stores the lines of both halves. After the last row it pads the last line with zeros.
type bitmapMemory struct{ sizes.Beats }

type bitmapPorts struct {
	Start hw.Bits           `hw:"in" doc:"begins a bitmap"`
	Half  hw.Bits           `hw:"in" doc:"half of the eDRAM"`
	Row   dma.Event[ending] `hw:"in" doc:"inputs that end in a row"`
	Busy  hw.Bits           `hw:"out" doc:"lines are still to be stored"`
	Count hw.Bits           `hw:"out,InputsBits" doc:"popular inputs"`
	Line  LineRead          `hw:"in" doc:"reads of lines"`
}

// ending describes the inputs that end in a row.
type ending struct {
	Last    hw.Bits `doc:"the row is the last one"`
	Ends    hw.Bits `hw:"MostEnds" doc:"a one for each input that ends in the row, from bit 0 on"`
	Popular hw.Bits `hw:"MostEnds" doc:"which of these are popular"`
}

// MostEnds returns the maximum number of inputs that end in one row.
func (bitmapMemory) MostEnds() int { return sizes.MostEnds }

// Build describes the bitmap.
func (p bitmapMemory) Build(m *hw.Module) bitmapPorts {
	m.Doc("Popularity bitmaps of both halves, in lines as wide as the stream.")
	io := hw.Ports[bitmapPorts](m)
	busy, flush := m.Reg("active", 1, 0), m.Reg("flush", 1, 0) // flush: no more rows follow
	full, partial, word := p.words(m, io.Row, flush)
	begun := p.lines(m, io, full.Or(partial).As("push"), flush, word)
	done := flush.And(full.Or(partial).Or(begun).Not()).As("finished")
	m.When(io.Start, func() {
		busy.Set(hw.K(1))
		m.Assert(busy.Not(), "a walk begins after the end of the one before")
	}).ElseWhen(done, func() {
		busy.Set(hw.K(0))
		flush.Set(hw.K(0))
	}).ElseWhen(io.Row.Valid.And(io.Row.Data.Last), func() {
		flush.Set(hw.K(1))
	})
	io.Busy.Set(busy)

	count := m.Data("popular_inputs", p.InputsBits())
	m.When(io.Start, func() { count.Set(hw.K(0)) }).ElseWhen(io.Row.Valid, func() {
		count.Set(count.Add(io.Row.Data.Popular.Count().Ext(p.InputsBits())))
	})
	io.Count.Set(count)
	return io
}

// words packs bits into words. It returns when a word is full, when the remaining bits form a
// partial word, and the word.
func (p bitmapMemory) words(m *hw.Module, row dma.Event[ending], flush hw.Bits) (full, partial, word hw.Bits) {
	const w = sizes.WordBits + sizes.MostEnds
	bits := m.Reg("bits", w, 0)
	level := m.Reg("bits_held", hw.CountWidth(w), 0)
	lw := level.Width()

	low := arch.Log2(sizes.WordBits)
	full = level.Bit(low).As("word_full")
	partial = flush.And(full.Not()).And(level.Any()).As("word_partial")
	rest := bits.Slice(w-1, sizes.WordBits).Ext(sizes.WordBits) // bits above a full word
	kept := hw.Mux(full, rest, bits.Trunc(sizes.WordBits)).As("bits_kept")
	keptLevel := level.Trunc(low).Ext(lw)
	m.When(partial, func() {
		bits.Set(hw.K(0))
		level.Set(hw.K(0))
	}).ElseWhen(row.Valid, func() {
		bits.Set(kept.Ext(w).Or(row.Data.Popular.Ext(w).Shl(keptLevel)))
		level.Set(keptLevel.Add(row.Data.Ends.Count().Ext(lw)))
	}).ElseWhen(full, func() {
		bits.Set(kept.Ext(w))
		level.Set(keptLevel)
	})
	return full, partial, bits.Trunc(sizes.WordBits)
}

// lines packs words into lines and stores them. After the last word it appends zeros until the line
// is complete. It reports whether a line has been started.
func (p bitmapMemory) lines(m *hw.Module, io bitmapPorts, push, flush, word hw.Bits) (begun hw.Bits) {
	words := p.StreamBits / sizes.WordBits
	line := m.Data("line_words", p.StreamBits-sizes.WordBits) // the earlier words of the line
	have := m.Reg("words_held", hw.IndexWidth(words), 0)
	row := m.Data("next_line", p.LineBits())
	begun = have.Any()
	shift := push.Or(flush.And(begun)).As("shift")
	shifted := hw.Cat(hw.Mux(push, word, hw.K(0)), line).As("shifted")
	complete := shift.And(have.Eq(hw.Named("last_word", words-1))).As("line_complete")
	m.When(shift, func() {
		line.Set(shifted.Slice(p.StreamBits-1, sizes.WordBits))
		have.Set(have.Inc())
	})
	m.When(io.Start, func() { row.Set(p.FirstLine(io.Half)) }).ElseWhen(complete, func() { row.Set(row.Inc()) })

	mem := hw.Inst(m, "lines", ram.SimpleDual[hw.Bits]{Of: hw.Width(p.StreamBits), Depth: 2 * p.Lines()})
	mem.Write.Set(complete)
	mem.WAddr.Set(row)
	mem.WData.Set(shifted)
	mem.Read.Set(io.Line.Enable)
	mem.RAddr.Set(io.Line.Number)
	io.Line.Bits.Set(mem.RData)
	return begun
}
