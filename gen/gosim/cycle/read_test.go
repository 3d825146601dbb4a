package cycle

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestFlags: a bit of an input is read as a byte, for words of any size that depend on it, so that
// a kernel reads it once.
func TestFlags(t *testing.T) {
	d, err := ir.Parse("flags.ir", `module flags clock {
  input on : 1
  input x : 32
  output sum : 32
  output count : 9
  reg q : 32
  reg r : 9
  q = mux(on, add(q, x), x)
  r = mux(on, add(r, 9'd1), 9'd3)
  sum = q
  count = r
}
`)
	require.NoError(t, err)
	p := planOf(t, d)
	places := map[*plan.Value]kernel.Place{}
	for i, v := range p.Inputs {
		if v != nil {
			places[v] = kernel.Place{Part: "In", Field: p.D.Ports[i].Sig.Name, Size: plan.ElemBits(p.D.Ports[i].Sig.Type.Width), Away: true}
		}
	}
	c, err := Edge(p, 64, places)
	require.NoError(t, err)
	loads := 0
	for _, k := range c.Kernels {
		for _, i := range k.Insts {
			if i.At.Field == "on" {
				require.Equal(t, 8, i.Size, k)
				loads++
			}
		}
	}
	require.Equal(t, len(c.Kernels), loads)
}
