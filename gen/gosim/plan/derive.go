package plan

import (
	"fmt"
	"maps"
	"slices"
)

// mostArms is the maximum number of arms that set the registers of a derived value.
const mostArms = 4

// derive keeps values that depend only on registers that few arms set. At the end of an edge, a
// unit computes them again if one of these registers has been set. A value must not change sooner,
// because later steps of the edge read it.
func (p *Plan) derive() {
	if !p.Immediate {
		return
	}
	edge := p.Units[len(p.Units)-1]
	d := &deriving{u: edge, arms: map[*Value]map[*Block]bool{}, of: map[*Node]map[*Block]bool{}, group: map[*Node][]int{}}
	d.find(edge.Body)
	d.sets()
	d.choose(p)
	p.split(edge, d.group)
}

// deriving finds derived values.
type deriving struct {
	u     *Unit
	arms  map[*Value]map[*Block]bool // arms that set a register; nil if the register is set often
	of    map[*Node]map[*Block]bool  // arms that set registers on which a node depends; nil if it depends on more
	group map[*Node][]int            // arms that set what the unit of a derived node depends on
}

// find finds the arms that set registers. Arms that only an input chooses are taken often, unless
// they reset a register to a constant.
func (d *deriving) find(root *Block) {
	often := map[*Block]bool{root: true}
	root.each(func(b *Block) {
		for _, s := range b.Steps {
			if c := s.Choice; c != nil {
				for _, arm := range c.Arms {
					often[arm] = often[b] && c.On.V != nil && c.On.V.Node == nil && c.On.V.reg == nil
				}
				continue
			}
			if s.Commit == nil || s.Commit.Reg == nil {
				continue
			}
			q := s.Commit.Reg.Q
			if _, ok := d.arms[q]; !ok {
				d.arms[q] = map[*Block]bool{}
			}
			if b == root || q.Lanes > 1 || often[b] && s.Commit.Value.V != nil {
				d.arms[q] = nil
			} else if d.arms[q] != nil {
				d.arms[q][b] = true
			}
		}
	})
}

// sets finds the nodes that depend only on registers that few arms set.
func (d *deriving) sets() {
	for _, n := range d.u.Nodes {
		if n.Own() || n.List != nil || n.Mem != nil {
			continue
		}
		set := map[*Block]bool{}
		n.Uses(func(v *Value, _ bool) {
			from := d.arms[v]
			if v.Node != nil {
				from = d.of[v.Node]
			}
			if from == nil {
				set = nil
			}
			if set != nil {
				maps.Copy(set, from)
			}
		})
		if len(set) > 0 && len(set) <= mostArms {
			d.of[n] = set
		}
	}
}

// choose selects the nodes that each edge evaluates although they seldom change, with everything
// that only they need.
func (d *deriving) choose(p *Plan) {
	users, ids := map[*Node][]*Node{}, map[*Block]int{}
	d.u.Body.each(func(b *Block) { ids[b] = len(ids) })
	always, read := map[*Node]bool{}, map[*Node]bool{}
	for _, s := range d.u.Body.Steps {
		always[s.Node] = true
		if s.Choice != nil {
			for _, n := range s.Choice.Results {
				always[n] = true
			}
		}
	}
	p.roots(func(v *Value) { read[v.Node] = true })
	for _, n := range slices.Backward(d.u.Nodes) {
		var groups [][]int
		if read[n] {
			groups = append(groups, nil)
		}
		for _, u := range users[n] {
			groups = append(groups, d.group[u])
		}
		n.Uses(func(v *Value, _ bool) { users[v.Node] = append(users[v.Node], n) })
		derived := slices.ContainsFunc(groups, func(g []int) bool { return g != nil })
		switch groups = slices.CompactFunc(groups, slices.Equal); {
		case d.of[n] == nil:
		case derived && len(groups) == 1:
			d.group[n] = groups[0]
		case derived || always[n] && d.work(n) > 1:
			for b := range d.of[n] {
				d.group[n] = append(d.group[n], ids[b])
			}
			slices.Sort(d.group[n])
		}
	}
}

// work returns the cost of n and of its operands.
func (d *deriving) work(n *Node) int {
	sum := n.cost()
	n.Uses(func(v *Value, _ bool) {
		if v.Node != nil {
			sum += v.Node.cost()
		}
	})
	return sum
}

// split moves nodes of an edge to the units of their groups, and arranges all of them again. A
// group depends only on groups with fewer arms.
func (p *Plan) split(edge *Unit, group map[*Node][]int) {
	if len(group) == 0 {
		return
	}
	units, arms := map[string]*Unit{}, map[*Unit]int{}
	var rest []*Node
	var derived []*Unit
	for _, n := range edge.Nodes {
		key := fmt.Sprint(group[n])
		u := units[key]
		switch {
		case group[n] == nil:
			rest = append(rest, n)
			continue
		case u == nil:
			u = &Unit{Kind: Scalar, Lanes: 1, From: map[*Value]bool{}}
			units[key], arms[u] = u, len(group[n])
			derived = append(derived, u)
		}
		n.Unit, u.Nodes = u, append(u.Nodes, n)
	}
	edge.Nodes = rest
	slices.SortStableFunc(derived, func(u, v *Unit) int { return arms[u] - arms[v] })
	for _, u := range derived {
		for _, n := range u.Nodes {
			n.Uses(func(v *Value, _ bool) {
				if v.reg != nil {
					u.From[v] = true
				} else {
					maps.Copy(u.From, v.Node.Unit.From)
				}
			})
		}
	}
	p.Units = slices.Insert(p.Units, 0, derived...)
	p.number()
	p.local()
	p.branches()
}
