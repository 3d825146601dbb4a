package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// hasContents reports whether any memory has initial contents.
func (g *generator) hasContents() bool {
	for _, m := range g.Mems {
		if m.Init != nil {
			return true
		}
	}
	return false
}

// contents prints the function that initializes memories.
func (g *generator) contents() {
	for _, m := range g.Mems {
		if m.Init != nil {
			g.f("var contents%d = [...]uint64{%s}\n\n", m.ID, hexList(m.Init))
		}
	}
	g.f("// fill gives memories their contents.\nfunc (s *Model) fill() {\n")
	for _, m := range g.Mems {
		if m.Init != nil {
			g.f("%s", contentsOf(m))
		}
	}
	g.f("}\n\n")
}

// contentsOf returns the statements that initialize all lanes of m.
func contentsOf(m *plan.Memory) string {
	word := fmt.Sprintf("s.m%d[i]", m.ID)
	loop, end := "", ""
	if m.Lanes > 1 {
		word = fmt.Sprintf("s.m%d[l][i]", m.ID)
		loop, end = fmt.Sprintf("for l := range %d {\n", m.Lanes), "}\n"
	}
	if m.Across() {
		word = fmt.Sprintf("s.m%d[i][l]", m.ID)
	}
	if m.Width <= 64 {
		return fmt.Sprintf("%sfor i, x := range contents%d {\n%s = %s(x)\n}\n%s", loop, m.ID, word, storage.ElemType(m.Width), end)
	}
	n := ir.Words(m.Width)
	return fmt.Sprintf("%sfor i := range %d {\ncopy(%s[:], contents%d[i*%d:])\n}\n%s", loop, m.Depth, word, m.ID, n, end)
}

// hexList formats words as elements of an array, eight on a line.
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
