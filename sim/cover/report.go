package cover

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Share is a count out of a total.
type Share struct {
	Of   int `json:"of"`
	Seen int `json:"seen"`
}

func (s *Share) add(of, seen int) { s.Of, s.Seen = s.Of+of, s.Seen+seen }

func (s Share) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", s.Seen, s.Of, 100*float64(s.Seen)/float64(s.Of))
}

// Module summarizes the coverage of all instances of a module.
type Module struct {
	Name       string `json:"name"`
	Bits       Share  `json:"bits"` // bits that rose and fell
	Values     Share  `json:"values"`
	Conditions Share  `json:"conditions"`
}

// Modules returns the totals of each module, sorted by name, and the totals of all modules.
func (r *Record) Modules() (list []Module, all Module) {
	at := map[string]*Module{}
	each := func(module string, f func(*Module)) {
		if at[module] == nil {
			at[module] = &Module{Name: module}
		}
		f(at[module])
		f(&all)
	}
	for _, b := range r.Bits {
		each(b.Module, func(m *Module) { m.Bits.add(b.Width, b.Both().Count()) })
	}
	for _, v := range r.Values {
		each(v.Module, func(m *Module) { m.Values.add(len(v.Seen), count(v.Seen)) })
	}
	for _, c := range r.Conditions {
		each(c.Module, func(m *Module) { m.Conditions.add(1, count([]bool{c.Times > 0})) })
	}
	for _, m := range at {
		list = append(list, *m)
	}
	slices.SortFunc(list, func(a, b Module) int { return cmp.Compare(a.Name, b.Name) })
	return list, all
}

// count returns the number of true elements.
func count(list []bool) (n int) {
	for _, x := range list {
		if x {
			n++
		}
	}
	return n
}

// Print writes a report in Markdown: the totals of each module, and everything that did not occur
// in any of its instances.
func (r *Record) Print(w io.Writer) error {
	list, all := r.Modules()
	var s strings.Builder
	fmt.Fprintf(&s, "Coverage of %s: %d runs, %d cycles.\n\n", r.Design, r.Runs, r.Cycles)
	s.WriteString("| module | bits that rose and fell | values | conditions |\n| --- | ---: | ---: | ---: |\n")
	for _, m := range append(list, all) {
		fmt.Fprintf(&s, "| %s | %s | %s | %s |\n", cmp.Or(m.Name, "all"), m.Bits, m.Values, m.Conditions)
	}
	s.WriteString("\nNever, in no instance:\n")
	never := r.never()
	for i, x := range never {
		if i == 0 || never[i-1].Module != x.Module {
			fmt.Fprintf(&s, "\n%s\n\n", x.Module)
		}
		fmt.Fprintf(&s, "- `%s` (%s): %s\n", x.Name, x.Place, x.what)
	}
	if len(never) == 0 {
		s.WriteString("\nnothing\n")
	}
	_, err := io.WriteString(w, s.String())
	return err
}
