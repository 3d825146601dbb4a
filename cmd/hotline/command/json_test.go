package command

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/docs"
	"github.com/hotline-rtl/hotline/gen/synth"
	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/study/papers"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/sim"
)

// listed returns the keys in a section of docs/reference/json.md.
func listed(t *testing.T, section string) []string {
	keys := docs.Keys(section)
	require.NotEmpty(t, keys, section)
	slices.Sort(keys)
	require.Equal(t, slices.Compact(slices.Clone(keys)), keys, "listed once")
	return keys
}

// TestKeysAreInTheDocument: sweeps accept exactly the keys that docs/reference/json.md lists, in the same
// order.
func TestKeysAreInTheDocument(t *testing.T) {
	require.Len(t, printedKeys(), 4)
	for section, keys := range printedKeys() {
		require.NotEmpty(t, keys, section)
		require.Equal(t, docs.Keys(section), keys, section)
	}
	programs, _, err := sweepPrograms()
	require.NoError(t, err)
	for verb, program := range programs.Verbs {
		require.NotEmpty(t, program.Keys, verb)
	}
}

// attribute matches keys of configuration blocks and of other objects with arbitrary names.
var attribute = regexp.MustCompile(`^(configuration\.\w+|constants|.*\.work\.own)\..*`)

// keys collects the keys of a JSON value in the notation of docs/reference/json.md.
func keys(path string, v any, found map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			keys(strings.TrimPrefix(path+"."+key, "."), inner, found)
		}
		return
	case []any:
		objects := false
		for _, inner := range v {
			if _, object := inner.(map[string]any); object {
				keys(path+"[]", inner, found)
				objects = true
			}
		}
		if objects {
			return
		}
	}
	found[attribute.ReplaceAllString(path, "$1.*")] = true
}

// printed returns the keys of some outputs.
func printed(t *testing.T, outputs ...string) []string {
	found := map[string]bool{}
	for _, out := range outputs {
		var v any
		require.NoError(t, json.Unmarshal([]byte(out), &v))
		keys("", v, found)
	}
	return slices.Sorted(maps.Keys(found))
}

// TestKeysAreListed: docs/reference/json.md lists exactly the keys that are printed.
func TestKeysAreListed(t *testing.T) {
	_, whole, _ := hotline("cosim", "--config", tiny, "--json")
	_, fromFile, _ := hotline("cosim", "--config", tiny, "--json", "--data", "criteo:"+clicks)
	_, heldOut, _ := hotline("train", "--config", tiny, "--json", "--held-out", "100", "--evaluate-every", "2")
	config := filepath.Join(t.TempDir(), "epochs.hcl")
	impatient := edited(t, contents(t, tiny), "  relearn     = 3\n", "  relearn = 3\n  epochs = 50\n  shuffle = 32\n  held_out = 0.25\n  patience = 1\n")
	require.NoError(t, os.WriteFile(config, []byte(impatient), 0o600))
	_, stopped, _ := hotline("train", "--config", config, "--json")
	half := filepath.Join(t.TempDir(), "half")
	code, _, stderr := hotline("train", "--config", tiny, "--system", "hybrid", "--batches", "2", "--checkpoint", half)
	require.Zero(t, code, stderr)
	_, resumed, _ := hotline("train", "--config", tiny, "--json", "--resume", half)
	_, short, _ := hotline("train", "--config", tiny, "--json", "--data", "criteo:"+clicks, "--batches", "99")
	missing, differs := &report.Failure{}, &report.Audit{Text: "16 bytes counted"}
	_, checked, _ := hotline("train", "--config", tiny, "--json", "--check")
	plan := filepath.Join(t.TempDir(), "faults.hcl")
	require.NoError(t, os.WriteFile(plan, []byte("fault \"drop\" {\n  place = \"completion\"\n}\nfault \"drop\" {\n  place = \"vector_wr\"\n  nth = 1000000\n}\n"), 0o600))
	_, faulty, _ := hotline("train", "--config", tiny, "--json", "--faults", plan)
	report := report.Report{}
	require.NoError(t, json.Unmarshal([]byte(whole), &report))
	same := false
	report.Systems[0].OutOfMemory = &server.OutOfMemory{Parts: []server.Part{{}}}
	report.Systems[0].Failure, report.Systems[0].Idle = missing, "no evictions"
	report.Systems[0].Check = &consistency.Summary{Kinds: []consistency.KindCount{{}}, First: []consistency.Finding{{}}, Staleness: consistency.Staleness{Ages: []consistency.AgeCount{{}}}}
	report.Systems[0].Audit = differs
	report.Systems[0].Series[0].Work = wholeWork()
	report.Accelerator.Level = "portable"
	report.Systems[1].Difference, report.Systems[1].Identical = "row 3 differs", &same
	var whyNot strings.Builder
	require.Error(t, jobFlags{json: true}.conclude(&whyNot, &report))
	require.Equal(t, listed(t, "hotline cosim and hotline train"), printed(t, whole, fromFile, heldOut, stopped, resumed, short, checked, faulty, whyNot.String()))

	require.Equal(t, listed(t, "hotline reproduce"), printed(t, reproducedJSON(t)...))

	require.Equal(t, listed(t, "hotline trace"), printed(t, tracesJSON(t)...))

	_, whole, _ = hotline("run", "../../../examples/programs/v_add.s", "--json")
	_, faulty, _ = hotline("run", "../../../examples/programs/v_add.s", "--json", "--faults", plan)
	require.Equal(t, listed(t, "hotline run"), printed(t, whole, faulty))
}

// TestKeysOfToolsAreListed repeats TestKeysAreListed for the verbs that run other programs.
func TestKeysOfToolsAreListed(t *testing.T) {
	tools.Need(t, "verilator", "make", "g++", "yosys", "sta")
	_, whole, _ := hotline("verify", "--config", tiny, "--engine", "interp", "--cycles", "10", "--stimulus", "random", "--json")
	out := outcome{Level: "portable"}
	require.NoError(t, json.Unmarshal([]byte(whole), &out))
	out.add(random, sim.Report{First: &sim.Divergence{ValueA: []uint64{0}, ValueB: []uint64{1}}})
	var differs strings.Builder
	c := &cobra.Command{}
	c.SetOut(&differs)
	require.Error(t, verifyFlags{json: true}.conclude(c, out))
	require.Equal(t, listed(t, "hotline verify"), printed(t, whole, differs.String()))

	_, whole, _ = hotline("synth", "--liberty", cells, "--slow", slowCells, "--block", "soft_reset", "--json")
	var fallen strings.Builder
	f := synthFlags{fpga: "ecp5", json: true}
	require.NoError(t, f.printFPGA(&fallen, configs.Small(), &synth.Utilisation{Cells: map[string]int{"LUT4": 1}, Memories: map[string]int{"m": 8}}))
	require.Equal(t, listed(t, "hotline synth"), printed(t, whole, fallen.String()))
}

// wholeWork returns a Work in which every count is set.
func wholeWork() (w timing.Work) {
	v := reflect.ValueOf(&w).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Interface:
			f.Set(reflect.ValueOf(map[string]int{"own": 1}))
		default:
			f.SetInt(1)
		}
	}
	return w
}

// reproducedJSON returns the output of hotline reproduce, and an output with all possible keys.
func reproducedJSON(t *testing.T) []string {
	code, out, stderr := hotline("reproduce", "cdlrm/figure-1b", "cdlrm/table-1a", "fae/table-9", "--fresh", "--json")
	require.Zero(t, code, stderr)
	var w strings.Builder
	x := 1.
	require.NoError(t, printJSON(&w, reproduced{Constants: map[string]float64{"dispatch_us": 1}, Reproduction: &papers.Reproduction{
		Rows:       []papers.Row{{Record: papers.Record{Unit: "x", Rule: "x", NotRun: "x", Long: true}, Low: &x, High: &x, Depends: []timing.Dependence{{}}, Text: "x", Note: "x", Factor: &x}},
		Papers:     []papers.Paper{{Cause: &papers.Cause{Software: "x", To: "x", Constant: "x", Value: 1}}},
		Statistics: papers.Statistics{Counts: []papers.Count{{}}, Trivial: []papers.Trivial{{}}, Placebo: []papers.Placebo{{}}, Coverage: []papers.Coverage{{}}},
	}}))
	return []string{out, w.String()}
}

// TestFiguresOfARun: the JSON output contains the parameters of the run and the results of each
// mini-batch.
func TestFiguresOfARun(t *testing.T) {
	got := figures(t, "--config", tiny, "--gpus", "1", "--batches", "4", "--seed", "9")
	require.Equal(t, "hotline.experiment/2", got["schema"])
	require.Equal(t, version(), got["version"])
	require.Equal(t, map[string]any{"kind": "generated"}, got["data_source"])
	configuration := got["configuration"].(map[string]any)
	require.Equal(t, map[string]any{
		"gpus": 1., "batch": 32., "batches": 4., "learn_share": 0.5, "relearn": 3., "seed": 9., "nodes": 1., "machine": "v100", "profile": "hotline-2024-a",
		"epochs": 1., "shuffle": 0., "held_out": 0., "split": "last", "patience": 0.,
	}, configuration["training"])
	require.Equal(t, 1.0, configuration["data"].(map[string]any)["context_zipf"])
	require.Equal(t, 583.0, configuration["data"].(map[string]any)["rows"].(map[string]any)["C2"], "a default")
	require.Equal(t, 36.1, got["constants"].(map[string]any)["pageable_table_us"])
	require.Equal(t, map[string]any{"name": "C9", "rows": 3., "lookups": 3.}, got["tables"].([]any)[8])

	got = figures(t, "--config", tiny, "--data", "criteo:"+clicks)
	require.Equal(t, map[string]any{"kind": "criteo", "path": clicks}, got["data_source"])
	configuration = got["configuration"].(map[string]any)
	require.NotContains(t, configuration, "data", "nothing was generated")
	require.Equal(t, 3.0, configuration["training"].(map[string]any)["batches"], "as many as there were")
	inputs := []float64{}
	for _, m := range systemOf(got, 1)["series"].([]any) {
		inputs = append(inputs, m.(map[string]any)["inputs"].(float64))
	}
	require.Equal(t, []float64{32, 32, 6}, inputs)
}
