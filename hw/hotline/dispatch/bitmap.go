package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// bitmap gathers the bits of inputs into lines as wide as the stream, counts
// the popular inputs and keeps the lines of both halves.
type bitmap struct{ arch.Params }

// bitmapPorts: from Start on, each cycle with Valid brings the inputs that end
// in a row: of the low bits of Popular as many as Ends has ones, which are its
// low bits. Bits of Popular above are 0. After the row with Last the bitmap
// fills its last line with zeros; Done pulses when that is kept.
type bitmapPorts struct {
	Start, Half                hw.Bits
	Valid, Last, Ends, Popular hw.Bits
	Busy, Done, Count          hw.Bits
	LineEnable, LineRow, Line  hw.Bits
}

// ModuleName names the module.
func (bitmap) ModuleName() string { return "bitmap_memory" }

// Build describes the bitmap.
func (p bitmap) Build(m *hw.Module) bitmapPorts {
	m.Doc("Popularity bitmaps of both halves, in lines as wide as the stream.")
	a := p.Params
	io := bitmapPorts{
		Start:      m.In("start", 1),
		Half:       m.In("half", 1),
		Valid:      m.In("valid", 1),
		Last:       m.In("last", 1),
		Ends:       m.In("ends", mostEnds),
		Popular:    m.In("popular", mostEnds),
		Busy:       m.Out("busy", 1),
		Done:       m.Out("done", 1),
		Count:      m.Out("count", inputsBits(a)),
		LineEnable: m.In("line_enable", 1),
		LineRow:    m.In("line_row", lineBits(a)),
		Line:       m.Out("line", p.StreamBits),
	}
	busy, flush := m.Reg("active", 1, 0), m.Reg("flush", 1, 0) // flush: no more rows come
	full, partial, word := p.words(m, io, flush)
	begun := p.lines(m, io, full.Or(partial).As("push"), flush, word)
	done := flush.And(full.Or(partial).Or(begun).Not()).As("finished")
	m.When(io.Start, func() {
		busy.Set(hw.K(1))
	}).ElseWhen(done, func() {
		busy.Set(hw.K(0))
		flush.Set(hw.K(0))
	}).ElseWhen(io.Valid.And(io.Last), func() {
		flush.Set(hw.K(1))
	})
	io.Busy.Set(busy)
	io.Done.Set(done)

	count := m.Data("popular_inputs", inputsBits(a))
	m.When(io.Start, func() { count.Set(hw.K(0)) }).ElseWhen(io.Valid, func() {
		count.Set(count.Add(io.Popular.Count().Ext(inputsBits(a))))
	})
	io.Count.Set(count)
	return io
}

// words packs bits into words. It gives when a word is full, or at the end has
// some bits, and the word.
func (p bitmap) words(m *hw.Module, io bitmapPorts, flush hw.Bits) (full, partial, word hw.Bits) {
	const w = wordBits + mostEnds
	bits := m.Reg("bits", w, 0)
	level := m.Reg("bits_held", hw.CountWidth(w), 0)
	lw := level.Width()

	low := arch.Log2(wordBits)
	full = level.Bit(low).As("word_full")
	partial = flush.And(full.Not()).And(level.Any()).As("word_partial")
	kept := hw.Mux(full, bits.Shr(hw.Lit(6, wordBits)), bits).As("bits_kept")
	keptLevel := level.Trunc(low).Ext(lw)
	m.When(partial, func() {
		bits.Set(hw.K(0))
		level.Set(hw.K(0))
	}).ElseWhen(io.Valid, func() {
		bits.Set(kept.Or(io.Popular.Ext(w).Shl(keptLevel)))
		level.Set(keptLevel.Add(io.Ends.Count().Ext(lw)))
	}).ElseWhen(full, func() {
		bits.Set(kept)
		level.Set(keptLevel)
	})
	return full, partial, bits.Trunc(wordBits)
}

// lines packs words into lines and keeps them. After the last word it adds
// zeros until the line is complete. It gives whether a line is begun.
func (p bitmap) lines(m *hw.Module, io bitmapPorts, push, flush, word hw.Bits) (begun hw.Bits) {
	words := p.StreamBits / wordBits
	line := m.Data("line_words", p.StreamBits)
	have := m.Reg("words_held", hw.IndexWidth(words), 0)
	row := m.Data("next_line", lineBits(p.Params))
	begun = have.Any()
	shift := push.Or(flush.And(begun)).As("shift")
	shifted := hw.Cat(hw.Mux(push, word, hw.K(0)), line.Slice(p.StreamBits-1, wordBits)).As("shifted")
	complete := shift.And(have.Eq(hw.K(words - 1))).As("line_complete")
	m.When(io.Start, func() {
		row.Set(firstLine(p.Params, io.Half))
	}).ElseWhen(shift, func() {
		line.Set(shifted)
		have.Set(have.Inc())
		m.When(complete, func() { row.Set(row.Inc()) })
	})

	mem := hw.Inst(m, "lines", ram.SimpleDual[hw.Bits]{Of: hw.Width(p.StreamBits), Depth: 2 * bitmapLines(p.Params)})
	mem.Write.Set(complete)
	mem.WAddr.Set(row)
	mem.WData.Set(shifted)
	mem.Read.Set(io.LineEnable)
	mem.RAddr.Set(io.LineRow)
	io.Line.Set(mem.RData)
	return begun
}
