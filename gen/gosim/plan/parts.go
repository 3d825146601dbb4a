package plan

// worthwhile is the least number of operations of a part, counted in each turn of its loop, that
// costs more than finding out whether the part must be evaluated.
const worthwhile = 32

// parts cuts loops into parts that have no value in common: the stages of a pipeline are
// alike, so that scheduling puts them together, but what one takes seldom changes at the same
// time as what another does. Parts that cost next to nothing stay together.
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

// number numbers units by their places.
func (p *Plan) number() {
	for i, u := range p.Units {
		u.ID = i
	}
}

// parts are the units that u becomes.
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

// of is a unit of some of the nodes of u.
func (u *Unit) of(nodes []*Node) *Unit {
	part := *u
	part.Nodes = nodes
	for _, n := range nodes {
		n.Unit = &part
	}
	return &part
}

// turns is how often the loop of u is run.
func (u *Unit) turns() int {
	if u.Kind == Packed {
		return u.Lanes * u.Elem / 64
	}
	return u.Lanes
}

// related puts nodes together that have a value in common.
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
