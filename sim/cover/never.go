package cover

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// unseen describes behaviour of a signal that did not occur in any instance of its module or
// element of a vector.
type unseen struct {
	Point
	what string
}

// never lists all behaviour that did not occur, by module and name.
func (r *Record) never() (out []unseen) {
	for _, b := range merged(r.Bits, func(b Bits) Point { return b.Point }, func(a, b Bits) Bits {
		a.Rise, a.Fall = slices.Clone(a.Rise), slices.Clone(a.Fall)
		a.Rise.add(b.Rise)
		a.Fall.add(b.Fall)
		return a
	}) {
		if s := b.missing(); s != "" {
			out = append(out, unseen{b.Point, s})
		}
	}
	for _, v := range merged(r.Values, func(v Values) Point { return v.Point }, func(a, b Values) Values {
		a.Seen = slices.Clone(a.Seen)
		for i, x := range b.Seen {
			a.Seen[i] = a.Seen[i] || x
		}
		return a
	}) {
		if s := v.missing(); s != "" {
			out = append(out, unseen{v.Point, s})
		}
	}
	for _, c := range merged(r.Conditions, func(c Condition) Point { return c.Point }, func(a, b Condition) Condition {
		a.Times += b.Times
		return a
	}) {
		if c.Times == 0 {
			out = append(out, unseen{c.Point, "not met: " + c.Text})
		}
	}
	slices.SortStableFunc(out, func(a, b unseen) int { return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Name, b.Name)) })
	return out
}

// merged combines the entries of the same signal of a module with add.
func merged[T any](list []T, of func(T) Point, add func(a, b T) T) (out []T) {
	at := map[[2]string]int{}
	for _, x := range list {
		key := [2]string{of(x).Module, of(x).Name}
		if i, ok := at[key]; ok {
			out[i] = add(out[i], x)
			continue
		}
		at[key] = len(out)
		out = append(out, x)
	}
	return out
}

// missing describes the bits that never change and the bits that change in one direction only.
func (b Bits) missing() string {
	var s []string
	for _, x := range []struct {
		what       string
		rise, fall bool
	}{{"never changes", false, false}, {"never falls", true, false}, {"never rises", false, true}} {
		if list := b.bits(x.rise, x.fall); list != "" {
			s = append(s, list+" "+x.what)
		}
	}
	return strings.Join(s, "; ")
}

// bits lists the bits with the given rise and fall, formatted as 7:4, 1.
func (b Bits) bits(rise, fall bool) string {
	var s []string
	is := func(i int) bool { return b.Rise.has(i) == rise && b.Fall.has(i) == fall }
	for hi := b.Width - 1; hi >= 0; hi-- {
		if !is(hi) {
			continue
		}
		lo := hi
		for lo > 0 && is(lo-1) {
			lo--
		}
		if lo == hi {
			s = append(s, fmt.Sprint(hi))
		} else {
			s = append(s, fmt.Sprintf("%d:%d", hi, lo))
		}
		hi = lo
	}
	return strings.Join(s, ", ")
}

// missing lists the values that never occurred.
func (v Values) missing() string {
	var s []string
	for i, name := range v.Names {
		if !v.Seen[i] {
			s = append(s, name)
		}
	}
	if len(s) == 0 {
		return ""
	}
	return "never " + strings.Join(s, ", ")
}
