package verilog

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// generic is a Verilog module with a parameter, and those of the design that it is for
// values of it.
type generic struct {
	tree    *module
	members []*ir.Module        // by value, but the top first: its value is the default
	fits    map[*ir.Module]bool // members, and probes that would be
}

// generic finds how the text of modules that differ in a parameter follows from it. Those
// of the design are members whose text it gives, letter by letter, if their value stands
// in place of the parameter; others have a text of their own.
func (g *generator) generic(list []*ir.Module) *generic {
	var basis []*ir.Module
	var texts []string // of basis
	of := list[0].Generic
	for _, m := range list {
		t := g.tree(m)
		t.name, t.header = of.Name, header(of.Name, of.Params, m.Doc)
		if m.Generic.Probe {
			basis, texts = append(basis, m), append(texts, t.text())
		}
	}
	if len(basis) < ir.LeastProbes {
		return &generic{}
	}
	f := g.fit(basis)
	if f == nil {
		g.errs = append(g.errs, differs(basis, texts))
		return &generic{}
	}
	out := &generic{tree: f.tree, fits: map[*ir.Module]bool{}}
	for _, m := range list {
		if out.fits[m] = f.holds(m.Generic.Value, g.trees[m]); out.fits[m] && g.used[m] {
			out.members = append(out.members, m)
		}
	}
	slices.SortFunc(out.members, func(x, y *ir.Module) int { return cmp.Compare(x.Generic.Value, y.Generic.Value) })
	if at := slices.Index(out.members, g.top); at > 0 {
		out.members = slices.Insert(slices.Delete(out.members, at, at+1), 0, g.top)
	}
	if len(out.members) > 0 {
		f.tree.param = &parameter{of.Param, out.members[0].Generic.Value}
	}
	f.set(perParam)
	return out
}

// fit is how all sizes of a tree follow from the parameter.
type fit struct {
	tree   *module
	sizes  *sizes
	counts []line
	values []literal
}

// line is the size a*parameter + b.
type line struct{ a, b int }

// literal is a number in whatever width: a value, or all ones.
type literal struct {
	val  []uint64
	ones bool
}

// fit is that of the modules of basis, nil if none explains them all.
func (g *generator) fit(basis []*ir.Module) *fit {
	var all []*sizes
	for _, m := range basis {
		all = append(all, sizesOf(g.trees[m]))
	}
	f := &fit{tree: g.trees[basis[0]], sizes: all[0]}
	for _, s := range all {
		if !s.resembles(f.sizes) {
			return nil
		}
		for i, o := range s.objects {
			f.sizes.objects[i].kept = f.sizes.objects[i].kept || o.kept
		}
	}
	at := func(i int) int { return basis[i].Generic.Value }
	for k := range f.sizes.counts {
		rise, run := *all[1].counts[k]-*all[0].counts[k], at(1)-at(0)
		if rise%run != 0 {
			return nil
		}
		a := rise / run
		f.counts = append(f.counts, line{a, *all[0].counts[k] - a*at(0)})
	}
	for k, n := range f.sizes.numbers {
		ones := !slices.ContainsFunc(all, func(s *sizes) bool { return !isAllOnes(s.numbers[k]) })
		f.values = append(f.values, literal{n.val, ones})
	}
	f.set(perParam)
	if slices.ContainsFunc(f.sizes.places, isProduct) {
		return nil
	}
	for i, m := range basis {
		if !f.holds(at(i), g.trees[m]) {
			return nil
		}
	}
	return f
}

// resembles tells whether the sizes are of modules that may differ in nothing else.
func (s *sizes) resembles(t *sizes) bool {
	return len(s.counts) == len(t.counts) && len(s.numbers) == len(t.numbers) && len(s.objects) == len(t.objects)
}

// holds tells whether t is what f gives for the value n.
func (f *fit) holds(n int, t *module) bool {
	s := sizesOf(t)
	if !s.resembles(f.sizes) || !f.set(n) {
		return false
	}
	for i, o := range s.objects {
		o.kept = o.kept || f.sizes.objects[i].kept
	}
	return t == f.tree || f.tree.text() == t.text()
}

// set gives the parameter of the tree the value n. It tells whether all numbers whose width
// follows from it have room for a 0 in front, as Verilog writes them.
func (f *fit) set(n int) bool {
	for k, l := range f.counts {
		*f.sizes.counts[k] = l.a*n + l.b
	}
	room := true
	for k, c := range f.values {
		x := f.sizes.numbers[k]
		x.val, x.ones = c.val, c.ones
		if n == perParam || x.width <= 0 {
			continue
		}
		x.val = make([]uint64, max(ir.Words(x.width), len(c.val)))
		if copy(x.val, c.val); c.ones {
			x.val = ones(x.width)
			continue
		}
		moves := f.counts[f.sizes.widths[k]].a != 0
		room = room && (x.isZero() || x.least() < x.width || !moves && x.least() == x.width)
		x.val = x.val[:ir.Words(x.width)]
	}
	return room
}

func isAllOnes(n *number) bool { return n.width > 0 && slices.Equal(n.val, ones(n.width)) }

// ones returns the words of the number of so many bits that are all 1.
func ones(width int) []uint64 {
	out := make([]uint64, ir.Words(width))
	for i := range out {
		out[i] = math.MaxUint64 >> max(0, 64*(i+1)-width)
	}
	return out
}

// isProduct tells whether the place of x is a product of two sizes that follow from the
// parameter.
func isProduct(x *part) bool {
	follow := !isFixed(x.elem.konst)
	for _, t := range x.elem.terms {
		follow = follow || !isFixed(t.mul)
	}
	return follow && !isFixed(x.size)
}

// differs says where the texts of basis differ in more than sizes.
func differs(basis []*ir.Module, texts []string) error {
	m := basis[0]
	var lines [][]string
	for _, s := range texts {
		lines = append(lines, strings.Split(s, "\n"))
	}
	at := func(i int) int { return basis[i].Generic.Value }
	for k, line := range lines[0] {
		for i := 1; i < len(basis); i++ {
			if k < len(lines[1]) && k < len(lines[i]) && follow(line, lines[1][k], lines[i][k], at(0), at(1), at(i)) {
				continue
			}
			other := "nothing more"
			if k < len(lines[i]) {
				other = strconv.Quote(strings.Join(strings.Fields(lines[i][k]), " "))
			}
			return fmt.Errorf("verilog: %s: %s: [parameter] %s decides more than widths: for %d there is %q, for %d %s; without hw:\"parameter\" in its tag each value has a module of its own",
				m.Pos, m.Generic.Name, m.Generic.Param, at(0), strings.Join(strings.Fields(line), " "), at(i), other)
		}
	}
	return fmt.Errorf("verilog: %s: %s: [parameter] %s decides more than widths; without hw:\"parameter\" in its tag each value has a module of its own", m.Pos, m.Generic.Name, m.Generic.Param)
}

var digits = regexp.MustCompile(`\b[0-9]+\b`)

// follow tells whether the lines x, y and z differ in numbers only, and these in
// proportion to a, b and c.
func follow(x, y, z string, a, b, c int) bool {
	blank := func(s string) string {
		return strings.Join(strings.Fields(digits.ReplaceAllString(s, "0")), " ")
	}
	if blank(x) != blank(y) || blank(x) != blank(z) {
		return false
	}
	u, v, w := digits.FindAllString(x, -1), digits.FindAllString(y, -1), digits.FindAllString(z, -1)
	for i := range u {
		p, _ := strconv.Atoi(u[i])
		q, _ := strconv.Atoi(v[i])
		r, _ := strconv.Atoi(w[i])
		if (q-p)*(c-a) != (r-p)*(b-a) || (q-p)%(b-a) != 0 {
			return false
		}
	}
	return true
}
