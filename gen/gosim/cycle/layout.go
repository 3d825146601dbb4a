package cycle

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// layout is the values that follow each other in memory.
type layout struct {
	of map[*plan.Value]*row
	in map[*plan.Value]kernel.Place // of inputs
}

// row is values, one behind the other.
type row struct{ values []*plan.Value }

// fits reports whether values can follow each other in memory: of rows that there are they have all values, in their
// order, unless all are some of one row that follow each other.
func (r *layout) fits(list []*plan.Value) bool {
	for n, v := range list {
		switch {
		case v.Of != nil, v.Lanes%64 != 0, v.Width != list[0].Width, v.LaneBits() != list[0].LaneBits(), slices.Index(list, v) != n:
			return false
		case r.in[v].Part != "" || r.in[list[0]].Part != "":
			from, to := r.in[list[0]], r.in[v]
			from.Bytes += n * v.Lanes * from.Size / 8
			if from != to || from.Size == 0 {
				return false
			}
		}
	}
	if r.in[list[0]].Part != "" || r.follow(list) {
		return true
	}
	for len(list) > 0 {
		n := 1
		if x := r.of[list[0]]; x != nil {
			if n = len(x.values); n > len(list) || !slices.Equal(list[:n], x.values) {
				return false
			}
		}
		list = list[n:]
	}
	return true
}

// follow reports whether values follow each other in a row that there is.
func (r *layout) follow(list []*plan.Value) bool {
	x := r.of[list[0]]
	if x == nil {
		return false
	}
	n := slices.Index(x.values, list[0])
	return n+len(list) <= len(x.values) && slices.Equal(x.values[n:n+len(list)], list)
}

// add has values that fit follow each other from now on.
func (r *layout) add(list []*plan.Value) {
	if r.in[list[0]].Part != "" || r.follow(list) {
		return
	}
	x := &row{list}
	for _, v := range list {
		r.of[v] = x
	}
}

// all returns the rows, by the numbers of their first values.
func (r *layout) all() (out [][]*plan.Value) {
	for v, x := range r.of {
		if x.values[0] == v {
			out = append(out, x.values)
		}
	}
	slices.SortFunc(out, func(a, b []*plan.Value) int { return a[0].ID - b[0].ID })
	return out
}

// clone returns rows that change without r.
func (r *layout) clone() *layout { return &layout{maps.Clone(r.of), r.in} }

// sorted has members of f whose values are in the same rows follow each other in the order of these.
func (r *layout) sorted(f family) family {
	role := r.known(f)
	if role < 0 {
		return f
	}
	key := func(v *plan.Value) (int, int) {
		if x := r.of[v]; x != nil {
			return x.values[0].ID, slices.Index(x.values, v)
		}
		return v.ID, 0
	}
	order := make([]int, len(f.members))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, n := key(f.roles[i][role])
		b, m := key(f.roles[j][role])
		return cmp.Or(a-b, n-m)
	})
	var out family
	for _, i := range order {
		out.members, out.roles = append(out.members, f.members[i]), append(out.roles, f.roles[i])
	}
	return out
}

// place has values with the same role in f follow each other, and finds those that all members read; false if they
// cannot follow each other.
func (r *layout) place(f family) (again []*plan.Value, ok bool) {
	var list [][]*plan.Value
	for i, v := range f.roles[0] {
		row := make([]*plan.Value, len(f.members))
		for n, roles := range f.roles {
			row[n] = roles[i]
		}
		switch {
		case !slices.ContainsFunc(row, func(w *plan.Value) bool { return w != v }):
			again = append(again, v)
		case r.fits(row):
			list = append(list, row)
		default:
			return nil, false
		}
	}
	for _, row := range list {
		if !r.fits(row) { // with those before it
			return nil, false
		}
		r.add(row)
	}
	return again, true
}

// placeAll has values follow each other as all families need it: the smallest come first, of which larger ones may
// consist, and of those as large the ones that have values in rows, as others can do with any order.
func (r *layout) placeAll(families []family) {
	families = slices.DeleteFunc(families, func(f family) bool { return f.saved() < fewestSaved })
	slices.SortStableFunc(families, func(f, g family) int { return len(f.members) - len(g.members) })
	for len(families) > 0 {
		next := slices.IndexFunc(families, func(f family) bool {
			return len(f.members) == len(families[0].members) && r.known(f) >= 0
		})
		next = max(next, 0)
		r.place(r.sorted(families[next]))
		families = slices.Delete(families, next, next+1)
	}
}

// known returns the first role of f whose values differ and are in rows; negative if there is none.
func (r *layout) known(f family) int {
	return slices.IndexFunc(f.roles[0], func(v *plan.Value) bool { return r.of[v] != nil && !slices.Contains(f.roles[1], v) })
}
