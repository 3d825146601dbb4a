package command

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/sim"
)

// TestVerify compares with Verilator, which must be installed, on random inputs and on a whole
// recorded run.
func TestVerify(t *testing.T) {
	tools.Need(t, "verilator", "make", "g++")
	code, stdout, stderr := hotline("verify", "--config", tiny, "--cycles", "2000", "--seed", "5", "--stimulus", "random", "--engine", "interp", "--json")
	require.Zero(t, code, stderr)
	var got outcome
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	require.Equal(t, 250., got.Configuration["clock_mhz"])
	configuration := got.Configuration
	want := outcome{Schema: "hotline.verify/1", Version: version(), Engine: "interp", Seed: 5, Configuration: configuration,
		Config: "tiny", Cycles: 2000, Ports: 25, Random: 2000}
	require.Equal(t, want, got)
	require.Equal(t, `random: starting Verilator, after a build if there is none yet
random: 1024 of 2000 cycles
random: 2000 of 2000 cycles
`, stderr)

	code, stdout, stderr = hotline("verify", "--config", tiny, "--stimulus", "recorded", "--engine", "interp", "--json")
	require.Zero(t, code, stderr)
	got = outcome{}
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	require.Greater(t, got.Cycles, uint64(5000))
	require.Less(t, got.Cycles, uint64(50_000))
	want.Cycles, want.Random, want.Recorded, want.Seed = got.Cycles, 0, got.Cycles, 1
	require.Equal(t, want, got)

	code, stdout, _ = hotline("verify", "--config", tiny, "--cycles", "100")
	require.Zero(t, code)
	require.Equal(t, "random    100 cycles, 25 outputs, 0 differences\nrecorded  100 cycles, 25 outputs, 0 differences\n", stdout)
}

// TestVerifySmall runs a short version of the runs that the documents promise: the default
// configuration, with both Go engines.
func TestVerifySmall(t *testing.T) {
	tools.Need(t, "verilator", "make", "g++")
	for _, c := range []struct{ engine, random string }{{engineInterp, "20000"}, {engineCompiled, "1000000"}} {
		for kind, cycles := range map[string]string{random: c.random, recorded: "20000"} {
			code, stdout, stderr := hotline("verify", "--engine", c.engine, "--stimulus", kind, "--cycles", cycles)
			require.Zero(t, code, stderr)
			require.Equal(t, fmt.Sprintf("%-8s  %s cycles, 25 outputs, 0 differences\n", kind, cycles), stdout, c.engine)
		}
	}
}

func TestVerifyWithoutVerilator(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	code, stdout, stderr := hotline("verify", "--config", tiny)
	require.Equal(t, 3, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "\nhotline: program \"verilator\" not found; install it or add it to PATH\n")
}

// TestEnginesDiffer: the sums are printed, and the difference is the error.
func TestEnginesDiffer(t *testing.T) {
	first := &sim.Divergence{Cycle: 7, Path: "irq_req", A: "go", B: "verilator", ValueA: []uint64{0}, ValueB: []uint64{1}}
	var out outcome
	out.add(random, sim.Report{Cycles: 10, Ports: 3})
	out.add(recorded, sim.Report{Cycles: 20, Ports: 3, Differences: 4, First: first})
	require.Equal(t, outcome{Cycles: 30, Ports: 3, Differences: 4, Random: 10, Recorded: 20, First: first.Error()}, out)
	err := verifyFlags{}.conclude(&cobra.Command{}, out)
	require.EqualError(t, err, first.Error())
	require.Equal(t, 1, exitCode(err))
}
