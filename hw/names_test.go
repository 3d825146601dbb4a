package hw_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/internal/parts/a/same"
	"github.com/hotline-rtl/hotline/hw/internal/parts/b/other"
	two "github.com/hotline-rtl/hotline/hw/internal/parts/b/same"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Policy is a parameter whose values have names.
type Policy int

func (p Policy) String() string { return [...]string{"RoundRobin", "Fixed"}[p] }

type (
	Cache struct {
		Width, WidthOut, Ways int
		Policy                Policy
	}
	Unit struct {
		Signed, Fast bool
		Name         string
		offset       int
	}
	Shape struct {
		Grid  [2]int
		Inner struct{ A, B uint8 }
		Any   any
	}
	Whole          struct{ Cache }
	FIFO2Bank      struct{}
	Generic[T any] struct{ N int }
)

func (Cache) Build(*hw.Module) (ports struct{})      { return }
func (Unit) Build(*hw.Module) (ports struct{})       { return }
func (Shape) Build(*hw.Module) (ports struct{})      { return }
func (Whole) Build(*hw.Module) (ports struct{})      { return }
func (FIFO2Bank) Build(*hw.Module) (ports struct{})  { return }
func (Generic[T]) Build(*hw.Module) (ports struct{}) { return }

func top[P any](t *testing.T, g hw.Generator[P]) *ir.Module {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d.Top
}

// names returns the names of the modules of g without the top, in the order of their instances.
func names(t *testing.T, parts ...func(m *hw.Module)) (list []string) {
	t.Helper()
	describe := func(m *hw.Module) {
		for _, p := range parts {
			p(m)
		}
	}
	d, err := hw.Elaborate(described{&describe})
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	for _, m := range d.Modules[:len(d.Modules)-1] {
		list = append(list, m.Name)
	}
	return list
}

// part instantiates g, whose ports are empty.
func part(name string, g hw.Generator[struct{}]) func(m *hw.Module) {
	return func(m *hw.Module) { hw.Inst(m, name, g) }
}

// parts instantiates all of list.
func parts(list ...hw.Generator[struct{}]) (out []func(m *hw.Module)) {
	for i, g := range list {
		out = append(out, part(fmt.Sprintf("i%d", i), g))
	}
	return out
}

// TestPlainNames: a module with one value of its parameters has no parameter in its name.
func TestPlainNames(t *testing.T) {
	for _, c := range []struct {
		m            *ir.Module
		name, params string
	}{
		{top(t, FIFO{32, 16}), "fifo", "width=32 depth=16"},
		{top(t, Cache{8, 16, 4, 0}), "cache", "width=8 width_out=16 ways=4 policy=RoundRobin"},
		{top(t, Shape{Grid: [2]int{3, 4}, Any: 7}), "shape", "grid=[3 4] inner_a=0 inner_b=0 any=7"},
		{top(t, Whole{Cache{8, 16, 4, 0}}), "whole", "width=8 width_out=16 ways=4 policy=RoundRobin"},
		{top(t, FIFO2Bank{}), "fifo2_bank", ""},
		{top(t, Generic[int]{5}), "generic", "n=5"},
		{top(t, &FIFO{8, 4}), "fifo", "width=8 depth=4"},
		{top(t, named{"chosen", 1}), "chosen", "name=chosen value=1"},
	} {
		require.Equal(t, c.name, c.m.Name)
		var params []string
		for _, p := range c.m.Parameters {
			params = append(params, p.Name+"="+p.Value)
		}
		require.Equal(t, c.params, strings.Join(params, " "))
	}
}

// Buffer is a generator whose parameters have a meaning.
type Buffer struct {
	Depth int `doc:"words" unit:"32 bits"`
	Kind  string
	Words int `unit:"bits"`
	Inner struct {
		Ways int `doc:"size of a set"`
	}
}

func (Buffer) Build(*hw.Module) (ports struct{}) { return }

// Lanes is a generator that is no struct.
type Lanes int

func (Lanes) Build(*hw.Module) (ports struct{}) { return }

// TestParameters: a design has the parameters with their meaning, without empty values.
func TestParameters(t *testing.T) {
	require.Equal(t, []ir.Parameter{
		{Name: "depth", Value: "4", Doc: "words (32 bits)"}, {Name: "words", Value: "0", Doc: "(bits)"}, {Name: "inner_ways", Value: "0", Doc: "size of a set"},
	}, top(t, Buffer{Depth: 4}).Parameters)
	require.Equal(t, []ir.Parameter{{Name: "lanes", Value: "3"}}, top(t, Lanes(3)).Parameters)
}

// TestDistinguishedNames: names contain the parameters that distinguish modules, and no others.
func TestDistinguishedNames(t *testing.T) {
	for _, c := range []struct {
		modules []hw.Generator[struct{}]
		want    []string
	}{
		{[]hw.Generator[struct{}]{Cache{8, 16, 4, 0}, Cache{8, 16, 2, 0}}, []string{"cache_ways4", "cache_ways2"}},
		{[]hw.Generator[struct{}]{Cache{8, 16, 4, 0}, Cache{8, 16, 4, 1}}, []string{"cache_policy_round_robin", "cache_policy_fixed"}},
		{[]hw.Generator[struct{}]{Whole{Cache{8, 16, 4, 0}}, Whole{Cache{9, 16, 4, 0}}}, []string{"whole_width8", "whole_width9"}},
		{[]hw.Generator[struct{}]{Cache{8, 1, 4, 0}, Cache{9, 2, 4, 0}}, []string{"cache_width8", "cache_width9"}},
		{[]hw.Generator[struct{}]{Unit{Signed: true}, Unit{}}, []string{"unit_signed", "unit"}},
		{[]hw.Generator[struct{}]{Unit{offset: -3}, Unit{Name: "MatMul"}}, []string{"unit", "unit_name_mat_mul"}},
		{[]hw.Generator[struct{}]{Unit{offset: -3}, Unit{offset: 3}}, []string{"unit_offsetm3", "unit_offset3"}},
		{[]hw.Generator[struct{}]{Shape{Grid: [2]int{3, 4}}, Shape{Grid: [2]int{3, 5}}}, []string{"shape_grid_3_4", "shape_grid_3_5"}},
		{[]hw.Generator[struct{}]{Shape{Inner: struct{ A, B uint8 }{1, 2}}, Shape{Inner: struct{ A, B uint8 }{1, 3}}}, []string{"shape_inner_b2", "shape_inner_b3"}},
		{[]hw.Generator[struct{}]{Shape{Any: 7}, Shape{Any: 8}, Shape{Any: "x"}, Shape{}}, []string{"shape_int_any7", "shape_int_any8", "shape_string", "shape"}},
		{[]hw.Generator[struct{}]{Shape{Any: Cache{Ways: 1}}, Shape{Any: Cache{Ways: 2}}}, []string{"shape_any_ways1", "shape_any_ways2"}},
		{[]hw.Generator[struct{}]{Generic[int]{5}, Generic[string]{6}}, []string{"generic_n5", "generic_n6"}},
		{[]hw.Generator[struct{}]{Weight{1.5}, Weight{2}}, []string{"weight_kg1_5", "weight_kg2"}},
		{[]hw.Generator[struct{}]{named{"same", 1}, named{"same", 2}, named{"other", 2}}, []string{"same_value1", "same_value2", "other"}},
		{[]hw.Generator[struct{}]{keepWords2{}, hold[hw.Bits]{hw.Width(4), 2}}, []string{"keep_words2", "keep", "hold"}},
		{[]hw.Generator[struct{}]{hold[hw.Bits]{hw.Width(4), 2}, hold[hw.Bits]{hw.Width(5), 2}}, []string{"keep_word_bits5", "hold_w4", "keep_word_bits6", "hold_w5"}},
	} {
		require.Equal(t, c.want, names(t, parts(c.modules...)...))
	}
}

// TestNamesAreStable: a size that distinguishes no modules is in no name, and the order of instances
// does not matter.
func TestNamesAreStable(t *testing.T) {
	at := func(width int) []string {
		return names(t, parts(Cache{width, 16, 4, 0}, Cache{width, 16, 2, 1}, Unit{offset: width}, hold[hw.Bits]{hw.Width(width), 3})...)
	}
	want := []string{"cache_ways4", "cache_ways2", "unit", "keep", "hold"}
	for _, width := range []int{1, 8, 16, 100} { // 16 is also a probe's
		require.Equal(t, want, at(width))
	}
	require.NotEqual(t, want, names(t, parts(Cache{1, 16, 4, 0}, Cache{2, 16, 2, 1})...)[:2], "a size that distinguishes them is in their names")
	require.ElementsMatch(t, want[:2], names(t, parts(Cache{8, 16, 2, 1}, Cache{8, 16, 4, 0})...))
}

// Weight has a parameter that is no integer.
type Weight struct{ Kg float64 }

func (Weight) Build(*hw.Module) (ports struct{}) { return }

// TestNamesOfPackages: modules of one name from several packages have the package in their names.
func TestNamesOfPackages(t *testing.T) {
	got := names(t, parts(same.Part{Width: 4}, two.Part{Width: 4}, two.Part{Width: 5}, Weight{1}, other.Part{Width: 4})...)
	require.Equal(t, []string{"a_same_part", "b_same_part_width4", "b_same_part_width5", "weight", "b_other_part"}, got)
	require.Equal(t, []string{"part_width4", "part_width5"}, names(t, parts(two.Part{Width: 4}, two.Part{Width: 5})...))
	require.Equal(t, []string{"same_part", "other_part"}, names(t, parts(same.Part{Width: 4}, other.Part{Width: 4})...))
}

// counted counts how often it is built.
type counted struct{ *int }

func (counted) ModuleName() string { return "counted" }

func (c counted) Build(m *hw.Module) Wide {
	*c.int++
	io := Wide{Sub: struct{ A hw.Bits }{m.In("a", 8)}, Some: []hw.Bits{m.In("b", 1), {}}, Other: map[string]hw.Vec{"v": m.OutVec("v", 2, 4)}, Size: 7}
	io.Pointer = &io.Some[0]
	io.inner.Q = m.Out("q", 8)
	io.inner.Q.Set(io.Sub.A)
	io.Any = io.inner.Q
	io.Fixed[1] = io.Sub.A
	io.Other["v"].Set(io.Sub.A.Unpack(4))
	return io
}

// Wide has ports in every kind of struct field.
type Wide struct {
	inner
	Sub     struct{ A hw.Bits }
	Some    []hw.Bits
	Fixed   [2]hw.Bits
	Pointer *hw.Bits
	Other   map[string]hw.Vec
	Any     any
	Size    int
}

type inner struct{ Q hw.Bits }

// TestEqualParametersAreOneModule: equal parameters are built once, and each instance has its own
// ports.
func TestEqualParametersAreOneModule(t *testing.T) {
	n := 0
	describe := func(m *hw.Module) {
		q := m.Out("q", 8)
		one, two := hw.Inst(m, "one", counted{&n}), hw.Inst(m, "two", counted{&n})
		one.Sub.A.Set(hw.K(1))
		one.Some[0].Set(hw.K(1))
		two.Fixed[1].Set(one.Q)
		two.Pointer.Set(one.Other["v"].N(1).Bit(0))
		q.Set(two.Any.(hw.Bits))
		require.Equal(t, 7, two.Size)
		require.Len(t, two.Some, 2)
		require.Zero(t, two.Some[1])
		require.Equal(t, 8, two.Q.Width())
	}
	d, err := hw.Elaborate(described{&describe})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Len(t, d.Modules, 2)
	require.Same(t, d.Modules[0], d.Top.Body.Insts[1].Of)
	require.NoError(t, ir.Verify(d))
}

// TestElaborateRepeats: elaborations share no state.
func TestElaborateRepeats(t *testing.T) {
	d, err := hw.Elaborate(Bank{4})
	require.NoError(t, err)
	want := ir.Hash(d)
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			d, err := hw.Elaborate(Bank{4})
			require.NoError(t, err)
			require.Equal(t, want, ir.Hash(d))
		})
	}
}

// TestUserPanics: Elaborate does not recover a panic of the user's code.
func TestUserPanics(t *testing.T) {
	describe := func(*hw.Module) { panic("mine") }
	require.PanicsWithValue(t, "mine", func() { _, _ = hw.Elaborate(described{&describe}) })
}

// TestAllAtOnce: Elaborate reports all mistakes of a module and of its instances, sorted by
// position.
func TestAllAtOnce(t *testing.T) {
	run(t, []mistake{{"broken", func(m *hw.Module) {
		a, b := m.In("a", 8), m.In("b", 4)
		q, Q := m.Out("q", 8), m.Out("Q", 4) // aa
		x := m.Wire("x", 8)                  // ab
		m.Wire("x", 8).Set(a)                // ac
		q.Set(a.Add(b))                      // ad
		a.Set(hw.K(1))                       // ae
		m.When(b, func() {                   // af
			x.Set(hw.K(256)) // ag
		})
		var leaked hw.Bits
		m.For("lane", 2, func(i hw.Index) { leaked = i.Bits(4) })
		Q.Set(leaked)                       // ah
		c := hw.Inst(m, "clumsy", Clumsy{}) // aj
		c.A.Set(hw.Lit(8, 300))             // ai
		c.B.Set(b)
		m.Mem("mem", 0, 8).Write(hw.K(1), c.Q) // ak
		hw.FSM[struct{}](m, "state")           // al
	}, []string{
		`{ca1} < {aj}: clumsy: [driver] output "q" has no driver`,
		`{ca2} < {aj}: clumsy: [width] operands of 8 and 4 bits; use Ext, SExt or Trunc`,
		`{ca3} < {aj}: clumsy: [direction] input "a" cannot be set`,
		`{aa} < {build}: bad: [name] output "Q": a name is lower-case words of letters and digits joined by single underscores`,
		`{ac} < {build}: bad: [name] wire "x" is already declared at {ab} < {build}`,
		`{ad} < {build}: bad: [width] operands of 8 and 4 bits; use Ext, SExt or Trunc`,
		`{ae} < {build}: bad: [direction] input "a" cannot be set`,
		`{af} < {build}: bad: [latch] "x" has no value on some path through here; set a default before`,
		`{af} < {build}: bad: [width] the condition has 4 bits, expected 1; use Ext, SExt or Trunc`,
		`{ag} < {af}: bad: [const] constant 256 does not fit in 8 bits`,
		`{ah} < {build}: bad: [scope] a value of loop "lane" is used outside it; carry it out in a vector`,
		`{ai} < {build}: bad: [const] constant 300 does not fit in 8 bits`,
		`{ak} < {build}: bad: [memory] memory "mem": 0 words of 8 bits; expected 1 to 2147483648 words of at most 1048576 bits`,
		`{al} < {build}: bad: [fsm] state machine "state": struct {} is not a struct with only states, exported fields of type hw.State`,
	}}})
}
