package gosim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// TestDump: every stage can be printed, with names of the design and positions in its source. Once
// there are units, they can be printed by number.
func TestDump(t *testing.T) {
	d := elaborate(t, simtest.FIFOArray{Lanes: 16, Width: 16, Depth: 4})
	dump := func(stage string, unit int) (string, error) {
		var b strings.Builder
		err := gosim.Dump(&b, d, stage, unit)
		return b.String(), err
	}
	for _, stage := range gosim.Stages() {
		text, err := dump(stage.Name, -1)
		require.NoError(t, err)
		if stage.Name != "kernels" && stage.Name != "go" {
			require.Contains(t, text, "register v", stage)
			require.Regexp(t, `# \S+\.go:\d+`, text, stage)
		}
	}
	units, err := dump("units", -1)
	require.NoError(t, err)
	first, err := dump("units", 0)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(first, "u0: ") && strings.Contains(units, first), first)

	kernels, err := dump("kernels", -1)
	require.NoError(t, err)
	require.Regexp(t, `(?m)^kernel vector_u\d+\w*: 16 lanes of \d+ bits$`, kernels)
	require.Regexp(t, `(?m)^u\d+: no kernel: .+$`, kernels)
	code, err := dump("go", 0)
	require.NoError(t, err)
	require.Contains(t, code, "func (s *Model) u0")

	_, err = dump("printed", -1)
	require.EqualError(t, err, `gosim: there is no stage "printed"`)
	_, err = dump("roll", 0)
	require.EqualError(t, err, `gosim: after stage "roll" there are no units yet`)
	_, err = dump("units", 1000)
	require.ErrorContains(t, err, `gosim: there is no unit 1000 after stage "units", of `)
}
