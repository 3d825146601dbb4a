package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestCommands(t *testing.T) {
	tools.Need(t, "yosys")
	t.Chdir("../..")
	var out strings.Builder
	ok, err := mutants(&out, "arb", 20, 1)
	require.NoError(t, err)
	require.True(t, ok, out.String())
	require.Regexp(t, "(?m)^\\| `round_robin` \\| \\d+ \\| [1-9]\\d* \\|", out.String())
	out.Reset()
	ok, err = gates(&out, "arb")
	require.NoError(t, err)
	require.True(t, ok, out.String())
	require.Regexp(t, "(?m)^\\| `round_robin` \\| [1-9]\\d* \\| 0 \\|$", out.String())
}

func TestMistakes(t *testing.T) {
	t.Chdir("../..")
	_, err := gates(io.Discard, "nothing")
	require.EqualError(t, err, "no block nothing")
}

func TestVerdicts(t *testing.T) {
	var out strings.Builder
	good := yosystest.Report{Block: "good", Mutants: 100, Killed: 76, Equivalent: 20, Survivors: []string{"a", "b", "c", "d"}}
	require.True(t, printMutants(&out, []yosystest.Report{good}))
	require.Contains(t, out.String(), "| `good` | 100 | 76 | 20 | 4 | 95.0 % |\n")
	require.Contains(t, out.String(), "good: d\n")
	bad := good
	bad.Killed--
	require.False(t, printMutants(&out, []yosystest.Report{good, bad}))
	require.False(t, printMutants(&out, nil), "no such block")
	require.True(t, printGates(&out, []yosystest.Report{{Block: "good", Gates: 10}}))
	require.False(t, printGates(&out, []yosystest.Report{{Block: "bad", Gates: 10, Unproven: 1}}))
	require.False(t, printGates(&out, nil), "no such block")
}
