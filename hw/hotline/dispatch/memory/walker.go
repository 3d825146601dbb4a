package memory

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/input"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
)

// Walker lists the items that the Controller must fetch: every lookup of every non-popular input of
// a gather, or gradient and row of every entry of an update. It visits a group of inputs slot by
// slot, and searches for the next inputs meanwhile.
type Walker struct {
	sizes.Beats
	sizes.SlotNumbers
	VectorValues int `doc:"FP32 values of the embedding vector buffer"`
}

// WalkerPorts are the ports of a Walker.
type WalkerPorts struct {
	Start   hw.Bits         `hw:"in" doc:"begins a gather or an update"`
	Update  hw.Bits         `hw:"in" doc:"1: an update, 0: a gather"`
	Half    hw.Bits         `hw:"in" doc:"half of the eDRAM"`
	Count   hw.Bits         `hw:"in,InputsBits" doc:"of inputs, or of entries of the list"`
	Slots   hw.Bits         `hw:"in,SlotCountBits" doc:"lookups per input; holds"`
	RowLog2 hw.Bits         `hw:"in,4" doc:"log2 of the bytes of a row; holds"`
	Line    input.LineRead  `hw:"out" doc:"of the bitmap"`
	Item    hw.Stream[Item] `hw:"out" doc:"lookups, or entries of the list"`
	Busy    hw.Bits         `hw:"out" doc:"items are left"`
}

// walk describes a Walker.
type walk struct {
	m  *hw.Module
	p  Walker
	io WalkerPorts

	update      hw.Bits // all inputs are walked, without a bitmap
	slots       hw.Bits // lookups per input
	word, count hw.Bits // number of the current bitmap word; number of all inputs
	left        hw.Bits // inputs from the first input of the current word on
	line, words hw.Bits // rest of the current bitmap line; words left in it
	nextLine    hw.Bits // number of the next bitmap line
	pending     hw.Bits // non-popular inputs of the bitmap word that were not found yet
	input       hw.Bits // the input that was found

	firsts     hw.Mem[hw.Bits] // ring of the found inputs: number of the first word of each
	tail, head hw.Bits         // positions in the ring, one bit wider than an address

	walkStates
}

// walkStates are the states of a walk.
type walkStates struct {
	Idle, Read, First, Following hw.State // read a line, take its first word, take a later word
	Find, Place                  hw.State // find the next input, store its first word
}

// Build describes the walker.
func (p Walker) Build(m *hw.Module) WalkerPorts {
	m.Doc("Walker: finds the non-popular inputs, or takes all entries of an update, and lists their lookups.")
	io := hw.Ports[WalkerPorts](m)
	w := newWalk(m, p, io)
	io.Line.Enable.Set(w.Read.Is())
	io.Line.Number.Set(w.nextLine)
	w.begin()
	w.takeWords()
	w.findInputs()
	// This stage breaks the path from the ring to the memories that the word addresses.
	item := stream.Stage(m, "item", hw.Of[Item](p), w.listItems())
	io.Item.Connect(item)
	io.Busy.Set(w.Idle.Is().And(w.tail.Eq(w.head)).And(item.Valid.Not()).Not())
	return io
}

// ringBits returns the width of an address in the ring of found inputs. The ring has room for two
// groups: one is listed while the walker searches for the other.
func ringBits() int { return arch.Log2(2 * arch.MostGroup) }

func newWalk(m *hw.Module, p Walker, io WalkerPorts) *walk {
	w := &walk{m: m, p: p, io: io,
		update:   m.Data("updating", 1),
		word:     m.Data("word", p.InputBits()-arch.Log2(sizes.WordBits)),
		count:    m.Data("count_q", p.InputsBits()),
		line:     m.Data("line_q", p.StreamBits-sizes.WordBits),
		words:    m.Data("words", hw.IndexWidth(p.StreamBits/sizes.WordBits)),
		nextLine: m.Data("next_line", p.LineBits()),
		pending:  m.Data("pending", sizes.WordBits),
		input:    m.Data("input_number", p.InputBits()),
		firsts:   m.Mem("firsts", 2*arch.MostGroup, p.PlaceBits()),
		tail:     m.Reg("tail", ringBits()+1, 0),
		head:     m.Reg("head", ringBits()+1, 0),

		walkStates: hw.FSM[walkStates](m, "state"),
	}
	w.left = w.count.Sub(w.numbered(hw.Zeros(arch.Log2(sizes.WordBits))).Ext(w.count.Width())).As("inputs_left")
	w.slots = hw.Mux(w.update, hw.Named("entry_words", sizes.EntryWords), io.Slots).As("slots_each")
	return w
}

// numbered returns the number of an input of the current bitmap word.
func (w *walk) numbered(bit hw.Bits) hw.Bits { return hw.Cat(w.word, bit) }

func (w *walk) begin() {
	w.Idle.Do(func() {
		w.m.When(w.io.Start, func() {
			w.count.Set(w.io.Count)
			w.word.Set(hw.K(0))
			w.update.Set(w.io.Update)
			w.nextLine.Set(w.p.FirstLine(w.io.Half))
			w.m.When(w.io.Update, w.Following.Next).Else(w.Read.Next)
		})
	})
}

// takeWords splits the bitmap into words. An update has no bitmap.
func (w *walk) takeWords() {
	all := w.left.Ge(hw.Named("word_bits", sizes.WordBits)).As("whole_word")
	few := hw.Ones(sizes.WordBits).Shl(w.left.Trunc(5)).Not()
	present := hw.Mux(all, hw.Ones(sizes.WordBits), few).As("inputs_present")
	take := func(line hw.Bits) { // from the low end on
		w.pending.Set(hw.Mux(w.update, present, line.Trunc(sizes.WordBits).Not().And(present)))
		w.line.Set(line.Slice(line.Width()-1, sizes.WordBits).Ext(w.line.Width()))
		w.Find.Next()
	}
	w.Read.Do(func() {
		w.nextLine.Set(w.nextLine.Inc())
		w.First.Next()
	})
	w.First.Do(func() {
		w.words.Set(hw.Named("last_word", w.p.StreamBits/sizes.WordBits-1))
		take(w.io.Line.Bits)
	})
	w.Following.Do(func() {
		w.words.Set(w.words.Dec())
		take(w.line)
	})
}

// findInputs finds the next non-popular input, if necessary in later words.
func (w *walk) findInputs() {
	m := w.m
	lowest := w.pending.Lowest().As("lowest")
	w.Find.Do(func() {
		m.When(w.pending.Any(), func() {
			w.pending.Set(w.pending.And(lowest.Not()))
			w.input.Set(w.numbered(lowest.Encode()))
			w.Place.Next()
		}).ElseWhen(w.left.Le(hw.Named("word_bits", sizes.WordBits)), func() {
			w.Idle.Next()
		}).Else(func() {
			w.word.Set(w.word.Inc())
			m.When(w.words.IsZero().And(w.update.Not()), w.Read.Next).Else(w.Following.Next)
		})
	})
	w.Place.Do(func() {
		m.When(w.tail.Ne(hw.Cat(w.head.Bit(ringBits()).Not(), w.head.Trunc(ringBits()))), func() {
			n := w.p.PlaceBits()
			w.firsts.Write(w.tail.Trunc(ringBits()), w.input.Resize(n).Mul(w.slots.Resize(n)))
			w.tail.Set(w.tail.Inc())
			w.Find.Next()
		})
	})
}

// listItems visits the inputs of a group slot by slot. A group ends when it has its maximum number
// of inputs, or with the last input of the walk.
func (w *walk) listItems() hw.Stream[Item] {
	m, p, io := w.m, w.p, w.io
	out := hw.Wire[hw.Stream[Item]](m, "listed")
	nth, slot := m.Reg("input_of_group", arch.Log2(arch.MostGroup), 0), m.Reg("slot", p.SlotBits(), 0)
	room := hw.Lit(arch.Log2(4*p.VectorValues), uint64(4*p.VectorValues-1)).Shr(io.RowLog2)
	full := nth.Eq(room.Trunc(nth.Width())).As("group_full")
	at := w.head.Add(nth.Ext(w.head.Width())).As("at")
	found := w.tail.Sub(at).As("inputs_found")
	known := full.Or(found.Ne(hw.K(1))).Or(w.Idle.Is())
	wraps := full.Or(found.Eq(hw.K(1))).As("group_ends")
	end := slot.Ext(p.SlotCountBits()).Inc().Eq(w.slots).As("last_slot")

	out.Valid.Set(found.Any().And(known))
	hw.Set(out.Data, Item{Next: wraps.Not(), End: end, Slot: slot, Word: w.firsts.Read(at.Trunc(ringBits())).Add(slot.Resize(p.PlaceBits()))})
	m.When(out.Fire(), func() {
		nth.Set(hw.Mux(wraps, hw.K(0), nth.Inc()))
		m.When(wraps, func() {
			slot.Set(hw.Mux(end, hw.K(0), slot.Inc()))
			m.When(end, func() { w.head.Set(at.Inc()) })
		})
	})
	return out
}
