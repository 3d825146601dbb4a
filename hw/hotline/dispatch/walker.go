package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Walker lists what the memory controller must fetch: for a gather every
// lookup of every non-popular input, for an update every entry of the list.
type Walker struct{ arch.Params }

// WalkerPorts: Start begins; Item is {last slot of its input, slot, word
// number}. The line port reads the classifier's bitmap.
type WalkerPorts struct {
	Start, Update, Half, Count, Slots hw.Bits
	LineEnable, LineRow, Line         hw.Bits
	Item                              hw.Stream
	Busy                              hw.Bits
}

// itemBits is {end 1, slot, word number}.
func itemBits(p arch.Params) int { return 1 + slotBits(p) + wordsBits(p) }

// ModuleName names the module.
func (Walker) ModuleName() string { return "walker" }

const walkWord = 32 // inputs looked at in one cycle

// walk are the registers of a Walker.
type walk struct {
	io                      WalkerPorts
	base, count             hw.Bits // number of the word's first input; inputs in all
	line, words             hw.Bits // line being consumed; words left in it
	pending                 hw.Bits // non-popular inputs of the word, not yet walked
	row                     hw.Bits // next bitmap line
	number, slot            hw.Bits // word number and slot of the item
	idle, read, word, slots hw.State
	fetch, take, list       hw.State
}

// Build describes the walker.
func (p Walker) Build(m *hw.Module) WalkerPorts {
	m.Doc("Walker: finds the non-popular inputs and lists their lookups; lists the rows of an update.")
	a := p.Params
	io := WalkerPorts{
		Start: m.In("start", 1), Update: m.In("update", 1), Half: m.In("half", 1), Count: m.In("count", inputsBits(a)), Slots: m.In("slots", slotsBits(a)),
		LineEnable: m.Out("line_enable", 1), LineRow: m.Out("line_row", lineBits(a)), Line: m.In("line", p.StreamBits),
		Item: m.Source("item", itemBits(a)), Busy: m.Out("busy", 1),
	}
	_, st := m.FSM("state", "Idle", "Read", "Fetch", "Take", "Word", "Slots", "List")
	w := walk{io: io, base: m.Data("base", inputsBits(a)), count: m.Data("count_q", inputsBits(a)),
		line: m.Data("line_q", p.StreamBits), words: m.Data("words", hw.CountWidth(p.StreamBits/walkWord)),
		pending: m.Data("pending", walkWord), row: m.Data("row", lineBits(a)),
		number: m.Data("number", wordsBits(a)), slot: m.Data("slot", slotBits(a)),
		idle: st[0], read: st[1], fetch: st[2], take: st[3], word: st[4], slots: st[5], list: st[6]}

	io.Busy.Set(w.idle.Is().Not())
	io.LineEnable.Set(w.read.Is())
	io.LineRow.Set(w.row)
	last := w.slot.Ext(slotsBits(a)).Inc().Eq(io.Slots).As("last_slot")
	io.Item.Valid.Set(w.slots.Is().Or(w.list.Is()))
	io.Item.Data.Set(hw.Cat(last, w.slot, w.number))
	p.idle(m, w)
	p.lines(m, w)
	p.items(m, w, last)
	return io
}

func (p Walker) idle(m *hw.Module, w walk) {
	w.idle.Do(func() {
		m.When(w.io.Start, func() {
			w.count.Set(w.io.Count)
			w.base.Set(hw.K(0))
			w.number.Set(hw.K(0))
			w.slot.Set(hw.K(0))
			w.row.Set(hw.Mux(w.io.Half, hw.Lit(lineBits(p.Params), uint64(bitmapLines(p.Params))), hw.K(0)))
			m.When(w.io.Update, w.list.Next).Else(w.read.Next)
		})
	})
}

// lines takes the bitmap apart: a line, its words, their non-popular inputs.
func (p Walker) lines(m *hw.Module, w walk) {
	ib := inputsBits(p.Params)
	left := w.count.Sub(w.base).As("inputs_left")
	take := func(line hw.Bits) {
		mask := hw.Mux(left.Ge(hw.K(walkWord)), hw.Lit(walkWord, 1<<walkWord-1),
			hw.Lit(walkWord, 1).Shl(left.Trunc(5)).Sub(hw.Lit(walkWord, 1)))
		w.pending.Set(line.Trunc(walkWord).Not().And(mask))
		w.line.Set(line.Shr(hw.Lit(6, walkWord)))
		w.word.Next()
	}
	w.read.Do(func() {
		w.row.Set(w.row.Inc())
		w.fetch.Next()
	})
	w.fetch.Do(func() {
		w.words.Set(hw.K(p.StreamBits/walkWord - 1))
		take(w.io.Line)
	})
	w.take.Do(func() {
		w.words.Set(w.words.Dec())
		take(w.line)
	})
	lowest := w.pending.Lowest().As("lowest")
	input := w.base.Add(lowest.Encode().Ext(ib)).As("input_number")
	w.word.Do(func() {
		m.When(w.pending.Ne(hw.K(0)), func() {
			w.pending.Set(w.pending.And(lowest.Not()))
			w.number.Set(input.Resize(wordsBits(p.Params)).Mul(w.io.Slots.Resize(wordsBits(p.Params))))
			w.slots.Next()
		}).ElseWhen(left.Le(hw.K(walkWord)), func() {
			w.idle.Next()
		}).Else(func() {
			w.base.Set(w.base.Add(hw.K(walkWord)))
			m.When(w.words.Eq(hw.K(0)), w.read.Next).Else(w.take.Next)
		})
	})
}

// items steps through the slots of an input, or the entries of an update.
func (p Walker) items(m *hw.Module, w walk, last hw.Bits) {
	w.slots.Do(func() {
		m.When(w.io.Item.Ready, func() {
			w.number.Set(w.number.Inc())
			w.slot.Set(hw.Mux(last, hw.K(0), w.slot.Inc()))
			m.When(last, w.word.Next)
		})
	})
	w.list.Do(func() {
		m.When(w.io.Item.Ready, func() {
			w.number.Set(w.number.Add(hw.K(2)))
			w.count.Set(w.count.Dec())
			m.When(w.count.Eq(hw.K(1)), w.idle.Next)
		})
	})
}
