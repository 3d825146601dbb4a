package random

import (
	"maps"

	"github.com/hotline-rtl/hotline/hw"
)

// targets are the objects that a block may assign. Signals already have a value.
type targets struct {
	bits []hw.Bits
	vecs []hw.Vec
	mems []memory
	// assigned contains the signals that an inner block has assigned so far, vectors last. It is
	// nil in the outermost block, where all signals are assigned.
	assigned map[int]bool
}

// inside describes a block nested in the block of t.
func (t *targets) inside(describe func(t *targets)) {
	inner := &targets{t.bits, t.vecs, t.mems, map[int]bool{}}
	describe(inner)
	if t.assigned != nil {
		maps.Copy(t.assigned, inner.assigned)
	}
}

// set assigns signal i. If the assignment would otherwise always replace another one, which hw
// rejects, it adds a condition.
func (b *builder) set(t *targets, i int, assign func()) {
	if t.assigned == nil || t.assigned[i] {
		b.m.When(b.bits(1, 2), assign)
		return
	}
	t.assigned[i] = true
	assign()
}

// drive describes the behaviour of all registers, memories and state machines of the current
// scope.
func (b *builder) drive() {
	t := &targets{bits: b.at.regs, vecs: b.at.regVecs, mems: b.at.mems}
	for _, x := range t.bits { // every register needs a driver
		if b.chance(2) {
			x.Set(b.bits(x.Width(), 2))
		} else {
			b.m.When(b.bits(1, 2), func() { x.Set(b.bits(x.Width(), 2)) })
		}
	}
	for _, v := range t.vecs {
		b.m.When(b.bits(1, 2), func() { v.Set(b.vec(v.Len(), v.Width(), 2)) })
	}
	if b.crowded() {
		b.block(1, t)
		return
	}
	for range 1 + b.r.IntN(2) {
		b.block(3, t)
	}
	for _, states := range b.at.fsms {
		b.machine(states, t)
	}
}

// machine describes the states of a state machine. Each state may advance to the next.
func (b *builder) machine(states []hw.State, t *targets) {
	for i, s := range states {
		s.Do(func() {
			t.inside(func(t *targets) { b.block(2, t) })
			next := states[(i+1)%len(states)]
			if b.chance(2) {
				b.m.When(b.bits(1, 2), next.Next).Else(pick(b.r, states).Next)
			} else {
				next.Next()
			}
		})
	}
}

// block describes a few statements.
func (b *builder) block(depth int, t *targets) {
	for range b.r.IntN(4) {
		if !b.spend(1) {
			return
		}
		if depth > 0 && b.chance(2) {
			b.condition(depth-1, t)
		} else {
			b.simple(t)
		}
	}
}

// simple describes a statement without nested blocks.
func (b *builder) simple(t *targets) {
	switch n := b.r.IntN(8); {
	case n == 0:
		b.claim()
	case n < 3 && len(t.mems) > 0:
		mem := pick(b.r, t.mems)
		if *mem.writes--; *mem.writes < 0 {
			return
		}
		addr, word := b.bits(hw.IndexWidth(mem.depth), 2), b.bits(mem.width, 2)
		if mem.lanes > 1 && b.chance(2) {
			mem.WriteLanes(addr, word, b.bits(mem.lanes, 2))
		} else {
			mem.Write(addr, word)
		}
	case n < 5 && len(t.vecs) > 0:
		i := b.r.IntN(len(t.vecs))
		b.set(t, len(t.bits)+i, func() { b.assignVec(t.vecs[i]) })
	case len(t.bits) > 0:
		i := b.r.IntN(len(t.bits))
		b.set(t, i, func() { b.setPart(t.bits[i], 3) })
	}
}

// claim describes an assertion.
func (b *builder) claim() {
	text := b.name("claim")
	if b.p.Fail {
		b.m.Assert(b.bits(4, 2).Ne(hw.K(b.r.IntN(16))), text)
		return
	}
	c := b.bits(1, 2)
	pick(b.r, []func(hw.Bits, string){b.m.Assert, b.m.Assert, b.m.Assume, b.m.Cover})(c.Or(c.Not()), text)
}

func (b *builder) assignVec(v hw.Vec) {
	switch b.r.IntN(3) {
	case 0:
		v.Set(b.vec(v.Len(), v.Width(), 2))
	case 1:
		b.setPart(v.N(b.r.IntN(v.Len())), 2)
	default:
		b.setPart(v.Index(b.bits(hw.IndexWidth(v.Len()), 2)), 2)
	}
}

// setPart assigns x, or bits of x.
func (b *builder) setPart(x hw.Bits, depth int) {
	if w := x.Width(); w > 1 && b.chance(3) {
		lo := b.r.IntN(w)
		x = x.Slice(lo+b.r.IntN(w-lo), lo)
	}
	x.Set(b.bits(x.Width(), depth))
}

// condition describes a When or a Switch.
func (b *builder) condition(depth int, t *targets) {
	body := func() { t.inside(func(t *targets) { b.block(depth, t) }) }
	if b.chance(3) {
		b.choose(body)
		return
	}
	cond := b.bits(1, 2)
	if b.chance(12) {
		cond = hw.K(b.r.IntN(2))
	}
	chain := b.m.When(cond, body)
	for range b.r.IntN(3) {
		chain = chain.ElseWhen(b.bits(1, 2), body)
	}
	if b.chance(2) {
		chain.Else(body)
	}
}

// choose describes a Switch with disjoint cases, sometimes complete.
func (b *builder) choose(body func()) {
	w := 1 + b.r.IntN(4)
	if b.chance(5) {
		w = b.width()
	}
	s := b.m.Switch(b.bits(w, 2))
	values := b.r.Perm(1 << min(w, 4))
	for n := 1 + b.r.IntN(4); n > 0 && len(values) > 0; n-- {
		k := min(1+b.r.IntN(3), len(values))
		var group []hw.Bits
		for _, v := range values[:k] {
			group = append(group, hw.K(v))
		}
		values = values[k:]
		s = s.Any(group, body)
	}
	if b.chance(2) {
		s.Default(body)
	}
}

// parts returns a number of equal lanes of a word.
func (b *builder) parts(width int) int {
	n := min(1+b.r.IntN(9), width)
	for width%n != 0 {
		n--
	}
	return n
}
