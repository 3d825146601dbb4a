package lower

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/split"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Registers at the end of a pipeline take their next values before those that these come from, with what is computed
// for them; registers that depend on each other do so, too.
func TestStages(t *testing.T) {
	d, err := ir.Parse("pipeline.ir", `module pipeline clock {
  input x : 8
  output y : 8
  reg first : 8
  reg second : 32
  reg third : 8
  reg ring : 8
  reg back : 8
  first = add(x, 8'd1)
  second = mul(zext:32(first), zext:32(ring))
  third = add(second[31:24], 8'd3)
  ring = xor(back, x)
  back = add(ring, 8'd5)
  y = third
}
`)
	require.NoError(t, err)
	f, err := plan.Flatten(d)
	require.NoError(t, err)
	words, err := split.Words(f)
	require.NoError(t, err)
	list := edge(plan.NewCopies(words.Design, 64))
	phases := list.phases([]int{8, 16, 32}, true)
	checkPhases(t, list, []int{8, 16, 32}, phases)
	stage, at := map[string]int{}, map[string]int{}
	for n, p := range phases {
		for _, x := range p.tasks {
			if x.register != nil {
				stage[x.register.Doc], at[x.register.Doc] = x.stage, n
			}
		}
	}
	require.Equal(t, []int{0, 1, 2}, []int{stage["third"], stage["second"], stage["first"]})
	require.Greater(t, stage["ring"], stage["second"])
	require.Greater(t, stage["back"], stage["second"])
	require.Less(t, at["third"], at["second"])
	require.Less(t, at["second"], at["first"])
	for _, x := range list.list {
		if x.out == nil {
			continue
		}
		for _, y := range (&staging{tasks: list}).needing(x) {
			require.LessOrEqual(t, x.stage, y.stage, "nothing waits for the stage of what it needs")
		}
	}
}
