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
	Item                              hw.Stream[hw.Bits]
	Busy                              hw.Bits
}

// itemBits is the width of {last slot, slot, word number}.
func itemBits(p arch.Params) int { return 1 + slotBits(p) + wordsBits(p) }

// ModuleName names the module.
func (Walker) ModuleName() string { return "walker" }

// walk is a Walker being described.
type walk struct {
	m  *hw.Module
	p  arch.Params
	io WalkerPorts

	base, count  hw.Bits // number of the first input of the bitmap word at hand; of all inputs
	left         hw.Bits // inputs from there on
	line, words  hw.Bits // rest of the bitmap line at hand; words left in it
	row          hw.Bits // next bitmap line
	pending      hw.Bits // non-popular inputs of the bitmap word, not yet walked
	input        hw.Bits // being walked
	number, slot hw.Bits // word number and slot of the item
	lastSlot     hw.Bits

	walkStates
}

type walkStates struct {
	Idle, Read, First, Following hw.State // a line is read, its first or another word taken
	Find, Place, Slots, List     hw.State // an input is chosen, its words found and listed; or a list
}

// Build describes the walker.
func (p Walker) Build(m *hw.Module) WalkerPorts {
	m.Doc("Walker: finds the non-popular inputs and lists their lookups; lists the rows of an update.")
	a := p.Params
	io := WalkerPorts{
		Start:      m.In("start", 1),
		Update:     m.In("update", 1),
		Half:       m.In("half", 1),
		Count:      m.In("count", inputsBits(a)),
		Slots:      m.In("slots", slotsBits(a)),
		LineEnable: m.Out("line_enable", 1),
		LineRow:    m.Out("line_row", lineBits(a)),
		Line:       m.In("line", p.StreamBits),
		Item:       m.Source("item", itemBits(a)),
		Busy:       m.Out("busy", 1),
	}
	w := newWalk(m, a, io)
	io.Busy.Set(w.Idle.Is().Not())
	io.LineEnable.Set(w.Read.Is())
	io.LineRow.Set(w.row)
	io.Item.Valid.Set(w.Slots.Is().Or(w.List.Is()))
	io.Item.Data.Set(hw.Cat(w.lastSlot, w.slot, w.number))
	w.begin()
	w.takeWords()
	w.findInputs()
	w.listItems()
	return io
}

func newWalk(m *hw.Module, p arch.Params, io WalkerPorts) *walk {
	w := &walk{m: m, p: p, io: io,
		base:    m.Data("base", inputsBits(p)),
		count:   m.Data("count_q", inputsBits(p)),
		line:    m.Data("line_q", p.StreamBits),
		words:   m.Data("words", hw.IndexWidth(p.StreamBits/wordBits)),
		row:     m.Data("row", lineBits(p)),
		pending: m.Data("pending", wordBits),
		input:   m.Data("input_number", inputsBits(p)),
		number:  m.Data("number", wordsBits(p)),
		slot:    m.Reg("slot", slotBits(p), 0),

		walkStates: hw.FSM[walkStates](m, "state"),
	}
	w.left = w.count.Sub(w.base).As("inputs_left")
	w.lastSlot = w.slot.Ext(slotsBits(p)).Inc().Eq(io.Slots).As("last_slot")
	return w
}

func (w *walk) begin() {
	w.Idle.Do(func() {
		w.m.When(w.io.Start, func() {
			w.count.Set(w.io.Count)
			w.base.Set(hw.K(0))
			w.number.Set(hw.K(0))
			w.row.Set(firstLine(w.p, w.io.Half))
			w.m.When(w.io.Update, w.List.Next).Else(w.Read.Next)
		})
	})
}

// takeWords takes the bitmap apart.
func (w *walk) takeWords() {
	all := w.left.Ge(hw.K(wordBits)).As("whole_word")
	few := hw.Ones(wordBits).Shl(w.left.Trunc(5)).Not()
	present := hw.Mux(all, hw.Ones(wordBits), few).As("inputs_present")
	take := func(line hw.Bits) {
		w.pending.Set(line.Trunc(wordBits).Not().And(present))
		w.line.Set(line.Shr(hw.Lit(6, wordBits)))
		w.Find.Next()
	}
	w.Read.Do(func() {
		w.row.Set(w.row.Inc())
		w.First.Next()
	})
	w.First.Do(func() {
		w.words.Set(hw.K(w.p.StreamBits/wordBits - 1))
		take(w.io.Line)
	})
	w.Following.Do(func() {
		w.words.Set(w.words.Dec())
		take(w.line)
	})
}

// findInputs chooses the next non-popular input, from other words if need be.
func (w *walk) findInputs() {
	m := w.m
	lowest := w.pending.Lowest().As("lowest")
	w.Find.Do(func() {
		m.When(w.pending.Any(), func() {
			w.pending.Set(w.pending.And(lowest.Not()))
			w.input.Set(w.base.Add(lowest.Encode().Ext(w.base.Width())))
			w.Place.Next()
		}).ElseWhen(w.left.Le(hw.K(wordBits)), func() {
			w.Idle.Next()
		}).Else(func() {
			w.base.Set(w.base.Add(hw.K(wordBits)))
			m.When(w.words.IsZero(), w.Read.Next).Else(w.Following.Next)
		})
	})
	w.Place.Do(func() {
		n := w.number.Width()
		w.number.Set(w.input.Resize(n).Mul(w.io.Slots.Resize(n)))
		w.Slots.Next()
	})
}

// listItems steps through the slots of an input, or the entries of an update.
func (w *walk) listItems() {
	m := w.m
	w.Slots.Do(func() {
		m.When(w.io.Item.Ready, func() {
			w.number.Set(w.number.Inc())
			w.slot.Set(hw.Mux(w.lastSlot, hw.K(0), w.slot.Inc()))
			m.When(w.lastSlot, w.Find.Next)
		})
	})
	w.List.Do(func() {
		m.When(w.io.Item.Ready, func() {
			w.number.Set(w.number.Add(hw.K(entryWords)))
			w.count.Set(w.count.Dec())
			m.When(w.count.Eq(hw.K(1)), w.Idle.Next)
		})
	})
}
