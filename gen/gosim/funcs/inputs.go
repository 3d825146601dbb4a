package funcs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// PrintApply prints the transfer of inputs to the state. Inputs of few words are compared while
// they are moved, without branches that a processor would have to predict. Other inputs are
// compared before they are moved.
func (e *Printer) PrintApply() {
	e = New(e.p, e.b)
	e.unpredictable = true
	e.f("// apply copies inputs to the state.\n")
	e.function("apply()", &plan.Unit{Lanes: 1}, func() {
		e.notice()
		for i, v := range e.p.Inputs {
			if v == nil || v.Port != "" {
				continue
			}
			port := code.Name("s.In.%s", e.p.Names[i])
			if e.p.D.Ports[i].Sig.Type.IsVec() && v.Lanes == 1 {
				port = port.At(0)
			}
			switch {
			case manyBits(v):
				last := code.Name("s.last.%s", e.p.Names[i])
				e.When(port.Differs(last), func() {
					e.Put(last, port)
					e.applyBits(v, port)
				})
			case v.Lanes*v.Words() > fewWords:
				e.copyLanesOf(v, port)
			case v.Bits():
				e.applyBits(v, port)
			case v.Lanes > 1:
				e.Times(storage.LaneL, v.Lanes, func() { e.storeLane(v, storage.LaneL, storage.PortWords(port.Index(storage.LaneL), v.Width)) })
			default:
				e.storeLane(v, storage.Lane0, storage.PortWords(port, v.Width))
			}
		}
	})
}

// copyLanesOf copies an array of the same type to v, if it differs.
func (e *Printer) copyLanesOf(v *plan.Value, src *code.Expr) {
	e.When(storage.Field(v).Differs(src), func() {
		e.note(e.p.Readers[v], code.Int(1))
		e.Put(storage.Field(v), src)
	})
}

// applyBits stores an input of type bool in bits of words.
func (e *Printer) applyBits(v *plan.Value, port *code.Expr) {
	for w := range v.BitWords() {
		e.store(v, storage.BitWord(v, code.Int(w)), e.Set(code.Call("model.Bits", port.Part(64*w, min(64*w+64, v.Lanes)))))
	}
}

// manyBits reports whether the present value of an input is kept in s.last, because the state
// stores it in another form and comparing all lanes would take long.
func manyBits(v *plan.Value) bool { return v.Bits() && v.Lanes > fewWords }

// fewWords is the maximum number of words of an input that are compared one by one.
const fewWords = 4

// inputWord is a word of In that contains inputs that units read in place.
type inputWord struct {
	index int
	parts []inputPart
}

// inputPart contains the bits of a word with the same readers.
type inputPart struct {
	bits    uint64
	readers []int
}

// inPlace returns the words of In that units read in place. Immediate designs compare all of In.
func (e *Printer) inPlace() (words []inputWord) {
	at := 0
	for i, v := range e.p.Inputs {
		if v == nil || e.p.Immediate {
			continue
		}
		size, align := portBytes(e.p.D.Ports[i].Sig.Type)
		at = (at + align - 1) / align * align
		for b := at; b < at+size && v.Port != "" && len(e.p.Readers[v]) > 0; b++ {
			if len(words) == 0 || words[len(words)-1].index < b/8 {
				words = append(words, inputWord{index: b / 8})
			}
			words[len(words)-1].add(0xff<<(b%8*8), e.p.Readers[v])
		}
		at += size
	}
	return words
}

// portBytes returns the size and the alignment in bytes of the field of a port.
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

// notice marks the readers of inputs in place that have changed. It compares several inputs at a
// time.
func (e *Printer) notice() {
	words := e.inPlace()
	if len(words) == 0 {
		return
	}
	in, last := code.Name("in"), code.Name("s.last.words")
	array := fmt.Sprintf("(*[%d]uint64)", words[len(words)-1].index+1)
	e.Do(&code.Define{Name: in, X: code.Call(array, code.Call("unsafe.Pointer", code.Name("s.In").Address())), Int: true})
	for k, w := range words {
		x := e.Set(in.At(w.index))
		d := e.Set(x.Xor(last.At(k)))
		for _, part := range w.parts {
			e.note(part.readers, d.And(code.Num(part.bits)))
		}
		e.Put(last.At(k), x)
	}
}

// LastInputs returns a field of the model for inputs that the state does not store in a form that
// can be compared.
func (e *Printer) LastInputs(copies bool) string {
	if e.p.Immediate {
		return "last In // inputs that the state below reflects\n"
	}
	if copies {
		return "last In // inputs of many bits that the state below reflects\n"
	}
	var b strings.Builder
	if words := e.inPlace(); len(words) > 0 {
		fmt.Fprintf(&b, "words [%d]uint64 // of In, with what units read there\n", len(words))
	}
	for i, v := range e.p.Inputs {
		if v != nil && manyBits(v) {
			fmt.Fprintf(&b, "%s %s\n", e.p.Names[i], storage.PortType(e.p.D.Ports[i].Sig.Type))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "last struct { // inputs that the state below reflects\n" + b.String() + "}\n"
}
