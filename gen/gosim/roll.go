package gosim

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/flat"
)

// value is an array of lanes values of width bits. One-bit values of several
// lanes are stored as bits of words.
type value struct {
	id           int
	width, lanes int
	node         *node  // that computes it; nil for registers and inputs
	reg          *regs  // that it is the present value of
	stored       bool   // it has storage, being used outside its unit
	doc          string // what it is, for a comment
	of           *value // whose bits it is another view of; nil for values of their own
}

// bits tells whether v is stored as bits of words.
func (v *value) bits() bool { return v.width == 1 && v.lanes > 1 }

// words is the number of words of a lane.
func (v *value) words() int { return ir.Words(v.width) }

// ref is a lane of a value, or a constant.
type ref struct {
	v    *value
	lane int
	k    []uint64
}

// operand is what a node reads in each of its lanes.
type operand struct {
	v     *value // nil for constants
	at    form   // lane of v
	table []int  // lane of v, if no form fits
	k     []uint64
	ks    [][]uint64 // constants by lane, if they differ
	width int
}

// same tells whether lane l reads lane l.
func (o operand) same(lanes int) bool {
	return o.v != nil && o.table == nil && o.v.lanes == lanes && (o.at.identity() || lanes == 1)
}

// list is an operand of n elements: element k of lane l is lane base(l)+k*stride of v.
type list struct {
	v         *value
	n, stride int
	base      form
}

// node is one operation in all its lanes.
type node struct {
	id    int
	code  ir.Op
	lanes int
	nout  int
	out   *value
	width int
	args  []operand
	list  *list
	lo    form // Slice: first bit
	mem   *memory
	memAt form
	moves []ref // gather: where each lane comes from
	place string
	pos   ir.Pos
	unit  *unit
	mask  *value // lanes whose results are of use; nil for all
	elem  int    // bits of a lane, if several are evaluated at a time in a word
}

// regs is one register in all its lanes.
type regs struct {
	q    *value
	d    operand
	init []uint64 // nil without reset
	mask *value   // lanes that take d; nil for all
	list []int    // in flat.Design.Regs, by lane
}

// memory is one memory in all its lanes.
type memory struct {
	id           int
	depth, width int
	room         int // words of storage; those from depth on stay zero
	lanes        int
	list         []int // in flat.Design.Mems, by lane
	writes       []*write
	readers      []int // units
}

// write is a port of a memory in all its lanes; lane l writes lane at[l].
type write struct {
	enable, addr, data operand
	lanes              int
	at                 form
}

// check is an assertion in all its lanes.
type check struct {
	fail *value // stored
	list []int  // in flat.Design.Checks, by lane
}

// plan is a design rolled up again into operations on arrays.
type plan struct {
	d       *flat.Design
	values  []*value
	nodes   []*node
	regs    []*regs
	mems    []*memory
	checks  []*check
	inputs  []*value // by port; nil for outputs
	outputs [][]ref  // by port; nil for inputs
	where   []ref    // by net
	memAt   []memRef // by flat memory
	gathers map[string]*value
	views   map[*value]*value // by what they are views of
	units   []*unit
	readers map[*value][]int // marks of what reads a value
	commits map[*unit]int    // of registers whose next values a unit computes
	pending map[*unit][]int  // commits that evaluating a unit makes necessary
}

type memRef struct {
	m    *memory
	lane int
}

func roll(d *flat.Design) *plan {
	p := &plan{d: d, where: make([]ref, len(d.Width)), gathers: map[string]*value{}, views: map[*value]*value{}}
	for _, k := range d.Consts {
		p.where[k.Net] = ref{k: k.Val}
	}
	p.rollInputs()
	p.rollMems()
	p.rollRegs()
	groups := p.groups()
	for _, g := range groups {
		p.declare(g)
	}
	for _, n := range slices.Clone(p.nodes) {
		p.connect(n, groups[n.id])
	}
	p.effects()
	return p
}

func (p *plan) newValue(width, lanes int) *value {
	v := &value{id: len(p.values), width: width, lanes: lanes}
	p.values = append(p.values, v)
	return v
}

func (p *plan) rollInputs() {
	p.inputs = make([]*value, len(p.d.Ports))
	for i, port := range p.d.Ports {
		if port.Sig.Kind != ir.Input {
			continue
		}
		v := p.newValue(port.Sig.Type.Width, len(port.Nets))
		v.stored, v.doc = true, port.Sig.Name
		p.inputs[i] = v
		for l, n := range port.Nets {
			p.where[n] = ref{v: v, lane: l}
		}
	}
}

// spot is where something stands: equal spots but for iterations make lanes.
type spot struct {
	what  any
	place string
	shape string
}

// bySpot groups 0..n-1 by spot, in order of first appearance, each group sorted
// by iterations and element.
func bySpot(n int, at func(int) (spot, *flat.Copy, int32)) [][]int {
	index := map[spot]int{}
	var out [][]int
	for i := range n {
		s, _, _ := at(i)
		g, ok := index[s]
		if !ok {
			g = len(out)
			index[s] = g
			out = append(out, nil)
		}
		out[g] = append(out[g], i)
	}
	for _, g := range out {
		slices.SortStableFunc(g, func(a, b int) int {
			_, ca, ea := at(a)
			_, cb, eb := at(b)
			if c := slices.Compare(ca.Iters, cb.Iters); c != 0 {
				return c
			}
			return int(ea - eb)
		})
	}
	return out
}

func (p *plan) rollMems() {
	p.memAt = make([]memRef, len(p.d.Mems))
	for _, g := range bySpot(len(p.d.Mems), func(i int) (spot, *flat.Copy, int32) {
		m := p.d.Mems[i]
		return spot{m.IR, m.Copy.Place, ""}, m.Copy, 0
	}) {
		m := p.d.Mems[g[0]].IR
		mem := &memory{id: len(p.mems), depth: m.Depth, room: room(m.Depth), width: m.Width, lanes: len(g), list: g}
		p.mems = append(p.mems, mem)
		for l, i := range g {
			p.memAt[i] = memRef{mem, l}
		}
	}
}

// room is the storage for a memory of so many words: reads of small ones need no
// check of the address if it is a power of two.
func room(depth int) int {
	if depth > 4096 {
		return depth
	}
	return 1 << bits.Len(uint(depth-1))
}

func (p *plan) rollRegs() {
	for _, g := range bySpot(len(p.d.Regs), func(i int) (spot, *flat.Copy, int32) {
		r := p.d.Regs[i]
		return spot{r.Sig, r.Copy.Place, ""}, r.Copy, r.Elem
	}) {
		first := p.d.Regs[g[0]]
		r := &regs{q: p.newValue(int(p.d.Width[first.Q]), len(g)), list: g}
		r.q.reg, r.q.stored, r.q.doc = r, true, first.Path
		if first.Reset {
			r.init = first.Init
		}
		for l, i := range g {
			p.where[p.d.Regs[i].Q] = ref{v: r.q, lane: l}
		}
		p.regs = append(p.regs, r)
	}
}

// groups are the operations that become nodes: those with the same origin, or
// one by one where a group would depend on itself.
func (p *plan) groups() [][]int {
	groups := bySpot(len(p.d.Ops), func(i int) (spot, *flat.Copy, int32) {
		op := &p.d.Ops[i]
		shape := fmt.Sprint(op.Code, p.d.Width[op.Out], op.NOut)
		for k, a := range op.Args {
			if k > 3 {
				shape += fmt.Sprint(" ", len(op.Args))
				break
			}
			shape += fmt.Sprint(" ", p.d.Width[a])
		}
		return spot{op.From, op.Copy.Place, shape}, op.Copy, op.Elem
	})
	for {
		cyclic := p.cyclic(groups)
		for i, g := range groups {
			if len(g) > 1 && !p.regular(g) {
				cyclic[i] = true
			}
		}
		if len(cyclic) == 0 {
			return groups
		}
		var out [][]int
		for i, g := range groups {
			if !cyclic[i] {
				out = append(out, g)
				continue
			}
			for _, op := range g {
				out = append(out, []int{op})
			}
		}
		groups = out
	}
}

// regular tells whether the parameters of the operations have a form.
func (p *plan) regular(g []int) bool {
	lo := func(l int) int { return int(p.d.Ops[g[l]].Lo) }
	switch p.d.Ops[g[0]].Code {
	case ir.Slice:
		_, ok := fit(len(g), lo)
		return ok
	case ir.MemRead:
		m := p.memAt[lo(0)].m
		for l := range g {
			if p.memAt[lo(l)].m != m {
				return false
			}
		}
		_, ok := fit(len(g), func(l int) int { return p.memAt[lo(l)].lane })
		return ok
	}
	return true
}

// cyclic are the groups that depend on themselves.
func (p *plan) cyclic(groups [][]int) map[int]bool {
	of := make([]int, len(p.d.Width)) // group that computes the net, plus one
	for g, ops := range groups {
		for _, i := range ops {
			op := &p.d.Ops[i]
			for k := range op.NOut {
				of[op.Out+flat.Net(k)] = g + 1
			}
		}
	}
	next := make([][]int, len(groups))
	for g, ops := range groups {
		seen := map[int]bool{}
		for _, i := range ops {
			for _, a := range p.d.Ops[i].Args {
				if h := of[a]; h > 0 && !seen[h-1] {
					seen[h-1] = true
					next[g] = append(next[g], h-1)
				}
			}
		}
	}
	out := map[int]bool{}
	for _, c := range components(next) {
		if len(c) > 1 || slices.Contains(next[c[0]], c[0]) {
			for _, g := range c {
				if len(groups[g]) > 1 {
					out[g] = true
				}
			}
		}
	}
	return out
}

// components are the strongly connected components of a graph (Tarjan).
func components(next [][]int) [][]int {
	n := len(next)
	index, low, on := make([]int, n), make([]int, n), make([]bool, n)
	var stack []int
	var out [][]int
	count := 0
	var visit func(v int)
	visit = func(v int) {
		count++
		index[v], low[v] = count, count
		stack, on[v] = append(stack, v), true
		for _, w := range next[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if on[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] == index[v] {
			i := slices.Index(stack, v)
			c := slices.Clone(stack[i:])
			for _, w := range c {
				on[w] = false
			}
			stack = stack[:i]
			out = append(out, c)
		}
	}
	for v := range n {
		if index[v] == 0 {
			visit(v)
		}
	}
	return out
}

// declare makes the node of a group and its result.
func (p *plan) declare(g []int) {
	op := &p.d.Ops[g[0]]
	n := &node{id: len(p.nodes), code: op.Code, lanes: len(g), nout: int(op.NOut), width: int(p.d.Width[op.Out]),
		place: op.Copy.Place, pos: op.Pos}
	multi := op.Code == ir.Update || op.Code == ir.Route
	if !multi {
		n.nout = 1
	}
	n.out = p.newValue(n.width, n.lanes*n.nout)
	n.out.node = n
	for l, i := range g {
		o := &p.d.Ops[i]
		for k := range n.nout {
			p.where[o.Out+flat.Net(k)] = ref{v: n.out, lane: l*n.nout + k}
		}
	}
	p.nodes = append(p.nodes, n)
}

// leading is how many operands of a listed operator stand before its list.
func leading(code ir.Op) (n int, listed bool) {
	switch code {
	case ir.Update:
		return 2, true
	case ir.Elem, ir.EqLanes, ir.Select, ir.Route:
		return 1, true
	}
	return 0, false
}

// unrolled is the longest list whose elements are operands of their own.
const unrolled = 4

// connect finds the operands of n, of the operations g.
func (p *plan) connect(n *node, g []int) {
	ops := make([]*flat.Op, len(g))
	for l, i := range g {
		ops[l] = &p.d.Ops[i]
	}
	arg := func(k int) operand {
		return p.operand(n.lanes, int(p.d.Width[ops[0].Args[k]]), func(l int) ref { return p.where[ops[l].Args[k]] })
	}
	lead, listed := leading(n.code)
	count := len(ops[0].Args)
	if n.code == ir.Or && count > unrolled || n.code == ir.Concat && count > unrolled && p.even(ops[0]) {
		listed = true
	}
	element := func(l, k int) ref {
		if n.code == ir.Concat { // the most significant stands first
			k = count - 1 - k
		}
		return p.where[ops[l].Args[lead+k]]
	}
	if !listed && count > 1 && (n.code == ir.Or || n.code == ir.Concat && p.even(ops[0])) {
		v := view(n.lanes, count, element)
		listed = v != nil && v.v.bits() && v.v.lanes != n.lanes
	}
	if !listed {
		lead = count
	}
	for k := range lead {
		n.args = append(n.args, arg(k))
	}
	if listed {
		n.list = p.list(n.lanes, count-lead, int(p.d.Width[ops[0].Args[lead]]), element)
	}
	switch n.code {
	case ir.Slice:
		lo, ok := fit(n.lanes, func(l int) int { return int(ops[l].Lo) })
		if !ok {
			panic("gosim: irregular slices")
		}
		n.lo = lo
		p.viewBits(n)
	case ir.MemRead:
		n.mem, n.memAt = p.memory(n.lanes, func(l int) int { return int(ops[l].Lo) })
	}
	p.straighten(n)
}

// even tells whether all operands of a concatenation have the same width.
func (p *plan) even(op *flat.Op) bool {
	for _, a := range op.Args {
		if p.d.Width[a] != p.d.Width[op.Args[0]] {
			return false
		}
	}
	return true
}

// memory is the memory, and the lane of it, that each lane reads.
func (p *plan) memory(lanes int, of func(int) int) (*memory, form) {
	m := p.memAt[of(0)].m
	at, ok := fit(lanes, func(l int) int { return p.memAt[of(l)].lane })
	for l := range lanes {
		ok = ok && p.memAt[of(l)].m == m
	}
	if !ok {
		panic("gosim: irregular use of a memory")
	}
	return m, at
}

// operand finds the pattern of what each lane reads.
func (p *plan) operand(lanes, width int, of func(int) ref) operand {
	first := of(0)
	constant, single, equal := true, true, true
	for l := range lanes {
		r := of(l)
		constant = constant && r.v == nil
		single = single && r.v == first.v && r.v != nil
		equal = equal && r.v == nil && slices.Equal(r.k, first.k)
	}
	o := operand{width: width}
	switch {
	case equal:
		o.k = first.k
		return o
	case constant:
		for l := range lanes {
			o.ks = append(o.ks, of(l).k)
		}
		return o
	case single:
		o.v = first.v
		at, ok := fit(lanes, func(l int) int { return of(l).lane })
		if ok {
			o.at = at
			return o
		}
		if !o.v.bits() {
			for l := range lanes {
				o.table = append(o.table, of(l).lane)
			}
			return o
		}
	}
	o.v, o.at = p.gather(lanes, width, of), identity
	return o
}

// view is the pattern of the elements that each lane reads, if they have one.
func view(lanes, n int, of func(l, k int) ref) *list {
	first := of(0, 0)
	stride := 0
	if n > 1 {
		stride = of(0, 1).lane - first.lane
	}
	if first.v == nil || first.v.bits() && n > 1 && stride != 1 {
		return nil
	}
	for l := range lanes {
		base := of(l, 0)
		for k := range n {
			if r := of(l, k); r.v != first.v || r.lane != base.lane+k*stride {
				return nil
			}
		}
	}
	base, ok := fit(lanes, func(l int) int { return of(l, 0).lane })
	if !ok {
		return nil
	}
	return &list{v: first.v, n: n, stride: stride, base: base}
}

// list is the view of the elements, of copies if they have none.
func (p *plan) list(lanes, n, width int, of func(l, k int) ref) *list {
	if l := view(lanes, n, of); l != nil {
		return l
	}
	v := p.gather(lanes*n, width, func(l int) ref { return of(l/n, l%n) })
	return &list{v: v, n: n, stride: 1, base: scaled(n)}
}

// gather is a value whose lanes are copies of others.
func (p *plan) gather(lanes, width int, of func(int) ref) *value {
	moves := make([]ref, lanes)
	key := fmt.Sprint(width)
	for l := range moves {
		moves[l] = of(l)
		if r := moves[l]; r.v != nil {
			key += fmt.Sprint(",", r.v.id, ".", r.lane)
		} else {
			key += fmt.Sprint(",", r.k)
		}
	}
	if v := p.gathers[key]; v != nil {
		return v
	}
	n := &node{id: len(p.nodes), code: ir.VecOf, lanes: lanes, nout: 1, width: width, moves: moves}
	n.out = p.newValue(width, lanes)
	n.out.node = n
	p.nodes = append(p.nodes, n)
	p.gathers[key] = n.out
	return n.out
}

// effects finds the operands of registers, memories, assertions and outputs.
func (p *plan) effects() {
	for _, r := range p.regs {
		r.d = p.operand(r.q.lanes, r.q.width, func(l int) ref { return p.where[p.d.Regs[r.list[l]].D] })
		if !r.d.same(r.q.lanes) || r.d.v.node == nil {
			r.d = operand{v: p.copied(r.q.lanes, r.q.width, r.d), at: identity, width: r.q.width}
		}
	}
	p.rollWrites()
	p.rollChecks()
	p.outputs = make([][]ref, len(p.d.Ports))
	for i, port := range p.d.Ports {
		if port.Sig.Kind == ir.Output {
			for _, n := range port.Nets {
				p.outputs[i] = append(p.outputs[i], p.where[n])
			}
		}
	}
}

// copied is a value that node computes as o.
func (p *plan) copied(lanes, width int, o operand) *value {
	return p.newNode(ir.Or, lanes, width, o).out
}

func (p *plan) rollWrites() {
	nth := make([]int, len(p.d.Mems)) // writes so far
	order := make([]int, len(p.d.Writes))
	for i, w := range p.d.Writes {
		order[i] = nth[w.Mem]
		nth[w.Mem]++
	}
	for _, g := range bySpot(len(p.d.Writes), func(i int) (spot, *flat.Copy, int32) {
		w := p.d.Writes[i]
		return spot{p.memAt[w.Mem].m, w.Copy.Place, fmt.Sprint(order[i])}, w.Copy, 0
	}) {
		m := p.memAt[p.d.Writes[g[0]].Mem].m
		w := &write{lanes: len(g)}
		port := func(net func(flat.Write) flat.Net) operand {
			width := int(p.d.Width[net(p.d.Writes[g[0]])])
			return p.operand(len(g), width, func(l int) ref { return p.where[net(p.d.Writes[g[l]])] })
		}
		w.enable = port(func(w flat.Write) flat.Net { return w.Enable })
		w.addr = port(func(w flat.Write) flat.Net { return w.Addr })
		w.data = port(func(w flat.Write) flat.Net { return w.Data })
		_, w.at = p.memory(len(g), func(l int) int { return p.d.Writes[g[l]].Mem })
		m.writes = append(m.writes, w)
	}
}

func (p *plan) rollChecks() {
	for _, g := range bySpot(len(p.d.Checks), func(i int) (spot, *flat.Copy, int32) {
		c := p.d.Checks[i]
		return spot{fmt.Sprint(c.Pos, c.Text), c.Copy.Place, ""}, c.Copy, 0
	}) {
		enable := p.operand(len(g), 1, func(l int) ref { return p.where[p.d.Checks[g[l]].Enable] })
		cond := p.operand(len(g), 1, func(l int) ref { return p.where[p.d.Checks[g[l]].Cond] })
		n := p.newNode(ir.Mux, len(g), 1, cond, never, enable)
		n.out.stored = true
		p.checks = append(p.checks, &check{fail: n.out, list: g})
	}
}
