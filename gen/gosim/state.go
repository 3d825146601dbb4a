package gosim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// state prints the access to registers and memories by path, and what is asked of registers at
// an edge.
func (g *generator) state() {
	stored := g.stored()
	g.f("// groups are the registers and memories, and where they are in the state.\nvar groups = [...]model.Group{\n")
	for _, x := range stored {
		g.f("{%s, Width: %d%s},\n", x.paths, x.width, x.place())
	}
	g.f("}\n\nvar states = model.NewStates(groups[:], reflect.TypeFor[state]())\n\n")
	g.f("// committed are the groups of registers of each commit.\nvar committed = [][]int{\n")
	number := map[*plan.Regs]int{}
	for i, x := range stored {
		for _, r := range x.regs {
			number[r] = i
		}
	}
	for _, list := range g.committed() {
		var groups []string
		for _, r := range list {
			groups = append(groups, strconv.Itoa(number[r]))
		}
		g.f("{%s},\n", strings.Join(slices.Compact(groups), ", "))
	}
	g.f("}\n\nconst (\ntop = %q\nhasReset = %t\n)\n\n", g.design.Top.Name, g.design.Top.Reset)
	g.fill("states", frame{})
}

// place is where the registers or the memory of x are, as fields of a model.Group.
func (x stored) place() string {
	if m := x.mem; m != nil {
		size := plan.ElemBits(m.Width) * ir.Words(m.Width)
		text := fmt.Sprintf(", Depth: %d", x.depth)
		if x.fixed {
			text += ", Fixed: true"
		}
		word, lane := m.Steps()
		return text + fmt.Sprintf(", Memory: model.Memory{At: \"m%d\", Lane: %d, Size: %d, Stride: %d}", m.ID, lane, size, x.stride*word)
	}
	regs := make([]string, len(x.regs))
	for i, r := range x.regs {
		regs[i] = regText(r)
	}
	return fmt.Sprintf(", Registers: []model.Reg{%s}", strings.Join(regs, ", "))
}

// regText is r as a model.Reg.
func regText(r *plan.Regs) string {
	size := r.Q.Stride()
	if size == 0 {
		size = 64 * r.Q.Words()
	}
	text := fmt.Sprintf("{Q: %q, D: %q, Lanes: %d, Size: %d", names.Field(r.Q), names.Field(r.D.V), r.Q.Lanes, size)
	if r.Mask != nil {
		text += ", Mask: " + conditionText(r.Mask)
	}
	if r.Clear != nil {
		text += ", Clear: " + conditionText(r.Clear)
	}
	if r.Init != nil {
		words := make([]string, r.Q.Words())
		for i := range words {
			words[i] = code.Hex(r.Init[i])
		}
		text += fmt.Sprintf(", Init: []uint64{%s}", strings.Join(words, ", "))
	}
	return text + "}"
}

func conditionText(v *plan.Value) string {
	return fmt.Sprintf("model.Condition{At: %q, Lanes: %d}", names.Field(v), v.Lanes)
}

// pathsText describes the paths of the lanes of a group: a pattern with one
// pair of brackets for each number that counts, or all of them.
func pathsText(paths []string) string {
	if len(paths) == 1 {
		return fmt.Sprintf("Pattern: %q", paths[0])
	}
	pattern, dims := withoutNumbers(paths[0]), []int(nil)
	last := numbersOf(paths[len(paths)-1])
	total := 1
	for _, n := range last {
		dims = append(dims, n+1)
		total *= n + 1
	}
	regular := total == len(paths)
	for l := 0; regular && l < len(paths); l++ {
		regular = fill(pattern, dims, l) == paths[l]
	}
	if regular {
		return fmt.Sprintf("Pattern: %q, Dims: []int{%s}", pattern, strings.Trim(strings.ReplaceAll(fmt.Sprint(dims), " ", ", "), "[]"))
	}
	quoted := make([]string, len(paths))
	for i, p := range paths {
		quoted[i] = strconv.Quote(p)
	}
	return fmt.Sprintf("Paths: []string{%s}", strings.Join(quoted, ", "))
}

// withoutNumbers is path without the numbers in brackets.
func withoutNumbers(path string) string {
	var b strings.Builder
	for _, c := range path {
		if c < '0' || c > '9' || !inBrackets(b.String()) {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func inBrackets(s string) bool { return strings.LastIndexByte(s, '[') > strings.LastIndexByte(s, ']') }

func numbersOf(path string) []int {
	var out []int
	for {
		_, rest, ok := strings.Cut(path, "[")
		if !ok {
			return out
		}
		number, after, _ := strings.Cut(rest, "]")
		n, _ := strconv.Atoi(number)
		out = append(out, n)
		path = after
	}
}

// fill puts the digits of l, of mixed radix dims, into the brackets of a pattern.
func fill(pattern string, dims []int, l int) string {
	digits := make([]int, len(dims))
	for i := len(dims) - 1; i >= 0; i-- {
		digits[i] = l % dims[i]
		l /= dims[i]
	}
	var b strings.Builder
	for i, piece := range strings.SplitAfter(pattern, "[") {
		b.WriteString(piece)
		if i < len(digits) && strings.HasSuffix(piece, "[") {
			b.WriteString(strconv.Itoa(digits[i]))
		}
	}
	return b.String()
}
