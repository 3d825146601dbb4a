package random_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/hw/random"
)

// TestRandomDesignsAreSound: random designs are valid and survive a round trip through the text
// form. Random calls hw.Elaborate, which checks drivers and loops.
func TestRandomDesignsAreSound(t *testing.T) {
	for seed := range uint64(500) {
		d := random.Random(seed, random.Varied(seed))
		require.NoError(t, ir.Verify(d), "seed %d", seed)
		text := d.String()
		back, err := ir.Parse("seed", text)
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, text, back.String(), "seed %d", seed)
	}
}

// TestTextFormFlattensAlike: the text form is complete. A parsed design lowers and flattens to the
// same operations.
func TestTextFormFlattensAlike(t *testing.T) {
	for seed := range uint64(20) {
		d := random.Random(seed, random.Varied(seed))
		back, err := ir.Parse("seed", d.String())
		require.NoError(t, err)
		want, got := flatten(t, d), flatten(t, back)
		require.Equal(t, want.Width, got.Width, "seed %d", seed)
		require.Len(t, got.Ops, len(want.Ops))
		for i, op := range want.Ops {
			require.Equal(t, op.Code, got.Ops[i].Code)
			require.Equal(t, op.Args, got.Ops[i].Args)
		}
	}
}

func flatten(t *testing.T, d *ir.Design) *netlist.Design {
	lowered, problems := drivers.Lower(d)
	require.Empty(t, problems)
	f, problems := netlist.Flatten(lowered)
	require.Empty(t, problems)
	return f
}

// TestRandomDesignsAreBoundedAndAlive: designs are bounded, and little in them is dead.
func TestRandomDesignsAreBoundedAndAlive(t *testing.T) {
	live, all := 0, 0
	for seed := range uint64(120) {
		d := random.Random(seed, random.Varied(seed))
		for _, m := range d.Modules {
			if m.Generic == nil && m.Extern == nil && len(m.Domains) == 0 {
				require.NotNil(t, m.Port("digest"), m.Name)
			}
		}
		lowered, problems := drivers.Lower(d)
		require.Empty(t, problems)
		kept, problems := netlist.FlattenAll(lowered)
		require.Empty(t, problems)
		require.Less(t, len(kept.Ops), 5000, "seed %d", seed)
		live += len(flatten(t, d).Ops)
		all += len(kept.Ops)
	}
	require.Greater(t, live, all*19/20)
}

func TestRandomRepeats(t *testing.T) {
	require.Equal(t, ir.Hash(random.Random(7, random.Small)), ir.Hash(random.Random(7, random.Small)))
	require.NotEqual(t, ir.Hash(random.Random(7, random.Small)), ir.Hash(random.Random(8, random.Small)))
}

// TestTogether: joined designs equal the single designs except for the names of their ports.
func TestTogether(t *testing.T) {
	parts := []random.Part{{Seed: 30, Options: random.Small}, {Seed: 24, Options: random.Varied(24)}, {Seed: 7, Options: random.Varied(7)}}
	d := random.Together(parts)
	require.NoError(t, ir.Verify(d))
	want := []string{"input clk 1", "input rst 1"} // one part has several clocks
	for _, p := range parts {
		alone := random.Random(p.Seed, p.Options)
		for _, port := range alone.Top.Ports {
			want = append(want, fmt.Sprintf("%s d%d_%s %s", port.Kind, p.Seed, port.Name, port.Type))
		}
		for _, m := range alone.Modules {
			i := slices.IndexFunc(d.Modules, func(x *ir.Module) bool { return x.Name == m.Name })
			require.GreaterOrEqual(t, i, 0, m.Name)
			require.Equal(t, text(m), text(d.Modules[i]))
		}
	}
	var got []string
	for _, port := range d.Top.Ports {
		got = append(got, fmt.Sprintf("%s %s %s", port.Kind, port.Name, port.Type))
	}
	require.Equal(t, want, got)
	require.Panics(t, func() { random.Together([]random.Part{parts[0], parts[0]}) }, "one seed twice")
}

func text(m *ir.Module) string { return (&ir.Design{Top: m, Modules: []*ir.Module{m}}).String() }
