//go:build unix

package command

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// smallSweep contains very short trainings; half of them fail.
const smallSweep = `run "train" {
  config    = "tiny.hcl"
  arguments = ["--values", "off", "--system", "hybrid", "--machine", server]
}
axis "batches" {
  attribute = "training.batches"
  values    = [1, 2]
}
axis "server" {
  values = ["v100", "little.hcl"]
}
plots = ["systems.hybrid.time_ps"]
`

// sweepFiles returns the files of smallSweep. No model fits its second machine.
func sweepFiles(t *testing.T) map[string]string {
	_, v100, _ := hotline("machine", "v100")
	return map[string]string{
		"s.hcl": smallSweep, "tiny.hcl": contents(t, tiny),
		"little.hcl": edited(t, v100, "gpu_memory_gib  = 16", "gpu_memory_gib  = 1 / 1048576"),
	}
}

// swept returns some columns of results.csv, row by row.
func swept(t *testing.T, dir string, columns ...string) (rows []string) {
	all, err := csv.NewReader(strings.NewReader(contents(t, filepath.Join(dir, "results.csv")))).ReadAll()
	require.NoError(t, err)
	place := map[string]int{}
	for i, name := range all[0] {
		name, _, _ = strings.Cut(name, ":")
		place[name] = i
	}
	for _, row := range all[1:] {
		var cells []string
		for _, c := range columns {
			require.Contains(t, place, c)
			cells = append(cells, row[place[c]])
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return rows
}

// TestSweep: the numbers equal the numbers of the command itself. Failures are kept and determine
// the exit code. A second run repeats only the failed points.
func TestSweep(t *testing.T) {
	program := program(t)
	folder(t, sweepFiles(t))
	code, stdout, stderr := start(t, program, "sweep", "s.hcl", "--jobs", "2").end()
	require.Equal(t, 1, code, stderr)
	require.Regexp(t, `^points   4: 2 done, 2 failed, 0 missing\nresults  .*/s.sweep/results.csv, with .html\n`+
		`failed   point 1 \(batches 1, server little.hcl\): hotline: no system fits into the memory of the machine\n`+
		`         log: .*/s.sweep/points/[0-9a-f]{16}/attempt-\d+/log\n(.*\n){2}$`, stdout)
	require.Contains(t, stderr, "\ns: 4 of 4 points\n")
	require.True(t, strings.HasSuffix(stderr, "\nhotline: 2 of 4 points failed, 0 are missing\n"), stderr)
	require.Equal(t, []string{"1 v100 done 1 v100", "1 little.hcl failed 0 little", "2 v100 done 2 v100", "2 little.hcl failed 0 little"},
		swept(t, "s.sweep", "batches", "server", "status", "mini_batches", "machine"))
	_, alone, _ := hotline("train", "--config", "tiny.hcl", "--values", "off", "--system", "hybrid", "--batches", "2", "--json")
	var figures struct {
		Systems []struct {
			Time int64 `json:"time_ps"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(alone), &figures))
	require.Equal(t, fmt.Sprint(figures.Systems[0].Time), swept(t, "s.sweep", "systems.hybrid.time_ps")[2])

	csv := contents(t, "s.sweep/results.csv")
	code, _, stderr = start(t, program, "sweep", "s.hcl", "--jobs", "1").end()
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "\ns: 2 of 2 points\n")
	require.Equal(t, csv, contents(t, "s.sweep/results.csv"))
}

// TestSweepTypo: a plot of an unknown key is rejected before the run, with its line.
func TestSweepTypo(t *testing.T) {
	folder(t, map[string]string{"s.hcl": edited(t, smallSweep, "hybrid.time_ps", "hybrid.times_ps")})
	code, stdout, stderr := hotline("sweep", "s.hcl")
	require.Equal(t, exitUsage, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, `hotline: s.hcl:12: plots: train prints no figure "systems.hybrid.times_ps"`)
	require.NoDirExists(t, "s.sweep")
}

// TestOneFormat: the outputs of data, train, reproduce and a point of a sweep begin with the same
// keys. A training also contains counts per mini-batch and the use of resources, in a sweep too.
func TestOneFormat(t *testing.T) {
	program := program(t)
	folder(t, map[string]string{"tiny.hcl": contents(t, tiny), "one.hcl": `run "train" {
  config    = "tiny.hcl"
  arguments = ["--batches", n, "--seed", 5]
}
axis "n" {
  values = [2]
}
`})
	code, _, stderr := start(t, program, "sweep", "one.hcl").end()
	require.Zero(t, code, stderr)
	output, err := filepath.Glob("one.sweep/points/*/*/output")
	require.NoError(t, err)
	require.Len(t, output, 1)
	printedBy := func(args ...string) string {
		code, stdout, stderr := hotline(args...)
		require.Zero(t, code, stderr)
		return stdout
	}
	alone := printedBy("train", "--config", "tiny.hcl", "--batches", "2", "--seed", "5", "--json")
	require.JSONEq(t, alone, contents(t, output[0]))
	for schema, text := range map[string]string{
		"hotline.experiment/2": alone,
		"hotline.profile/1":    printedBy("data", "profile", "--data", "gen:avazu", "--inputs", "10", "--seed", "5", "--json"),
		"hotline.reproduce/2":  printedBy("reproduce", "fae/table-2", "--fresh", "--json"),
	} {
		var got struct {
			Schema, Version string
			Configuration   map[string]any
			Seed            int
		}
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		require.Equal(t, schema, got.Schema)
		require.Equal(t, version(), got.Version)
		require.NotEmpty(t, got.Configuration, schema)
		require.Positive(t, got.Seed, schema)
	}
	var plan struct{ Schema, Version string }
	require.NoError(t, json.Unmarshal([]byte(contents(t, "one.sweep/sweep.json")), &plan))
	require.Equal(t, "hotline.sweep/1", plan.Schema)
	require.NotEmpty(t, plan.Version)
	var trained struct {
		Systems []struct{ Series, Counts, Busy, Links, Memory []any }
	}
	require.NoError(t, json.Unmarshal([]byte(alone), &trained))
	hotline := trained.Systems[1]
	require.Len(t, hotline.Series, 2)
	for _, list := range [][]any{hotline.Counts, hotline.Busy, hotline.Links, hotline.Memory} {
		require.NotEmpty(t, list)
	}
}

// TestSweepInterrupted: after a signal, the tables contain the completed points, and the sweep can
// be resumed.
func TestSweepInterrupted(t *testing.T) {
	program := program(t)
	dir := folder(t, map[string]string{"s.hcl": "run \"./wait\" {\n  arguments = [n]\n}\naxis \"n\" {\n  values = [0, 1]\n}\n"})
	require.NoError(t, os.WriteFile("wait", []byte("#!/bin/sh\n[ $1 = 0 ] || [ -e go ] || sleep 60\n"), 0o700))
	p := start(t, program, "sweep", "s.hcl", "--jobs", "1", "--out", "out")
	p.waitFor("s: 1 of 2 points")
	p.interrupt(syscall.SIGINT)
	code, stdout, stderr := p.end()
	require.Equal(t, 130, code, stderr)
	require.Equal(t, "points   2: 1 done, 0 failed, 1 missing\nresults  "+dir+"/out/results.csv, with .html\n", stdout)
	require.Contains(t, stderr, "hotline: interrupted\n  finished points are kept; the same command runs the other points\n")
	require.Equal(t, []string{"0 done", "1 missing"}, swept(t, "out", "n", "status"))

	require.NoError(t, os.WriteFile("go", nil, 0o600))
	printedBy := func(want int, args ...string) string {
		code, stdout, stderr := start(t, program, append([]string{"sweep"}, args...)...).end()
		require.Equal(t, want, code, stderr)
		return stdout + stderr
	}
	require.Contains(t, printedBy(2, "point", "out", "2"), `hotline: point "2": expected a number from 0 to 1`)
	require.Empty(t, printedBy(0, "point", "out", "1"))
	require.Contains(t, printedBy(0, "collect", "out"), "points   2: 2 done, 0 failed, 0 missing\n")
	require.NotContains(t, printedBy(0, "s.hcl", "--out", "out"), " of ", "nothing is left to run")
}

// TestShippedSweeps runs the sweeps in examples/sweeps with tiny values. With -short it runs only
// the sweeps that need no other program.
func TestShippedSweeps(t *testing.T) {
	if !testing.Short() {
		tools.Need(t, "bash", "verilator", "make", "g++", "iverilog", "iverilog-vpi", "vvp")
	}
	program := program(t)
	shipped, err := filepath.Glob("../../../examples/sweeps/*.hcl")
	require.NoError(t, err)
	tiny, out := `"host/study/experiment/testdata/tiny.hcl"`, t.TempDir()
	t.Chdir("../../..")
	changes := map[string][]string{
		"queue":    {`"configs/small.hcl"`, tiny, "[2, 4, 8, 16, 32]", "[4]", "[4, 8, 16]", "[4]", `"--batches", 4`, `"--batches", 2`},
		"machines": {`"configs/small.hcl"`, tiny, "points = 40", "points = 2", "[1, 2, 4]", "[1, 2]"},
		"designs":  {"range(2000000, 2030000, 300)", "[2000000]", `"--designs", 300`, `"--designs", 1, "--cycles", 20`},
		"lockstep": {`"configs/small.hcl"`, tiny, "range(1, 101)", "[1]", `"compiled"`, `"interp"`, "1000000", "10"},
		"faults":   {"range(1, 51)", "[1]", "[1, 4, 16]", "[4]", "1000000", "200", "10000", "0"},
		"commands": {"range(1, 101)", "[1]", `"random"`, `"tiny"`, "100000", "100"},
	}
	require.Len(t, shipped, len(changes))
	var running []*process
	for name, pairs := range changes {
		if testing.Short() && name != "queue" && name != "machines" {
			continue
		}
		text := contents(t, "examples/sweeps/"+name+".hcl")
		for i := 0; i < len(pairs); i += 2 {
			text = edited(t, text, pairs[i], pairs[i+1])
		}
		file := filepath.Join(out, name+".hcl")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		running = append(running, start(t, program, "sweep", file, "--jobs", "1", "--out", filepath.Join(out, name)))
	}
	for _, p := range running {
		code, stdout, stderr := p.end()
		require.Zero(t, code, stderr+stdout)
		require.NotContains(t, stdout, "plots  ", "all figures are there")
	}
	if testing.Short() {
		require.Len(t, swept(t, filepath.Join(out, "machines"), "point"), 2)
		return
	}
	require.Equal(t, []string{"1 2000000"}, swept(t, filepath.Join(out, "designs"), "designs", "last"))
	require.Equal(t, []string{"1 4"}, swept(t, filepath.Join(out, "faults"), "seed", "rate"))
	require.Equal(t, []string{"1"}, swept(t, filepath.Join(out, "commands"), "seed"))
	require.Equal(t, []string{"10 0"}, swept(t, filepath.Join(out, "lockstep"), "cycles", "differences"))
}

// TestSweepDocument: docs/how-to/sweep.md begins with a shipped sweep, shows the text of a mistake, and
// lists all shipped sweeps.
func TestSweepDocument(t *testing.T) {
	document := contents(t, "../../../docs/how-to/sweep.md")
	require.Contains(t, document, "```\n"+contents(t, "../../../examples/sweeps/queue.hcl")+"```\n")
	shipped, err := filepath.Glob("../../../examples/sweeps/*.hcl")
	require.NoError(t, err)
	for _, file := range shipped {
		require.Contains(t, document, "](../../examples/sweeps/"+filepath.Base(file)+")")
	}
	folder(t, map[string]string{"sweep.hcl": "run \"train\" {}\naxis \"banks\" {\n  attribute = \"accelerator.banks\"\n  values    = [4, 6]\n}\n"})
	_, _, stderr := hotline("sweep", "sweep.hcl")
	require.Contains(t, document, "```\n"+stderr+"```\n")
}
