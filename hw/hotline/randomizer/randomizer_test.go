package randomizer

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/interp"
)

func TestPipelineEqualsReference(t *testing.T) {
	for _, w := range []int{12, 13, 22, 31, 32} {
		for _, g := range []Randomizer{{Width: w}, {Width: w, Inverse: true}} {
			t.Run(fmt.Sprint(g), func(t *testing.T) {
				d, err := hw.Elaborate(g)
				require.NoError(t, err)
				require.NoError(t, compare(t, d, g, 1))
			})
		}
	}
}

// compare drives the pipeline d with random ids and stalls, and compares it with the reference of
// g.
func compare(t testing.TB, d *ir.Design, g Randomizer, seed uint64) error {
	s, err := interp.New(d)
	require.NoError(t, err)
	tb := sim.Bind[Ports](s, g)
	require.NoError(t, bench.Reset(s, seed))

	f := Permute
	if g.Inverse {
		f = Invert
	}
	type entry struct {
		valid bool
		id    uint32
	}
	var pipe [Rounds]entry
	r := rand.New(rand.NewSource(int64(g.Width)))
	for c := range 2000 {
		in := entry{r.Intn(3) > 0, r.Uint32() & mask(g.Width)}
		on := r.Intn(4) > 0
		tb.Enable.Poke(bench.Bit(on))
		tb.In.Valid.Poke(bench.Bit(in.valid))
		tb.In.ID.Poke(uint64(in.id))
		want := pipe[Rounds-1]
		if got := tb.Out.Valid.Peek(); got != bench.Bit(want.valid) {
			return fmt.Errorf("cycle %d: valid is %d, want %v", c, got, want.valid)
		}
		if got := uint32(tb.Out.ID.Peek()); want.valid && got != f(g.Width, want.id) {
			return fmt.Errorf("cycle %d: %#x became %#x, want %#x", c, want.id, got, f(g.Width, want.id))
		}
		if on {
			copy(pipe[1:], pipe[:Rounds-1])
			pipe[0] = in
		}
		require.NoError(t, s.Step())
	}
	return nil
}

// TestForwardThenInverseIsIdentity: the forward pipeline followed by the inverse pipeline is a
// delay of 2*Rounds cycles.
func TestForwardThenInverseIsIdentity(t *testing.T) {
	d, err := hw.Elaborate(roundTrip{31})
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	in, out := sim.Find(s, "id"), sim.Find(s, "back")
	require.NoError(t, bench.Reset(s, 1))
	r := rand.New(rand.NewSource(2))
	var ids []uint64
	for c := range 500 {
		ids = append(ids, uint64(r.Uint32()>>1))
		in.Set(ids[c])
		if c >= 2*Rounds {
			require.Equal(t, ids[c-2*Rounds], out.Get(), "cycle %d", c)
		}
		require.NoError(t, s.Step())
	}
}

type roundTrip struct{ Width int }

func (p roundTrip) Build(m *hw.Module) struct{ ID, Back hw.Bits } {
	id, back := m.In("id", p.Width), m.Out("back", p.Width)
	there := hw.Inst(m, "there", Randomizer{Width: p.Width})
	again := hw.Inst(m, "again", Randomizer{Width: p.Width, Inverse: true})
	there.Enable.Set(hw.K(1))
	again.Enable.Set(hw.K(1))
	there.In.Valid.Set(hw.K(1))
	there.In.ID.Set(id)
	hw.Set(again.In, there.Out)
	back.Set(again.Out.ID)
	return struct{ ID, Back hw.Bits }{id, back}
}

// TestBrokenPipelinesAreNoticed replaces each adder of the pipeline by a subtractor, and ignores
// each enable. The comparison must detect each fault.
func TestBrokenPipelinesAreNoticed(t *testing.T) {
	g := Randomizer{Width: 22}
	adders := 0
	for k := 0; ; k++ {
		d, err := hw.Elaborate(g)
		require.NoError(t, err)
		if !breakAdder(d, k) {
			break
		}
		adders++
		require.Error(t, compare(t, d, g, 1), "adder %d", k)
	}
	require.Equal(t, 3*Rounds, adders)

	for k := range Rounds {
		d, err := hw.Elaborate(g)
		require.NoError(t, err)
		ignoreEnable(d, k)
		require.Error(t, compare(t, d, g, 1), "enable of stage %d", k)
	}
}

// breakAdder replaces the k-th adder of the top module by a subtractor.
func breakAdder(d *ir.Design, k int) bool {
	seen := map[*ir.Expr]bool{}
	var adders []*ir.Expr
	ir.WalkStmts(d.Top.Body.Stmts, func(s ir.Stmt) {
		for _, e := range s.Exprs() {
			ir.WalkExpr(e, seen, func(e *ir.Expr) {
				if e.Op == ir.Add {
					adders = append(adders, e)
				}
			})
		}
	})
	if k >= len(adders) {
		return false
	}
	adders[k].Op = ir.Sub
	return true
}

// ignoreEnable makes the k-th When of the top module, the enable of a stage, unconditional.
func ignoreEnable(d *ir.Design, k int) {
	n := 0
	for _, s := range d.Top.Body.Stmts {
		if w, ok := s.(*ir.When); ok {
			if n == k {
				w.Cond = &ir.Expr{Op: ir.Const, Type: ir.Type{Width: 1}, Val: []uint64{1}}
			}
			n++
		}
	}
}

func TestWidthIsChecked(t *testing.T) {
	for _, w := range []int{0, 11, 33} {
		_, err := hw.Elaborate(Randomizer{Width: w})
		require.ErrorContains(t, err, "expected 12 to 32")
	}
}
