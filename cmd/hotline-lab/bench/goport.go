package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// unrolled is the maximum number of words of a port that are copied without a loop. A loop copies
// parts of partWords words, or larger parts if parts of this size do not end at a word boundary.
const unrolled, partWords = 32, 8

// goPort is a port of a model as a Go expression. kind is the type of an element, or of its words
// if the element is wider than 64 bits.
type goPort struct {
	at, kind string
	ir.Type
}

// newGoPort returns the port for a field of a struct. A vector whose elements fill their Go type is
// treated as one value, because its memory layout is the same.
func newGoPort(structure string, field structField, t ir.Type) goPort {
	p := goPort{structure + "." + field.name, field.kind, t}
	switch t.Width {
	case 8, 16, 32, 64:
		if t.IsVec() && t.Bits()%64 == 0 {
			n := ir.Words(t.Bits())
			return goPort{fmt.Sprintf("(*as[[%d]uint64](&%s))", n, p.at), "uint64", ir.Type{Width: t.Bits()}}
		}
	}
	return p
}

// set prints the assignment of the port from the words of frame w, beginning with the given word.
func (p goPort) set(b io.Writer, word int) {
	switch n := ir.Words(p.Width); {
	case p.IsVec():
		p.parts(func(loop string, x goPort, first string) {
			fmt.Fprintf(b, "\t%s{\n\t\tx, v := %s, (*[%d]uint64)(w[%d%s:])\n", loop, x.at, ir.Words(x.Bits()), word, first)
			lo := 0
			for _, e := range x.elements() {
				fmt.Fprintf(b, "\t\t%s\n", e.set(lo))
				lo += e.bits
			}
			fmt.Fprintf(b, "\t}\n")
		})
	case p.Width == 1:
		fmt.Fprintf(b, "\t%s = w[%d] != 0\n", p.at, word)
	case n > 1:
		fmt.Fprintf(b, "\t%s = [%d]uint64(w[%d:%d])\n", p.at, n, word, word+n)
	default:
		fmt.Fprintf(b, "\t%s = %s(w[%d])\n", p.at, p.kind, word)
	}
}

// sum prints the addition of the port's words to the checksum h.
func (p goPort) sum(b io.Writer) {
	switch n := ir.Words(p.Width); {
	case p.IsVec():
		p.parts(func(loop string, x goPort, _ string) {
			fmt.Fprintf(b, "\t%s{\n\t\tx := %s\n", loop, x.at)
			foldWords(b, x.words())
			fmt.Fprintf(b, "\t}\n")
		})
	case p.Width == 1:
		fmt.Fprintf(b, "\th = fold(h, bit(%s))\n", p.at)
	case n > unrolled:
		fmt.Fprintf(b, "\tfor i := range %s {\n\t\th = fold(h, %s[i])\n\t}\n", p.at, p.at)
	case n > 1:
		words := make([]string, n)
		for i := range words {
			words[i] = fmt.Sprintf("%s[%d]", p.at, i)
		}
		foldWords(b, words)
	default:
		fmt.Fprintf(b, "\th = fold(h, uint64(%s))\n", p.at)
	}
}

// foldWords prints the addition of words to the checksum h. Groups of words are folded separately
// first, so that the processor has several independent dependency chains.
func foldWords(b io.Writer, words []string) {
	for some := range slices.Chunk(words, partWords) {
		fmt.Fprintf(b, "\t{\n\t\ty := %s\n", some[0])
		for _, w := range some[1:] {
			fmt.Fprintf(b, "\t\ty = fold(y, %s)\n", w)
		}
		fmt.Fprintf(b, "\t\th = join(h, %d, y)\n\t}\n", len(some))
	}
}

// parts divides a vector into parts that begin at a word boundary. The expression of a part is a
// pointer. first is the offset of its first word as an expression, and loop is a for statement over
// i, or empty.
func (p goPort) parts(each func(loop string, part goPort, first string)) {
	part := func(n int, from string) goPort {
		elem := p.kind
		if p.Width > 64 {
			elem = fmt.Sprintf("[%d]uint64", ir.Words(p.Width))
		}
		return goPort{fmt.Sprintf("(*[%d]%s)(%s[%s:])", n, elem, p.at, from), p.kind, ir.Type{Width: p.Width, Len: n}}
	}
	n := p.Len // elements of a part
	if ir.Words(p.Bits()) > unrolled {
		for n = 1; n*p.Width%64 != 0 || 2*n*p.Width <= 64*partWords; {
			n *= 2
		}
	}
	loops, words := p.Len/n, ir.Words(n*p.Width)
	switch {
	case loops == 1:
		each("", part(n, "0"), "")
	case loops > 1:
		each(fmt.Sprintf("for i := range %d ", loops), part(n, fmt.Sprintf("%d*i", n)), fmt.Sprintf("+%d*i", words))
	}
	if rest := p.Len % n; rest > 0 {
		each("", part(rest, fmt.Sprint(loops*n)), fmt.Sprintf("+%d", loops*words))
	}
}

// goElement is a group of at most 64 consecutive bits of a vector: a word of an element, or eight
// elements of one bit.
type goElement struct {
	at, kind string
	bits     int
}

// elements returns the elements of the vector x.
func (p goPort) elements() (out []goElement) {
	for i := 0; i < p.Len; i++ {
		switch {
		case p.Width == 1 && i+8 <= p.Len:
			out = append(out, goElement{fmt.Sprintf("(*[8]bool)(x[%d:])", i), "[8]bool", 8})
			i += 7
		case p.Width <= 64:
			out = append(out, goElement{fmt.Sprintf("x[%d]", i), p.kind, p.Width})
		default:
			for k := range ir.Words(p.Width) {
				out = append(out, goElement{fmt.Sprintf("x[%d][%d]", i, k), p.kind, min(64, p.Width-64*k)})
			}
		}
	}
	return out
}

// set returns the assignment of the element from the words v, beginning at bit lo.
func (e goElement) set(lo int) string {
	w, shift := lo/64, lo%64
	value := fmt.Sprintf("v[%d]>>%d", w, shift)
	if shift+e.bits > 64 {
		value = fmt.Sprintf("(%s|v[%d]<<%d)", value, w+1, 64-shift)
	}
	switch e.kind {
	case "[8]bool":
		return fmt.Sprintf("unpack(%s, %s)", e.at, value)
	case "bool":
		return fmt.Sprintf("%s = %s&1 != 0", e.at, value)
	}
	return fmt.Sprintf("%s = %s(%s&%#x)", e.at, e.kind, value, ^uint64(0)>>(64-e.bits))
}

// value returns an expression of the element's bits, zero-extended to 64 bits.
func (e goElement) value() string {
	switch e.kind {
	case "[8]bool":
		return fmt.Sprintf("pack(%s)", e.at)
	case "bool":
		return fmt.Sprintf("bit(%s)", e.at)
	}
	return fmt.Sprintf("uint64(%s)", e.at)
}

// words returns expressions of the words of the vector x.
func (p goPort) words() []string {
	words := make([][]string, ir.Words(p.Bits()))
	lo := 0
	for _, e := range p.elements() {
		w, shift := lo/64, lo%64
		words[w] = append(words[w], fmt.Sprintf("%s<<%d", e.value(), shift))
		if shift+e.bits > 64 {
			words[w+1] = append(words[w+1], fmt.Sprintf("%s>>%d", e.value(), 64-shift))
		}
		lo += e.bits
	}
	out := make([]string, len(words))
	for i, terms := range words {
		out[i] = strings.Join(terms, "|")
	}
	return out
}
