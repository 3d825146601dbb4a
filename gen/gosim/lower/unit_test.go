package lower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// unitsOf returns the units of a design of 64 lanes. Each lane has inputs a and b of 12 bits and an
// output.
func unitsOf(t *testing.T, width int, result string) []*plan.Unit {
	d, err := ir.Parse("lanes.ir", fmt.Sprintf("module lanes {\n  input a : 64x12\n  input b : 64x12\n  output q : 64x%d\n  for l 64 {\n    q[l] = %s\n  }\n}\n", width, result))
	require.NoError(t, err)
	p, err := plan.New(d, nil)
	require.NoError(t, err)
	return p.Units
}

// TestUnit compares the kernels of units, or the reasons why there are none.
func TestUnit(t *testing.T) {
	const loads = "%0 = load v0_a+0:16; %1 = load v1_b+0:16; "
	for result, c := range map[string]struct {
		width int
		want  string
	}{
		"and(a[l], b[l])":    {12, loads + "%2 = and %0 %1; store %2 v2+0:16 group 5"},
		"sub(a[l], b[l])":    {12, loads + "%2 = sub %0 %1; %3 = const 0xfff; %4 = and %2 %3; store %4 v2+0:16 group 5"},
		"ltu(a[l], b[l])":    {1, loads + "%2 = less %0 %1; storemask %2 v2+0 group 5"},
		"concat(a[l], b[l])": {24, loads + "%2 = shl %0 12; %3 = or %1 %2; store %3 v2+0:32 group 5"},
		"divu(a[l], b[l])":   {12, "divu: not an operation on words"},
	} {
		units := unitsOf(t, c.width, result)
		require.Len(t, units, 1, result)
		kernels, err := Unit(units[0], func(*plan.Value) int { return 5 })
		if err != nil {
			require.EqualError(t, err, c.want, result)
			continue
		}
		require.Len(t, kernels, 1, result)
		require.NoError(t, kernels[0].Verify())
		_, text, _ := strings.Cut(kernels[0].String(), "\n")
		require.Equal(t, c.want, strings.ReplaceAll(strings.TrimSpace(text), "\n  ", "; "), result)
	}
}

// TestUnitOfWords: a unit that processes words of lanes is not a loop over them.
func TestUnitOfWords(t *testing.T) {
	for _, u := range unitsOf(t, 1, "not(eq(a[l], b[l]))") {
		kernels, err := Unit(u, func(*plan.Value) int { return -1 })
		require.NoError(t, err)
		require.Equal(t, u.Kind != plan.Words, len(kernels) > 0, u.Describe())
	}
}
