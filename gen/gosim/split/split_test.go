package split_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/split"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/flat"
	"github.com/hotline-rtl/hotline/hw/ir/irgen"
	"github.com/hotline-rtl/hotline/hw/ir/net"
)

// words splits d.
func words(t *testing.T, d *ir.Design) *split.Design {
	l, problems := net.Lower(d)
	require.Empty(t, problems)
	f, problems := flat.Flatten(l)
	require.Empty(t, problems)
	s, err := split.Words(f)
	require.NoError(t, err)
	return s
}

// Operations stand after what they need, are of words but for few, and none needs a list.
func TestWords(t *testing.T) {
	for seed := range uint64(100) {
		s := words(t, irgen.Random(seed, irgen.Small))
		ready := make([]bool, len(s.Width))
		for _, c := range s.Consts {
			ready[c.Net] = true
		}
		for _, r := range s.Design.Regs {
			ready[r.Q] = true
		}
		for _, p := range s.Design.Ports {
			if p.Sig.Kind == ir.Input {
				ready[p.Nets[0]] = true
			}
		}
		for _, o := range s.Ops {
			for i, a := range o.Args {
				require.True(t, ready[a], "seed %d: operand %d of %s", seed, i, o.Code)
			}
			require.Equal(t, int32(1), o.NOut)
			ready[o.Out] = true
			require.NotContains(t, []ir.Op{ir.Elem, ir.Update, ir.EqLanes, ir.Select, ir.Route}, o.Code)
		}
	}
}
