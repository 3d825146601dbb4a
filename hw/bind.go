package hw

import (
	"fmt"
	"reflect"
	"strings"
)

// Pin is a port of a running design, such as sim.Pin. Its value is accessed as one word, or as
// little-endian words.
type Pin interface {
	Set(v uint64)
	Get() uint64
	SetWords(v []uint64)
	Words() []uint64
}

// bound is a signal of a test bench: a range of bits of a pin.
type bound struct {
	pin    Pin
	name   string
	lo     int
	width  int
	length int  // number of elements of a vector
	whole  bool // covers all bits of the pin, in one word
	reset  Pin  // of a Clock, or nil
	low    bool // the reset is active low
}

// Bind returns the record of ports T of a running design, for use in test benches. Its signals
// support Poke and Peek. params are the parameters of the module that declares T with Ports. find
// returns the pin of a given name, as sim.Find does. Bind panics if T is not a valid record of
// ports for these parameters.
func Bind[T any](params any, find func(port string) Pin) (ports T) {
	bind(reflect.ValueOf(&ports).Elem(), params, find)
	return ports
}

func bind(ports reflect.Value, params any, find func(port string) Pin) {
	s := resolve(ports.Type(), reflect.ValueOf(params), tag{})
	if len(s.bad) > 0 {
		panic("hw: Bind: " + s.bad[0])
	}
	s.root.build(ports, spot{}, func(n *node, at spot, lens []int) *value {
		if n.typ == padType {
			return &value{}
		}
		b := &bound{pin: find(at.name), name: at.name, width: n.width, length: product(lens), whole: lens == nil && n.width <= 64}
		if n.typ == clockType && n.tag.reset != "" {
			b.reset, b.low = find(strings.TrimSuffix(at.name, n.name)+n.tag.reset), n.tag.low
		}
		return &value{bound: b}
	})
}

// Edge reports whether the clock has an edge in this step.
func (c Clock) Edge() bool { return c.value.pinned("Edge").peek() == 1 }

// Resets reports whether the reset of the clock is active.
func (c Clock) Resets() bool {
	b := c.value.pinned("Resets")
	return b.reset != nil && (b.reset.Get() == 1) != b.low
}

// Poke drives a bound signal of at most 64 bits with v.
func (a Bits) Poke(v uint64) { a.value.pinned("Poke").poke(v) }

// Peek returns the low 64 bits of a bound signal.
func (a Bits) Peek() uint64 { return a.value.pinned("Peek").peek() }

// PokeWords drives a bound signal of any width with v: little-endian words, exactly as many as the
// signal needs.
func (a Bits) PokeWords(v []uint64) {
	parts := a.value.pinned("PokeWords").parts()
	if len(v) != len(parts) {
		panic(fmt.Sprintf("hw: %d words for the %d bits of %s", len(v), a.bound.width, a.bound.name))
	}
	for i, p := range parts {
		p.poke(v[i])
	}
}

// PeekWords returns the value of a bound signal of any width as little-endian words.
func (a Bits) PeekWords() (out []uint64) {
	for _, p := range a.value.pinned("PeekWords").parts() {
		out = append(out, p.peek())
	}
	return out
}

// parts splits b into words.
func (b *bound) parts() (out []*bound) {
	if b.whole {
		return []*bound{b}
	}
	for at := 0; at < b.width; at += 64 {
		out = append(out, &bound{pin: b.pin, name: b.name, lo: b.lo + at, width: min(64, b.width-at)})
	}
	return out
}

// Poke drives a bound signal of at most 64 bits with v.
func (a Signed) Poke(v int64) {
	b, shift := a.pinnedWord("Poke")
	if !fitsSigned(v, b.width) {
		panic(fmt.Sprintf("hw: %d does not fit in the %d bits of %s", v, b.width, b.name))
	}
	b.poke(uint64(v) << shift >> shift)
}

// Peek returns the value of a bound signal of at most 64 bits.
func (a Signed) Peek() int64 {
	b, shift := a.pinnedWord("Peek")
	return int64(b.peek()<<shift) >> shift
}

// pinnedWord returns the binding of a and the number of unused bits in its word.
func (a Signed) pinnedWord(method string) (*bound, int) {
	b := a.value.pinned(method)
	if b.width > 64 {
		panic(fmt.Sprintf("hw: %s of %s, which has %d bits; make it Bits and use its pin", method, b.name, b.width))
	}
	return b, 64 - b.width
}

// Poke drives a bound signal with v.
func (a Enum[T]) Poke(v T) { a.value.pinned("Poke").poke(uint64(v)) }

// Peek returns the value of a bound signal.
func (a Enum[T]) Peek() T { return T(a.value.pinned("Peek").peek()) }

// pinned returns the binding of a test-bench signal. It panics if v is not bound.
func (v *value) pinned(method string) *bound {
	if v == nil || v.bound == nil {
		panic(fmt.Sprintf("hw: %s of what is bound to no engine; use Bind", method))
	}
	return v.bound
}

func (b *bound) poke(v uint64) {
	if !fits(v, b.width) {
		panic(fmt.Sprintf("hw: %#x does not fit in the %d bits of %s", v, b.width, b.name))
	}
	if b.whole {
		b.pin.Set(v)
		return
	}
	words := append([]uint64{}, b.pin.Words()...)
	for i := range min(b.width, 64) {
		at := b.lo + i
		words[at/64] = words[at/64]&^(1<<(at%64)) | v>>i&1<<(at%64)
	}
	b.pin.SetWords(words)
}

func (b *bound) peek() (v uint64) {
	if b.whole {
		return b.pin.Get()
	}
	words := b.pin.Words()
	at, shift := b.lo/64, b.lo%64
	v = words[at] >> shift
	if shift > 0 && at+1 < len(words) {
		v |= words[at+1] << (64 - shift)
	}
	if b.width < 64 {
		v &= 1<<b.width - 1
	}
	return v
}

// part returns one of the n parts of a bound vector. The part is itself a vector if it has several
// elements.
func (b *bound) part(c choice, n int, several bool) *value {
	if c.sel != nil {
		panic(fmt.Sprintf("hw: Index of %s, a signal of a bench; use N", b.name))
	}
	lo, hi := c.at.a.Range()
	if lo != hi || lo < 0 || lo >= n {
		panic(fmt.Sprintf("hw: element %s of the %d of %s", span(lo, hi), n, b.name))
	}
	size := b.length / n
	out := &bound{pin: b.pin, name: fmt.Sprintf("%s[%d]", b.name, lo), lo: b.lo + lo*size*b.width, width: b.width}
	if several {
		out.length = size
	}
	return &value{bound: out}
}
