package command

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/consistency"
)

// TestTrain: the functional model and the hardware produce the same numbers, and systems, machine
// and profile are as requested.
func TestTrain(t *testing.T) {
	run := func(args ...string) map[string]any {
		code, stdout, stderr := hotline(append([]string{"train", "--config", tiny, "--json"}, args...)...)
		require.Zero(t, code, stderr)
		var got map[string]any
		require.NoError(t, json.Unmarshal([]byte(stdout), &got))
		return got
	}
	all := run()
	require.Equal(t, "functional", acceleratorOf(all)["engine"])
	require.Equal(t, "hotline", systemOf(all, 1)["system"])
	cycle := run("--accelerator", "cycle", "--system", "hybrid,hotline")
	require.Equal(t, "interp", acceleratorOf(cycle)["engine"])
	require.Equal(t, systemOf(all, 1)["loss"], systemOf(cycle, 1)["loss"])
	one := run("--system", "hybrid", "--machine", "h100", "--profile", "sceptic", "--gpus", "1", "--nodes", "2")
	require.Len(t, one["systems"], 1)
	require.NotContains(t, one, "accelerator")
	require.Equal(t, []any{"h100", "sceptic", 1., 2.}, []any{one["machine"], one["profile"], one["gpus"], one["nodes"]})
	require.Less(t, systemOf(one, 0)["time_ps"], systemOf(all, 0)["time_ps"])
	require.Equal(t, systemOf(all, 0)["loss"], systemOf(one, 0)["loss"])
}

// TestTrainModel: a model of the papers has its real table sizes; only the rows that are read exist
// in memory.
func TestTrainModel(t *testing.T) {
	code, stdout, stderr := hotline("train", "--config", "../../../configs/paper.hcl", "--model", "rm4", "--batches", "1", "--json")
	require.Zero(t, code, stderr)
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	require.Equal(t, []any{"rm4", true}, []any{systemOf(got, 1)["model"], systemOf(got, 1)["parameters_identical"]})
	require.Len(t, got["tables"], 21)
	require.Greater(t, systemOf(got, 1)["parameters"], 16*9e6-1e6)
	require.Equal(t, map[string]any{"kind": "generated", "path": "avazu"}, got["data_source"])
}

// TestTrainUnknownLength: the number of mini-batches of a log may be unknown until its end.
func TestTrainUnknownLength(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.tsv")
	line := "1" + strings.Repeat("\t1", 13) + strings.Repeat("\t68fd1e64", 26) + "\n"
	require.NoError(t, os.WriteFile(log, []byte(strings.Repeat(line, 100)), 0o600))
	code, stdout, stderr := hotline("train", "--config", tiny, "--data", "criteo:"+log, "--index", "hash:50")
	require.Zero(t, code, stderr)
	require.Regexp(t, `mini-batches +4, 100 inputs`, stdout)
	require.Contains(t, stderr, "hybrid: 4 mini-batches\n")
}

// TestTrainWithoutValues: without arithmetic, the times are the same, and results that depend on
// values are missing.
func TestTrainWithoutValues(t *testing.T) {
	code, on, stderr := hotline("train", "--config", tiny)
	require.Zero(t, code, stderr)
	code, off, stderr := hotline("train", "--config", tiny, "--values", "off")
	require.Zero(t, code, stderr)
	times, _, _ := strings.Cut(on, "Models (")
	require.Contains(t, times, "\nSpeed-up over hybrid (")
	require.True(t, strings.HasPrefix(off, times), off)
	require.Equal(t, times+"Models (values off)\n  system   parameters\n  hybrid       53,120\n  hotline      53,120\n", off)
}

// TestMachine: a printed machine can be edited and used.
func TestMachine(t *testing.T) {
	code, list, _ := hotline("machine")
	require.Zero(t, code)
	for _, line := range []string{"v100               4 x V100 16 GB, ", "sceptic            A sceptic's software: "} {
		require.Contains(t, list, "\n"+line)
	}
	own := func(name, from, to string) string {
		code, text, stderr := hotline("machine", name)
		require.Zero(t, code, stderr)
		require.Contains(t, text, from)
		path := filepath.Join(t.TempDir(), "own.hcl")
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(text, from, to, 1)), 0o600))
		return path
	}
	time := func(args ...string) any {
		code, stdout, stderr := hotline(append([]string{"train", "--config", tiny, "--json", "--system", "hybrid"}, args...)...)
		require.Zero(t, code, stderr)
		var got map[string]any
		require.NoError(t, json.Unmarshal([]byte(stdout), &got))
		return systemOf(got, 0)["time_ps"]
	}
	before := time()
	require.Greater(t, time("--machine", own("v100", "value  = 10\n  low    = 6\n  high   = 14", "value  = 14\n  low    = 6\n  high   = 14")), before)
	require.Less(t, time("--profile", own("hotline-2024-a", `"baselines"`, `"hidden"`)), before)
}

// TestTrainOutOfMemory: a system that does not fit the simulated machine is not an error, unless no
// system fits.
func TestTrainOutOfMemory(t *testing.T) {
	_, text, _ := hotline("machine", "v100")
	for _, c := range []struct {
		kib, want string
		code      int
	}{
		{"80", "hotline  out of memory: GPU 0 memory has 81.9 kB, but needs 102.4 kB: ", 0},
		{"64", "hybrid   out of memory: GPU 0 memory has 65.5 kB, but needs 73.7 kB: ", 1},
	} {
		path := filepath.Join(t.TempDir(), "own.hcl")
		require.NoError(t, os.WriteFile(path, []byte(edited(t, text, "gpu_memory_gib  = 16", "gpu_memory_gib  = "+c.kib+" / 1048576")), 0o600))
		code, stdout, stderr := hotline("train", "--config", tiny, "--machine", path)
		require.Equal(t, c.code, code, stderr)
		require.Contains(t, stdout, c.want)
		require.NotContains(t, stdout, "Speed-up")
		require.Equal(t, c.code == 1, strings.Contains(stderr, "hotline: no system fits into the memory of the machine\n"), stderr)
	}
}

func TestTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "timeline.json")
	code, _, stderr := hotline("train", "--config", tiny, "--trace", path)
	require.Zero(t, code, stderr)
	var got struct{ TraceEvents []map[string]any }
	require.NoError(t, json.Unmarshal([]byte(contents(t, path)), &got))
	names := map[any]int{}
	for _, e := range got.TraceEvents {
		names[e["name"]]++
	}
	require.Equal(t, 5, names["gather"], "of each mini-batch")
	require.Positive(t, names["mini-batch 4"], "a flow")
}

// TestChakra: each GPU has an execution trace.
func TestChakra(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "step")
	code, _, stderr := hotline("train", "--config", tiny, "--system", "hybrid", "--gpus", "2", "--nodes", "2", "--chakra", prefix)
	require.Zero(t, code, stderr)
	first := contents(t, prefix+".0.et")
	require.True(t, strings.HasPrefix(first, "\x07\n\x050.0.4"), "the version comes first")
	require.Contains(t, first, "all-reduce")
	for _, gpu := range []string{"1", "2", "3"} {
		require.Equal(t, first, contents(t, prefix+"."+gpu+".et"))
	}
	require.NoFileExists(t, prefix+".4.et")
}

// TestTrainCheck: a check with findings fails, and its findings are printed.
func TestTrainCheck(t *testing.T) {
	code, stdout, stderr := hotline("train", "--config", tiny, "--system", "hybrid", "--check")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "nothing found in 4,640 reads\n")
	loss, same := 0.5, true
	r := report.Report{Values: true, Systems: []report.System{{System: "hotline", Loss: &loss, Identical: &same, Promise: "sequential",
		Check: &consistency.Summary{Findings: 1, First: []consistency.Finding{{Kind: consistency.HeldSlot, MiniBatch: 3, Table: 2, Row: 9, Text: "taken"}}}}}}
	var out strings.Builder
	err := jobFlags{}.conclude(&out, &r)
	require.Equal(t, exitFailed, exitCode(err))
	require.ErrorContains(t, err, "the check has found something: hotline: held slot, mini-batch 3, table 2, row 9: taken")
	require.Contains(t, out.String(), "held slot, mini-batch 3, table 2, row 9: taken\n")
	r.Systems[0].Promise = "approximate"
	require.NoError(t, jobFlags{}.conclude(io.Discard, &r))
}

// TestTrainHTML: the page contains the requested timelines. It is also written if the parameters
// differ.
func TestTrainHTML(t *testing.T) {
	for _, command := range []string{"train", "cosim"} {
		path := filepath.Join(t.TempDir(), "page.html")
		code, stdout, stderr := hotline(command, "--config", tiny, "--html", path, "--timelines", "1,3-4")
		require.Zero(t, code, stderr)
		require.Contains(t, stdout, "bit-identical")
		page := contents(t, path)
		for m, want := range []bool{false, true, false, true, true} {
			require.Equal(t, want, strings.Contains(page, fmt.Sprintf("<h3>Mini-batch %d</h3>", m)))
		}
	}
	path := filepath.Join(t.TempDir(), "page.html")
	loss, same := 0.5, false
	r := report.Report{Values: true, Systems: []report.System{{Loss: &loss, Identical: &same, Difference: "row 3 differs"}}}
	err := jobFlags{html: path}.conclude(io.Discard, &r)
	require.Equal(t, exitFailed, exitCode(err))
	require.Contains(t, contents(t, path), "<dd>row 3 differs</dd>")
	err = jobFlags{html: "/nowhere/page.html"}.conclude(io.Discard, &r)
	require.ErrorContains(t, err, "row 3 differs")
	require.ErrorContains(t, err, "open /nowhere/page.html: ")
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string][]int{"0": {0}, "7,3": {3, 7}, "0-2,2,5-6": {0, 1, 2, 5, 6}} {
		got, err := numbers(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", ",", "-1", "1-", "3-2", "x", "1.5", "0-100000", "99999999999", "1 2"} {
		_, err := numbers(text)
		require.ErrorContains(t, err, "expected numbers from 0 and ranges with commas in between, as 0,5,20-23", text)
	}
}

// TestTrainSynthetic: of a model of 390 GB, only the rows that are read exist in memory.
func TestTrainSynthetic(t *testing.T) {
	config := filepath.Join(t.TempDir(), "large.hcl")
	text := edited(t, edited(t, contents(t, "../../../configs/paper.hcl"), "tables        = 64", "tables        = 256"), "batch       = 4096", "batch       = 64")
	require.NoError(t, os.WriteFile(config, []byte(text), 0o600))
	code, stdout, stderr := hotline("train", "--config", config, "--model", "syn-m2", "--nodes", "3", "--gpus", "1", "--batches", "2", "--json")
	require.Zero(t, code, stderr)
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	require.Equal(t, []any{"syn-m2", true}, []any{systemOf(got, 1)["model"], systemOf(got, 1)["parameters_identical"]})
	require.Greater(t, systemOf(got, 1)["parameters"], 390e9/4)
	code, _, stderr = hotline("train", "--config", config, "--model", "syn-m2", "--batches", "2")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "no system fits into the memory of the machine")
}

func TestTrainUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"train", "--system", "fea"}, `--system: there is no training system "fea"; expected all, or some of hybrid, hybrid-intel, xdl, hugectr, cpu-hotline, static-cache, fae, cdlrm, cdlrm-paper, elrec, tt-rec, scratchpipe, scratchpipe-strawman, scratchpipe-ideal, hotline with commas in between`},
		{[]string{"train", "--model", "rm9"}, `--model: there is no model "rm9"; expected rm1, rm2, rm3, rm4, syn-m1, syn-m2`},
		{[]string{"cosim", "--model", "syn-m1"}, "small.hcl:20: slots is 64, but an input of syn-m1 has 127 lookups"},
		{[]string{"cosim", "--model", "rm2"}, "small.hcl:11: tag_bits is 13, which with 512 sets makes row ids of 22 bits, enough for 4194304 rows, but the tables of kaggle have 33762577"},
		{[]string{"train", "--held-out", "-1"}, "--held-out is -1; expected a share from 0 to below 1, or a number of samples"},
		{[]string{"train", "--held-out", "1.5"}, "--held-out is 1.5; expected a share from 0 to below 1, or a number of samples"},
		{[]string{"train", "--held-out", "10", "--evaluate-every", "0"}, "--evaluate-every is 0; expected at least 1"},
		{[]string{"train", "--evaluate-every", "2"}, "--evaluate-every needs --held-out"},
		{[]string{"train", "--checkpoint-every", "2"}, "--checkpoint-every needs --checkpoint FILE"},
		{[]string{"train", "--checkpoint", "x", "--checkpoint-every", "0"}, "--checkpoint-every is 0; expected at least 1"},
		{[]string{"train", "--checkpoint", "x", "--export", "x"}, "open x: another result goes to the same file; name another file (x)"},
		{[]string{"train", "--checkpoint", "/nowhere/x"}, "open /nowhere/x: no such file or directory"},
		{[]string{"train", "--export", "/nowhere/x"}, "open /nowhere/x: no such file or directory"},
		{[]string{"train", "--resume", "/nowhere/x"}, "open /nowhere/x: no such file or directory"},
		{[]string{"train", "--resume", clicks}, clicks + ": a header of "},
		{[]string{"train", "--html", "x", "--trace", "./x"}, "open x: another result goes to the same file; name another file (./x)"},
		{[]string{"train", "--values", "no"}, `--values is "no"; expected on or off`},
		{[]string{"train", "--values", "off", "--held-out", "9"}, "--held-out needs predictions, but --values off computes none; leave one of them out"},
		{[]string{"train", "--values", "off", "--check"}, "--check compares values, but --values off computes none; leave one of them out"},
		{[]string{"train", "--values", "off", "--export", "x"}, "--checkpoint and --export need trained parameters, but --values off computes none; leave one of them out"},
		{[]string{"train", "--accelerator", "rtl"}, `--accelerator is "rtl"; expected functional or cycle`},
		{[]string{"train", "--machine", "p100"}, `--machine: there is no machine "p100", expected a100, h100, v100 or a file that ends with .hcl`},
		{[]string{"train", "--profile", "paper"}, `--profile: there is no software profile "paper", expected `},
		{[]string{"cosim", "--nodes", "3"}, "small.hcl:22: gpus is 8, but the training uses 12 GPUs; use an accelerator for more GPUs, at most 8, or systems without one"},
		{[]string{"train", "--nodes", "5"}, "small.hcl:33: 5 servers with 4 GPUs each, 20 in all; expected at most 16 in all"},
		{[]string{"train", "--config", tiny, "--trace", "/nowhere/t.json"}, "open /nowhere/t.json: "},
		{[]string{"train", "--config", tiny, "--html", "/nowhere/t.html"}, "open /nowhere/t.html: "},
		{[]string{"train", "--config", tiny, "--html", "."}, "open .: it is a folder; expected a file"},
		{[]string{"cosim", "--config", tiny, "--html", "/nowhere/t.html"}, "open /nowhere/t.html: "},
		{[]string{"data", "profile", "--html", "/nowhere/t.html"}, "open /nowhere/t.html: "},
		{[]string{"train", "--config", tiny, "--html", "x", "--timelines", "5"}, "the timelines of mini-batch 5 cannot be drawn; expected 0 to 4"},
		{[]string{"train", "--gpus", "99"}, "small.hcl:33: 1 server with 99 GPUs each, 99 in all; expected at most 16 in all"},
		{[]string{"train", "--timelines", "1"}, "--timelines needs --html FILE"},
		{[]string{"cosim", "--html", "x.html", "--timelines", "5-1"}, `--timelines: "5-1"; expected numbers from 0 and ranges with commas in between, as 0,5,20-23`},
		{[]string{"machine", "p100"}, `there is no machine and no profile "p100"; see 'hotline machine'`},
		{[]string{"machine", "v100", "a100"}, `"a100": machine takes one name`},
	} {
		code, stdout, stderr := hotline(c.args...)
		require.Equal(t, exitUsage, code, stderr)
		require.Empty(t, stdout, "nothing has run")
		require.Contains(t, stderr, c.want)
	}
}
