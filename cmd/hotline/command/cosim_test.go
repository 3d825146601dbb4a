package command

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/stretchr/testify/require"
)

// figures runs cosim --json and returns the decoded output.
func figures(t *testing.T, args ...string) map[string]any {
	t.Helper()
	code, stdout, stderr := hotline(append([]string{"cosim", "--json"}, args...)...)
	require.Zero(t, code, stderr)
	require.Equal(t, 1, strings.Count(stdout, "\n"), "one object on a line")
	require.NotContains(t, stderr, "{")
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	return got
}

func TestCosimDefaults(t *testing.T) {
	got := figures(t, "--batches", "2")
	for _, key := range strings.Fields("config mini_batches inputs machine profile systems speed_ups accelerator") {
		require.NotEmpty(t, got[key], key)
	}
	for i, name := range []string{"hybrid", "hotline"} {
		s := systemOf(got, i)
		require.Equal(t, []any{name, true}, []any{s["system"], s["parameters_identical"]})
		for _, key := range strings.Fields("model gpus nodes mini_batches inputs time_ps time_low_ps time_high_ps bound_by loss auc") {
			require.NotEmpty(t, s[key], key)
		}
	}
	require.Equal(t, []any{"compiled", "small", 2., 512.}, []any{acceleratorOf(got)["engine"], got["config"], got["mini_batches"], got["inputs"]})
}

func systemOf(figures map[string]any, i int) map[string]any {
	return figures["systems"].([]any)[i].(map[string]any)
}

func acceleratorOf(figures map[string]any) map[string]any {
	return figures["accelerator"].(map[string]any)
}

// TestCosimAsInTheReadme: the first command of README.md prints the lines shown there, in this
// order.
func TestCosimAsInTheReadme(t *testing.T) {
	_, shown, ok := strings.Cut(contents(t, "../../../README.md"), "\n```sh\ngo run ./cmd/hotline cosim\n```\n")
	require.True(t, ok)
	_, shown, ok = strings.Cut(shown, "\n```\n")
	require.True(t, ok)
	shown, _, _ = strings.Cut(shown, "```")
	code, rest, stderr := hotline("cosim")
	require.Zero(t, code, stderr)
	gain := regexp.MustCompile(`\n  hotline  (\d\.\d\d) \(0\.`).FindStringSubmatch(rest)
	require.NotNil(t, gain, "the range of the speed-up begins below 1, as the README says")
	require.Contains(t, contents(t, "../../../README.md"), "only "+gain[1]+" times as fast")
	for line := range strings.Lines(shown) {
		if line == "...\n" {
			continue
		}
		_, rest, ok = strings.Cut(rest, line)
		require.True(t, ok, "%swas not printed there", line)
	}
}

func TestCosimTable(t *testing.T) {
	code, stdout, stderr := hotline("cosim", "--config", tiny, "--gpus", "1", "--batches", "4", "--seed", "9")
	require.Zero(t, code)
	require.True(t, strings.HasPrefix(stdout, "configuration  tiny, 1 GPU, criteo-like\nmini-batches   4, 128 inputs\n"), stdout)
	require.True(t, strings.HasSuffix(stdout, "  sequential  bit-identical\n"), stdout)
	require.Equal(t, `interpreting tiny: the run is too short to build a compiled model for (--engine compiled does)
hybrid: 1 of 4 mini-batches
hybrid: 2 of 4 mini-batches
hybrid: 3 of 4 mini-batches
hybrid: 4 of 4 mini-batches
hotline: 1 of 4 mini-batches
hotline: 2 of 4 mini-batches
hotline: 3 of 4 mini-batches
hotline: 4 of 4 mini-batches
`, stderr)
}

func TestCosimSeed(t *testing.T) {
	a, b, c := figures(t, "--config", tiny), figures(t, "--config", tiny, "--seed", "1"), figures(t, "--config", tiny, "--seed", "2")
	require.Equal(t, a, b, "1 is the configuration's")
	require.NotEqual(t, systemOf(a, 1)["loss"], systemOf(c, 1)["loss"])
}

// TestCosimOnClicks reads a log with all rows, plain and compressed, and with some of its rows.
func TestCosimOnClicks(t *testing.T) {
	got := figures(t, "--config", tiny, "--data", "criteo:"+clicks)
	require.Equal(t, []any{"clicks.tsv", 3., 70., true}, []any{got["data"], got["mini_batches"], got["inputs"], systemOf(got, 1)["parameters_identical"]})
	require.Less(t, acceleratorOf(got)["popular_share"], 1.)
	require.Greater(t, acceleratorOf(got)["popular_share"], 0.)

	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write([]byte(contents(t, clicks)))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	path := filepath.Join(t.TempDir(), "clicks.tsv")
	require.NoError(t, os.WriteFile(path, packed.Bytes(), 0o600))
	again := figures(t, "--config", tiny, "--data", "criteo:"+path)
	again["data_source"] = got["data_source"]
	require.Equal(t, got, again)

	some := figures(t, "--config", tiny, "--data", "criteo:"+clicks, "--batches", "2")
	require.Equal(t, []any{2., 64.}, []any{some["mini_batches"], some["inputs"]})
}

func TestCosimWaveforms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.vcd")
	got := figures(t, "--config", tiny, "--batches", "1", "--vcd", path)
	require.Equal(t, figures(t, "--config", tiny, "--batches", "1"), got, "recording disturbs nothing")
	vcd := contents(t, path)
	require.True(t, strings.HasPrefix(vcd, "$version Hotline $end\n$timescale 1ps $end\n$scope module hotline $end\n$var wire 1 ! clk $end\n"), vcd[:200])
	require.Contains(t, vcd, "$enddefinitions $end\n#0\n$dumpvars\n1!\n")
	require.Contains(t, vcd, "\n#4000\n1!\n", "250 MHz")
}

// TestDifference: if the parameters differ, the report is printed and the exit code is 1.
func TestDifference(t *testing.T) {
	same, loss := false, 0.5
	r := &report.Report{Config: "small", Values: true, Systems: []report.System{{MiniBatches: 1, Loss: &loss, Identical: &same, Difference: "row 3 differs"}}}
	for _, asJSON := range []bool{false, true} {
		var out strings.Builder
		err := jobFlags{json: asJSON}.conclude(&out, r)
		require.EqualError(t, err, "the parameters differ: row 3 differs")
		require.Equal(t, 1, exitCode(err))
		require.Contains(t, out.String(), "row 3 differs")
		require.Equal(t, asJSON, json.Valid([]byte(out.String())))
	}
}
