package memory

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/input"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
)

// Walker lists what the Controller must fetch: for a gather every lookup of every
// non-popular input, for an update every entry of the list.
type Walker struct {
	sizes.Beats
	sizes.SlotNumbers
}

// WalkerPorts are the ports of a Walker.
type WalkerPorts struct {
	Start  hw.Bits         `hw:"in" doc:"begins a gather or an update"`
	Update hw.Bits         `hw:"in"`
	Half   hw.Bits         `hw:"in"`
	Count  hw.Bits         `hw:"in,InputsBits" doc:"of inputs, or of entries of the list"`
	Slots  hw.Bits         `hw:"in,SlotCountBits" doc:"lookups per input; holds"`
	Line   input.LineRead  `hw:"out" doc:"of the bitmap"`
	Item   hw.Stream[Item] `hw:"out"`
	Busy   hw.Bits         `hw:"out"`
}

// walk is a Walker being described.
type walk struct {
	m  *hw.Module
	p  Walker
	io WalkerPorts

	base, count  hw.Bits // number of the first input of the bitmap word at hand; of all inputs
	left         hw.Bits // inputs from there on
	line, words  hw.Bits // rest of the bitmap line at hand; words left in it
	nextLine     hw.Bits // of the next bitmap line
	pending      hw.Bits // non-popular inputs of the bitmap word, not yet walked
	input        hw.Bits // being walked
	number, slot hw.Bits // word number and slot of the item
	lastSlot     hw.Bits

	walkStates
}

// walkStates are those of a walk.
type walkStates struct {
	Idle, Read, First, Following hw.State // a line is read, its first or another word taken
	Find, Place, Slots, List     hw.State // an input is chosen, its words found and listed; or a list
}

// Build describes the walker.
func (p Walker) Build(m *hw.Module) WalkerPorts {
	m.Doc("Walker: finds the non-popular inputs and lists their lookups; lists the rows of an update.")
	io := hw.Ports[WalkerPorts](m)
	w := newWalk(m, p, io)
	io.Busy.Set(w.Idle.Is().Not())
	io.Line.Enable.Set(w.Read.Is())
	io.Line.Number.Set(w.nextLine)
	io.Item.Valid.Set(w.Slots.Is().Or(w.List.Is()))
	hw.Set(io.Item.Data, Item{Last: w.lastSlot, Slot: w.slot, Word: w.number})
	w.begin()
	w.takeWords()
	w.findInputs()
	w.listItems()
	return io
}

func newWalk(m *hw.Module, p Walker, io WalkerPorts) *walk {
	w := &walk{m: m, p: p, io: io,
		base:     m.Data("base", p.InputsBits()),
		count:    m.Data("count_q", p.InputsBits()),
		line:     m.Data("line_q", p.StreamBits),
		words:    m.Data("words", hw.IndexWidth(p.StreamBits/sizes.WordBits)),
		nextLine: m.Data("next_line", p.LineBits()),
		pending:  m.Data("pending", sizes.WordBits),
		input:    m.Data("input_number", p.InputsBits()),
		number:   m.Data("number", p.WordsBits()),
		slot:     m.Reg("slot", p.SlotBits(), 0),

		walkStates: hw.FSM[walkStates](m, "state"),
	}
	w.left = w.count.Sub(w.base).As("inputs_left")
	w.lastSlot = w.slot.Ext(p.SlotCountBits()).Inc().Eq(io.Slots).As("last_slot")
	return w
}

func (w *walk) begin() {
	w.Idle.Do(func() {
		w.m.When(w.io.Start, func() {
			w.count.Set(w.io.Count)
			w.base.Set(hw.K(0))
			w.number.Set(hw.K(0))
			w.nextLine.Set(w.p.FirstLine(w.io.Half))
			w.m.When(w.io.Update, w.List.Next).Else(w.Read.Next)
		})
	})
}

// takeWords takes the bitmap apart.
func (w *walk) takeWords() {
	all := w.left.Ge(hw.K(sizes.WordBits)).As("whole_word")
	few := hw.Ones(sizes.WordBits).Shl(w.left.Trunc(5)).Not()
	present := hw.Mux(all, hw.Ones(sizes.WordBits), few).As("inputs_present")
	take := func(line hw.Bits) {
		w.pending.Set(line.Trunc(sizes.WordBits).Not().And(present))
		w.line.Set(line.Shr(hw.K(sizes.WordBits)))
		w.Find.Next()
	}
	w.Read.Do(func() {
		w.nextLine.Set(w.nextLine.Inc())
		w.First.Next()
	})
	w.First.Do(func() {
		w.words.Set(hw.K(w.p.StreamBits/sizes.WordBits - 1))
		take(w.io.Line.Bits)
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
		}).ElseWhen(w.left.Le(hw.K(sizes.WordBits)), func() {
			w.Idle.Next()
		}).Else(func() {
			w.base.Set(w.base.Add(hw.K(sizes.WordBits)))
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
			w.number.Set(w.number.Add(hw.K(sizes.EntryWords)))
			w.count.Set(w.count.Dec())
			m.When(w.count.Eq(hw.K(1)), w.Idle.Next)
		})
	})
}
