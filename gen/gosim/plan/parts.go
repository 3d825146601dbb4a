package plan

// worthwhile is the minimum number of operations of a part, counted in every iteration of its loop.
// Evaluating a smaller part costs less than checking whether it must be evaluated.
const worthwhile = 32

// parts splits loops into parts that have no value in common. Scheduling merges the stages of a
// pipeline, because they are alike, but their inputs seldom change at the same time. Parts that
// cost next to nothing stay together.
func (p *Plan) parts() {
	var units []*Unit
	for _, u := range p.Units {
		if u.Kind == Packed || u.Kind == Loop {
			units = append(units, u.parts()...)
		} else {
			units = append(units, u)
		}
	}
	p.Units = units
	p.number()
}

// number numbers the units in their order.
func (p *Plan) number() {
	for i, u := range p.Units {
		u.ID = i
	}
}

// parts returns the units into which u is split.
func (u *Unit) parts() []*Unit {
	var out []*Unit
	var rest []*Node
	for _, nodes := range related(u.Nodes) {
		if len(nodes)*u.turns() < worthwhile {
			rest = append(rest, nodes...)
		} else {
			out = append(out, u.of(nodes))
		}
	}
	if len(rest) > 0 {
		out = append(out, u.of(rest))
	}
	return out
}

// of returns a copy of u with only the given nodes.
func (u *Unit) of(nodes []*Node) *Unit {
	part := *u
	part.Nodes = nodes
	for _, n := range nodes {
		n.Unit = &part
	}
	return &part
}

// turns returns the number of iterations of the loop of u.
func (u *Unit) turns() int {
	if u.Kind == Packed {
		return u.Lanes * u.Elem / 64
	}
	return u.Lanes
}

// related groups nodes that have a value in common.
func related(nodes []*Node) [][]*Node {
	leaders := map[*Value]*Value{}
	leader := func(v *Value) *Value {
		for leaders[v] != nil {
			v = leaders[v]
		}
		return v
	}
	for _, n := range nodes {
		n.Uses(func(v *Value, _ bool) {
			if from, to := leader(v), leader(n.Out); v != n.mask && from != to {
				leaders[from] = to
			}
		})
	}
	var out [][]*Node
	at := map[*Value]int{}
	for _, n := range nodes {
		v := leader(n.Out)
		i, ok := at[v]
		if !ok {
			i = len(out)
			at[v] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], n)
	}
	return out
}
