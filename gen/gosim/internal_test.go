package gosim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestMistakes prints a plan with an operator that does not exist and expects an error.
func TestMistakes(t *testing.T) {
	d, err := ir.Parse("sum.ir", "module sum clock {\n  input x : 8\n  output q : 8\n  reg r : 8\n  r = add(x, r)\n  q = r\n}\n")
	require.NoError(t, err)
	p, err := plan.New(d, nil)
	require.NoError(t, err)
	p.Units[len(p.Units)-1].Nodes[0].Code = ir.EqLanes
	_, err = formatted(&generator{Plan: p, design: d, pkg: "sum"})
	require.EqualError(t, err, "gosim: internal error while printing v2 = eqlanes (top): gosim: list without list")
}
