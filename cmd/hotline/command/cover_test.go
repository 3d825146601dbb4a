package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/sim/cover"
)

// coverTraining returns the coverage of a training, and writes it to a file.
func coverTraining(t *testing.T, file string) *cover.Record {
	t.Helper()
	code, stdout, stderr := hotline("cosim", "--config", tiny, "--batches", "1", "--engine", "interp", "--json", "--cover", file)
	require.Zero(t, code, stderr)
	var ran struct {
		Accelerator struct {
			Active uint64 `json:"cycles_simulated"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &ran))
	trained, err := cover.Load(file)
	require.NoError(t, err)
	require.Greater(t, trained.Cycles, ran.Accelerator.Active, "those that passed at once count, too")
	return trained
}

// TestCoverOfTraining merges the record of a training with itself.
func TestCoverOfTraining(t *testing.T) {
	file := filepath.Join(t.TempDir(), "training.json")
	trained := coverTraining(t, file)
	code, stdout, stderr := hotline("cover", file, file)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "Coverage of hotline: 2 runs, "+strconv.FormatUint(2*trained.Cycles, 10)+" cycles.\n")
}

// TestCover records the coverage of two verifications and a training, and merges the records.
func TestCover(t *testing.T) {
	tools.Need(t, "verilator", "make", "g++")
	dir := t.TempDir()
	one, two, both := filepath.Join(dir, "one.json"), filepath.Join(dir, "two.json"), filepath.Join(dir, "both.json")
	training := filepath.Join(dir, "training.json")
	trained := coverTraining(t, training)
	code, stdout, stderr := hotline("verify", "--config", tiny, "--cycles", "100", "--engine", "interp", "--cover", one)
	require.Zero(t, code, stderr)
	require.Equal(t, "random    100 cycles, 25 outputs, 0 differences\nrecorded  100 cycles, 25 outputs, 0 differences\n", stdout)
	code, _, stderr = hotline("verify", "--config", tiny, "--cycles", "3000", "--stimulus", "recorded", "--engine", "interp", "--cover", two)
	require.Zero(t, code, stderr)

	code, stdout, stderr = hotline("cover", one, two, training, "--out", both)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "Coverage of hotline: 4 runs, "+strconv.FormatUint(3200+trained.Cycles, 10)+" cycles.\n\n| module | bits that rose and fell | values | conditions |\n")
	require.Contains(t, stdout, "\nNever, in no instance:\n\naddress_registers")
	first, err := cover.Load(one)
	require.NoError(t, err)
	all, err := cover.Load(both)
	require.NoError(t, err)
	_, a := first.Modules()
	_, b := all.Modules()
	require.Greater(t, b.Bits.Seen, a.Bits.Seen)
	require.Positive(t, a.Values.Seen)
	require.Positive(t, b.Conditions.Of)

	text, err := os.ReadFile(two)
	require.NoError(t, err)
	text = regexp.MustCompile(`"hash": *"\w+"`).ReplaceAll(text, []byte(`"hash":"0123"`))
	require.NoError(t, os.WriteFile(two, text, 0o644))
	code, _, stderr = hotline("cover", one, two)
	require.Equal(t, 2, code)
	require.Regexp(t, `two.json: records of two designs, hotline \(\w+\) and hotline \(0123\), cannot be merged\n$`, stderr)
}
