package stream

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Map returns a stream with f applied to each word.
func Map[T, U any](in hw.Stream[T], f func(T) U) hw.Stream[U] {
	return hw.Stream[U]{Valid: in.Valid, Ready: in.Ready, Data: f(in.Data)}
}

// Filter passes the words for which keep is 1 and immediately consumes the others.
func Filter[T any](m *hw.Module, name string, in hw.Stream[T], keep func(T) hw.Bits) (out hw.Stream[T]) {
	m.Scope(name, func() {
		kept := keep(in.Data).As("kept")
		out = hw.Stream[T]{Valid: in.Valid.And(kept), Ready: m.Wire("ready", 1), Data: in.Data}
		in.Ready.Set(out.Ready.Or(kept.Not()))
	})
	return out
}

// Fork passes every word to each of n receivers, as soon as the receiver is ready. The next word
// follows when all receivers have taken the current word.
func Fork[T any](m *hw.Module, name string, in hw.Stream[T], n int) []hw.Stream[T] {
	if n < 1 {
		m.Errorf("fork %q has %d receivers; expected at least 1", name, n)
		n = 1
	}
	out := make([]hw.Stream[T], n)
	m.Scope(name, func() {
		ready, taken := m.WireVec("ready", n, 1), m.Reg("taken", n, 0)
		for i := range out {
			out[i] = hw.Stream[T]{Valid: in.Valid.And(taken.Bit(i).Not()), Ready: ready.N(i), Data: in.Data}
		}
		now := taken.Or(ready.Pack()).As("now_taken")
		in.Ready.Set(now.All())
		m.When(in.Valid, func() { taken.Set(hw.Mux(in.Ready, hw.K(0), now)) })
	})
	return out
}

// Join returns a stream of f applied to a word of a and a word of b, which are taken together.
func Join[A, B, T any](m *hw.Module, name string, a hw.Stream[A], b hw.Stream[B], f func(A, B) T) (out hw.Stream[T]) {
	m.Scope(name, func() {
		out = hw.Stream[T]{Valid: a.Valid.And(b.Valid), Ready: m.Wire("ready", 1), Data: f(a.Data, b.Data)}
		a.Ready.Set(out.Ready.And(b.Valid))
		b.Ready.Set(out.Ready.And(a.Valid))
	})
	return out
}

// Arbitrate merges streams, word by word and round robin.
func Arbitrate[T any](m *hw.Module, name string, of hw.Shape[T], in ...hw.Stream[T]) hw.Stream[T] {
	if len(in) == 0 {
		m.Errorf("arbitration %q has no streams; expected at least 1", name)
		return hw.Stream[T]{Valid: hw.Lit(1, 0), Ready: m.Wire(name+"_ready", 1), Data: of.Zero(m)}
	}
	mux := hw.Inst(m, name, arb.Mux[T]{Of: of, N: len(in)})
	for i, s := range in {
		words := Map(s, func(x T) arb.Word[T] { return arb.Word[T]{Data: x, Last: hw.K(1)} })
		mux.Push.N(i).Connect(words)
	}
	m.Unused(mux.Pop.Data.Last)
	return Map(mux.Pop, func(w arb.Word[T]) T { return w.Data })
}

// Stage registers valid and data; ready passes through (skid.Stage).
func Stage[T any](m *hw.Module, name string, of hw.Shape[T], in hw.Stream[T]) hw.Stream[T] {
	return through(hw.Inst(m, name, skid.Stage[T]{Of: of}), in)
}

// Buffer registers all signals, including ready (skid.Skid).
func Buffer[T any](m *hw.Module, name string, of hw.Shape[T], in hw.Stream[T]) hw.Stream[T] {
	return through(hw.Inst(m, name, skid.Skid[T]{Of: of}), in)
}

func through[T any](part skid.Ports[T], in hw.Stream[T]) hw.Stream[T] {
	part.Push.Connect(in)
	return part.Pop
}
