package cycle

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// TestFetch: of the kernels with an iteration for each line of inputs, the kernel with the fewest
// iterations prefetches them. Without inputs, or enough iterations, loads do.
func TestFetch(t *testing.T) {
	word := kernel.Place{Part: "In", Size: 64}
	for name, c := range map[string]struct {
		turns []int // of kernels
		words int   // of inputs, 8 lines each
		want  int   // kernel; -1 for none
	}{
		"enough":      {[]int{4, 64, 32, 24, 128}, 3, 3},
		"one too few": {[]int{23}, 3, -1},
		"as many":     {[]int{24}, 3, 0},
		"no inputs":   {[]int{24}, 0, -1},
	} {
		inputs := map[*plan.Value]kernel.Place{}
		for range c.words {
			inputs[&plan.Value{}] = word
		}
		var kernels []*kernel.Kernel
		for _, n := range c.turns {
			kernels = append(kernels, kernel.New("k", 16*n, 32))
		}
		fetch(kernels, 64, inputs)
		for i, k := range kernels {
			want := kernel.Next{Loads: c.want < 0}
			if i == c.want {
				want.Turns = "In"
			}
			require.Equal(t, want, k.Next, "%s: kernel %d", name, i)
		}
	}
}
