package command

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// modelIsBuilt checks that the model of a design is built once, and that the program with the model
// produces the same outcome as the interpreter.
func modelIsBuilt(t *testing.T) {
	dir := t.TempDir()
	waves := func(engine string) (string, []string) {
		file := filepath.Join(dir, engine+".vcd")
		return file, []string{"cosim", "--json", "--config", tiny, "--batches", "1", "--engine", engine, "--vcd", file}
	}
	all, line := waves(engineInterp)
	code, want, stderr := hotline(line...)
	require.Zero(t, code, stderr)

	some, line := waves(engineCompiled)
	code, stdout, stderr := hotline(line...)
	require.Zero(t, code, stderr)
	require.Equal(t, edited(t, want, `"engine":"interp"`, fmt.Sprintf(`"engine":"compiled","level":%q`, model.Best.Here())), stdout)
	require.Regexp(t, `^compiled model of tiny: built in \d+\.\d s\nhybrid: 1 of 1 mini-batches\nhotline: 1 of 1 mini-batches\n.* has the waveforms: .*\n$`, stderr)
	header, _, _ := strings.Cut(contents(t, some), "$enddefinitions")
	require.Contains(t, header, "$scope module hotline $end\n$var wire 1 ! clk $end\n$var wire 1 \" s_axil_awvalid $end\n")
	require.Contains(t, header, " rst $end\n")
	everything, _, _ := strings.Cut(contents(t, all), "$enddefinitions")
	require.Greater(t, strings.Count(header, "$var reg"), 100)
	require.Greater(t, strings.Count(everything, "$var"), 2*strings.Count(header, "$var"))

	code, stdout, stderr = hotline("cosim", "--config", tiny, "--engine", engineCompiled, "--vcd", filepath.Join(dir, "none", "run.vcd"))
	require.Equal(t, exitUsage, code, "the other program's")
	require.Empty(t, stdout)
	require.Equal(t, "compiled model of tiny: built before\nhotline: open "+dir+"/none/run.vcd: no such file or directory\n", stderr)
}

// TestNoModel: if no model can be built, a long run is interpreted, unless --engine requires a
// model.
func TestNoModel(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	require.Contains(t, contents(t, "../../../docs/reference/simulation.md"), "a run of less than 50,000 lookups or cycles is interpreted")
	require.Equal(t, 50_000, short)
	long := []string{"cosim", "--config", tiny, "--batches", "54", "--json"} // 50,112 lookups
	code, stdout, stderr := hotline(long...)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, `"engine":"interp"`)
	require.True(t, strings.HasPrefix(stderr, "compiled model of tiny: cannot be built, so this is interpreted: "+
		"compiled: program \"go\" not found; install the Go toolchain or add it to PATH\nhybrid: "), stderr)

	code, stdout, stderr = hotline(append(long, "--engine", engineCompiled)...)
	require.Equal(t, exitOther, code)
	require.Empty(t, stdout)
	require.Equal(t, "compiled model of tiny: cannot be built\nhotline: compiled: program \"go\" not found; "+
		"install the Go toolchain or add it to PATH\n  --engine interp needs no model\n", stderr)

	code, _, stderr = hotline("cosim", "--config", tiny, "--batches", "1", "--engine", engineInterp)
	require.Zero(t, code)
	require.True(t, strings.HasPrefix(stderr, "hybrid: "), stderr)
}

// TestLevelsOfEngines: a target selected by name is used, and unknown names are rejected.
func TestLevelsOfEngines(t *testing.T) {
	for _, l := range model.Levels() {
		code, stdout, stderr := hotline("cosim", "--batches", "1", "--json", "--engine", engineCompiled+"-"+l.String())
		require.Zero(t, code, stderr)
		require.Contains(t, stdout, fmt.Sprintf(`"engine":"compiled-%s","level":"%[1]s"`, l))
	}
	for _, l := range []string{"best", "neon", ""} {
		require.ErrorContains(t, checkEngine(engineCompiled+"-"+l), "expected auto, compiled, compiled-portable, compiled-avx2, compiled-avx512 or interp")
	}
}
