package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// hasContents tells whether a memory has any.
func (g *generator) hasContents() bool {
	for _, m := range g.mems {
		if m.init != nil {
			return true
		}
	}
	return false
}

// filling is what New does besides if a memory has contents.
func (g *generator) filling() string {
	if g.hasContents() {
		return "s.fill()\n"
	}
	return ""
}

// contents prints what gives memories their contents.
func (g *generator) contents() {
	for _, m := range g.mems {
		if m.init != nil {
			g.f("var contents%d = [...]uint64{%s}\n\n", m.id, hexList(m.init))
		}
	}
	g.f("// fill gives memories their contents.\nfunc (s *Model) fill() {\n")
	for _, m := range g.mems {
		if m.init != nil {
			g.f("%s", contentsOf(m))
		}
	}
	g.f("}\n\n")
}

// contentsOf are the statements that give all lanes of m their contents.
func contentsOf(m *memory) string {
	word := fmt.Sprintf("s.m%d[i]", m.id)
	loop, end := "", ""
	if m.lanes > 1 {
		word = fmt.Sprintf("s.m%d[l][i]", m.id)
		loop, end = fmt.Sprintf("for l := range s.m%d {\n", m.id), "}\n"
	}
	if m.width <= 64 {
		return fmt.Sprintf("%sfor i, x := range contents%d {\n%s = %s(x)\n}\n%s", loop, m.id, word, elemType(m.width), end)
	}
	n := ir.Words(m.width)
	return fmt.Sprintf("%sfor i := range %d {\ncopy(%s[:], contents%d[i*%d:])\n}\n%s", loop, m.depth, word, m.id, n, end)
}

// hexList are words as elements of an array, eight on a line.
func hexList(words []uint64) string {
	b := []byte{'\n'}
	for i, w := range words {
		sep := ", "
		if i%8 == 7 || i == len(words)-1 {
			sep = ",\n"
		}
		b = fmt.Appendf(b, "%#x%s", w, sep)
	}
	return string(b)
}
