package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
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

func TestModuleNames(t *testing.T) {
	for _, c := range []struct {
		m            *ir.Module
		name, params string
	}{
		{top(t, FIFO{32, 16}), "fifo_w32_d16", "{Width:32 Depth:16}"},
		{top(t, Cache{8, 16, 4, 0}), "cache_width8_widtho16_wa4_pround_robin", "{Width:8 WidthOut:16 Ways:4 Policy:RoundRobin}"},
		{top(t, Unit{true, false, "MatMul", -3}), "unit_signed_mat_mul_om3", "{Signed:true Fast:false Name:MatMul offset:-3}"},
		{top(t, Unit{}), "unit_o0", "{Signed:false Fast:false Name: offset:0}"},
		{top(t, Shape{Grid: [2]int{3, 4}, Any: 7}), "shape_g3_4_i0_0_a7", "{Grid:[3 4] Inner:{A:0 B:0} Any:7}"},
		{top(t, Whole{Cache{8, 16, 4, 0}}), "whole_width8_widtho16_wa4_pround_robin", "{Width:8 WidthOut:16 Ways:4 Policy:RoundRobin}"},
		{top(t, FIFO2Bank{}), "fifo2_bank", "{}"},
		{top(t, Generic[int]{5}), "generic_n5", "{N:5}"},
		{top(t, &FIFO{8, 4}), "fifo_w8_d4", "{Width:8 Depth:4}"},
		{top(t, named{"chosen", 1}), "chosen", "{Name:chosen Value:1}"},
	} {
		require.Equal(t, c.name, c.m.Name)
		require.Equal(t, c.params, c.m.Params)
	}
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
