package stream

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
)

// Wide is up to N parallel words, the first in element 0.
type Wide[T any] struct {
	Words hw.Array[T] `hw:"len=N,of=Of"`
	Keep  hw.Bits     `hw:"N"` // valid words: the lowest, at least one
	Last  hw.Bits     // the last valid word ends a packet
}

// Lanes are the parameters of a Wide.
type Lanes[T any] struct {
	Of hw.Shape[T]
	N  int
}

// sound rejects invalid lanes.
func (p *Lanes[T]) sound(m *hw.Module, name string) {
	if p.N < 2 {
		m.Errorf("%q has %d words side by side; expected at least 2", name, p.N)
		p.N = 2
	}
}

// Widen collects n words of shape of, or fewer at the end of a packet. Missing words are zero. The
// output is registered, and Widen accepts one word per cycle.
func Widen[T any](m *hw.Module, name string, of hw.Shape[T], n int, in hw.Stream[arb.Word[T]]) (out hw.Stream[Wide[T]]) {
	p := Lanes[T]{of, n}
	p.sound(m, name)
	m.Scope(name, func() {
		full, at := m.Reg("full", 1, 0), m.Reg("at", hw.IndexWidth(p.N), 0)
		wide := hw.Of[Wide[T]](p).Data(m, "wide")
		out = hw.Stream[Wide[T]]{Valid: full, Ready: m.Wire("ready", 1), Data: wide}
		ends := in.Data.Last.Or(at.Eq(hw.K(p.N - 1))).As("ends")
		in.Ready.Set(full.Not().Or(out.Ready))
		m.When(in.Ready, func() { full.Set(in.Valid.And(ends)) })
		first := at.IsZero().As("first")
		m.When(in.Fire(), func() {
			at.Set(hw.Mux(ends, hw.K(0), at.Inc()))
			wide.Last.Set(in.Data.Last)
			wide.Keep.Set(hw.Mux(first, hw.K(1), hw.Cat(wide.Keep.Trunc(p.N-1), hw.Lit(1, 1))))
		})
		m.For("lane", p.N, func(i hw.Index) {
			m.When(in.Fire().And(at.Eq(i.Bits(at.Width()))), func() {
				hw.Set(wide.Words.At(i), in.Data.Data)
			}).ElseWhen(in.Fire().And(first), func() {
				hw.Set(wide.Words.At(i), of.Zero(m))
			})
		})
	})
	return out
}

// Narrow sends the words of a Wide one by one. A Wide has n words of shape of.
func Narrow[T any](m *hw.Module, name string, of hw.Shape[T], n int, in hw.Stream[Wide[T]]) (out hw.Stream[arb.Word[T]]) {
	p := Lanes[T]{of, n}
	p.sound(m, name)
	m.Scope(name, func() {
		at := m.Reg("at", hw.IndexWidth(p.N), 0)
		more := hw.Cat(hw.Zeros(1), in.Data.Keep.Slice(p.N-1, 1)).Unpack(1).Index(at).As("more")
		word := arb.Word[T]{Data: in.Data.Words.Index(at), Last: in.Data.Last.And(more.Not())}
		out = hw.Stream[arb.Word[T]]{Valid: in.Valid, Ready: m.Wire("ready", 1), Data: word}
		in.Ready.Set(out.Ready.And(more.Not()))
		m.When(out.Fire(), func() { at.Set(hw.Mux(more, at.Inc(), hw.K(0))) })
	})
	return out
}
