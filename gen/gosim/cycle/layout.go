package cycle

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// layout records which values are contiguous in memory.
type layout struct {
	of map[*plan.Value]*row
	in map[*plan.Value]kernel.Place // places of inputs
}

// row is a sequence of values that are contiguous in memory.
type row struct{ values []*plan.Value }

// fits reports whether values can be contiguous in memory. They must include all values of each
// existing row, in its order, or be a contiguous part of one row.
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

// follow reports whether values are contiguous in an existing row.
func (r *layout) follow(list []*plan.Value) bool {
	x := r.of[list[0]]
	if x == nil {
		return false
	}
	n := slices.Index(x.values, list[0])
	return n+len(list) <= len(x.values) && slices.Equal(x.values[n:n+len(list)], list)
}

// add makes a row of values that fit.
func (r *layout) add(list []*plan.Value) {
	if r.in[list[0]].Part != "" || r.follow(list) {
		return
	}
	x := &row{list}
	for _, v := range list {
		r.of[v] = x
	}
}

// all returns the rows, sorted by the number of their first value.
func (r *layout) all() (out [][]*plan.Value) {
	for v, x := range r.of {
		if x.values[0] == v {
			out = append(out, x.values)
		}
	}
	slices.SortFunc(out, func(a, b []*plan.Value) int { return a[0].ID - b[0].ID })
	return out
}

// clone returns an independent copy of the rows.
func (r *layout) clone() *layout { return &layout{maps.Clone(r.of), r.in} }

// sorted sorts the members of f by the order of their values in existing rows.
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

// place makes rows of the values with the same role in f, and returns the values that all members
// read. It returns false if a row is impossible.
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
		if !r.fits(row) { // with the rows before it
			return nil, false
		}
		r.add(row)
	}
	return again, true
}

// placeAll makes rows for all families, the smallest rows first, because larger rows may consist of
// them. Among families of the same size, a family whose values are already in rows comes first,
// because other families can use any order.
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

// known returns the first role of f whose values differ and are in rows, or a negative number.
func (r *layout) known(f family) int {
	return slices.IndexFunc(f.roles[0], func(v *plan.Value) bool { return r.of[v] != nil && !slices.Contains(f.roles[1], v) })
}
