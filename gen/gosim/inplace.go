package gosim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// inputWord is a word of In that has inputs which units read there.
type inputWord struct {
	index int
	parts []inputPart
}

// inputPart is the bits of a word whose changes the same readers must know of.
type inputPart struct {
	bits    uint64
	readers []int
}

// inPlace are the words of In with what units read there. Immediate designs compare all of In.
func (g *generator) inPlace() (words []inputWord) {
	at := 0
	for i, v := range g.Inputs {
		if v == nil || g.Immediate {
			continue
		}
		size, align := portBytes(g.D.Ports[i].Sig.Type)
		at = (at + align - 1) / align * align
		for b := at; b < at+size && v.Port != "" && len(g.Readers[v]) > 0; b++ {
			if len(words) == 0 || words[len(words)-1].index < b/8 {
				words = append(words, inputWord{index: b / 8})
			}
			words[len(words)-1].add(0xff<<(b%8*8), g.Readers[v])
		}
		at += size
	}
	return words
}

// portBytes is the size of the field of a port, and what the address of it is a multiple of.
func portBytes(t ir.Type) (size, align int) {
	align = plan.ElemBits(t.Width) / 8
	return align * ir.Words(t.Width) * max(t.Len, 1), align
}

func (w *inputWord) add(bits uint64, readers []int) {
	for i := range w.parts {
		if slices.Equal(w.parts[i].readers, readers) {
			w.parts[i].bits |= bits
			return
		}
	}
	w.parts = append(w.parts, inputPart{bits, readers})
}

// notice marks the readers of inputs in place that have changed: several inputs are compared
// at a time.
func (g *generator) notice(e *emitter) {
	words := g.inPlace()
	if len(words) == 0 {
		return
	}
	in, last := code.Name("in"), code.Name("s.last.words")
	array := fmt.Sprintf("(*[%d]uint64)", words[len(words)-1].index+1)
	e.do(&code.Define{Name: in, X: code.Call(array, code.Call("unsafe.Pointer", code.Name("s.In").Address())), Int: true})
	for k, w := range words {
		x := e.set(in.At(w.index))
		d := e.set(x.Xor(last.At(k)))
		for _, part := range w.parts {
			e.note(part.readers, d.And(code.Num(part.bits)))
		}
		e.put(last.At(k), x)
	}
}

// lastInputs is a field of the model for inputs that the state below has in no form in which
// they can be compared.
func (g *generator) lastInputs() string {
	if g.Immediate {
		return "last In // inputs that the state below reflects\n"
	}
	if g.copies != nil {
		return "last In // inputs of many bits that the state below reflects\n"
	}
	var b strings.Builder
	if words := g.inPlace(); len(words) > 0 {
		fmt.Fprintf(&b, "words [%d]uint64 // of In, with what units read there\n", len(words))
	}
	for i, v := range g.Inputs {
		if v != nil && manyBits(v) {
			fmt.Fprintf(&b, "%s %s\n", g.Names[i], portType(g.D.Ports[i].Sig.Type))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "last struct { // inputs that the state below reflects\n" + b.String() + "}\n"
}
