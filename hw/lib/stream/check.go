package stream

import "github.com/hotline-rtl/hotline/hw"

// Check asserts that s follows the stream rules: a word stays until it is taken.
func Check[T any](m *hw.Module, name string, of hw.Shape[T], s hw.Stream[T]) {
	rules(m, name, of, s, m.Assert)
}

// Assume assumes the stream rules for a stream from outside. Proofs consider only streams that
// follow them.
func Assume[T any](m *hw.Module, name string, of hw.Shape[T], s hw.Stream[T]) {
	rules(m, name, of, s, m.Assume)
}

func rules[T any](m *hw.Module, name string, of hw.Shape[T], s hw.Stream[T], claim func(hw.Bits, string)) {
	m.Scope(name, func() {
		waits, word := m.Reg("waits", 1, 0), m.Data("word", of.Bits())
		waits.Set(s.Valid.And(s.Ready.Not()))
		word.Set(hw.Pack(s.Data))
		m.When(waits, func() {
			claim(s.Valid, name+": valid stays until the transfer")
			claim(hw.Pack(s.Data).Eq(word), name+": data stays until the transfer")
		})
	})
}

// InOrder asserts that words leave a component in the order in which they entered, unchanged, and
// that at most most words are inside. It follows one word at a time: the next word that enters
// while follow is 1. A proof with an unconstrained follow therefore covers every word.
func InOrder[T any](m *hw.Module, name string, of hw.Shape[T], push, pop hw.Stream[T], most int, follow hw.Bits) {
	m.Scope(name, func() {
		width := hw.CountWidth(most + 1)
		count, before := m.Reg("count", width, 0), m.Data("before", width) // words inside, and words ahead of the followed word
		word, inside := m.Data("word", of.Bits()), m.Reg("inside", 1, 0)
		left := count.Sub(pop.Fire().Ext(width)).As("left")
		count.Set(left.Add(push.Fire().Ext(width)))

		m.Assert(count.Le(hw.K(most)), name+": there is room")
		m.Assert(pop.Valid.Not().Or(count.Any()), name+": what comes out went in")
		turn := inside.And(before.IsZero()).As("turn")
		m.When(pop.Valid.And(turn), func() {
			m.Assert(hw.Pack(pop.Data).Eq(word), name+": words keep their order")
		})
		m.When(pop.Fire(), func() { before.Set(before.Dec()) })
		m.When(pop.Fire().And(turn), func() { inside.Set(hw.K(0)) })
		m.When(push.Fire().And(follow).And(inside.Not()), func() {
			inside.Set(hw.K(1))
			before.Set(left)
			word.Set(hw.Pack(push.Data))
		})
	})
}

// Round returns 1 when each of the streams has had a cycle without waiting for its receiver since
// the previous round. A process that ends within a bounded number of rounds ends for all receivers
// that do not stall forever.
func Round(m *hw.Module, name string, waits []hw.Bits) (round hw.Bits) {
	m.Scope(name, func() {
		had := m.Reg("had", len(waits), 0)
		have := hw.Cat(waits...).Not().Or(had).As("have")
		round = have.All().As("round")
		had.Set(hw.Mux(round, hw.Zeros(len(waits)), have))
	})
	return round
}
