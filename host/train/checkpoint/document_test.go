package checkpoint_test

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
)

// header returns the header of a file, read independently.
func header(t *testing.T, path string) map[string]map[string]any {
	b := content(t, path)
	var h map[string]map[string]any
	require.NoError(t, json.Unmarshal(b[8:8+binary.LittleEndian.Uint64(b)], &h))
	return h
}

var numbered = strings.NewReplacer("bottom.", "PART.", "top.", "PART.", "inner.", "PART.", "attention.", "PART.", "head.", "PART.")

// described returns the keys and arrays of a file in the notation of docs/how-to/checkpoint.md.
func described(t *testing.T, path string) []string {
	h, names := header(t, path), map[string]bool{}
	for name, array := range h {
		if name == "__metadata__" {
			continue
		}
		name = regexp.MustCompile(`\.\d+\.`).ReplaceAllString(numbered.Replace(name), ".N.")
		require.Equal(t, name == "tables.N.index" || name == "sparse", array["dtype"] == "I64")
		names[name] = true
	}
	for key := range h["__metadata__"] {
		names[key] = true
	}
	var training map[string]any
	require.NoError(t, json.Unmarshal([]byte(h["__metadata__"]["training"].(string)), &training))
	for key := range training {
		names["training."+key] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// listed returns the list of a section of docs/how-to/checkpoint.md.
func listed(t *testing.T, section string) []string {
	_, text, ok := strings.Cut(string(content(t, "../../../docs/how-to/checkpoint.md")), "\n## "+section+"\n")
	require.True(t, ok)
	text, _, _ = strings.Cut(text, "\n## ")
	var list []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	slices.Sort(list)
	return list
}

// TestDocument: docs/how-to/checkpoint.md lists exactly the contents of the files.
func TestDocument(t *testing.T) {
	adam := newModel(dlrm.TBSM, dlrm.Adam)
	adam.Optimiser.WeightDecay, adam.Optimiser.Schedule = 0.1, dlrm.Schedule{WarmupSteps: 1, DecayStart: 2, DecaySteps: 3}
	models := []dlrm.Config{adam, newModel(dlrm.TBSM, dlrm.Momentum)}
	saved := listed(t, "Contents of a checkpoint")
	losses := func(of []float64) []string {
		return written(t, models, func(path string, s *train.State) error {
			require.NoError(t, checkpoint.Write(path, &checkpoint.Checkpoint{State: s, Batch: batch, MiniBatches: 1, Inputs: batch, Losses: of}))
			again, err := checkpoint.Read(path, s.Model, seed, batch)
			require.NoError(t, err)
			require.Equal(t, of, again.Losses)
			return nil
		})
	}
	require.Equal(t, saved, losses([]float64{0.5, 1. / 3}))
	require.Equal(t, slices.DeleteFunc(slices.Clone(saved), func(key string) bool { return key == "held_out_losses" }), losses(nil))
	want := listed(t, "Contents of an export") // has the settings of a checkpoint without training.batch
	for _, key := range saved {
		if strings.HasPrefix(key, "training.") && key != "training.batch" {
			want = append(want, key)
		}
	}
	slices.Sort(want)
	require.Equal(t, want, written(t, models, checkpoint.Export))

	want = listed(t, "Contents of exported inputs")
	for _, key := range saved {
		if strings.HasPrefix(key, "training.") {
			want = append(want, key)
		}
	}
	slices.Sort(want)
	require.Equal(t, want, written(t, models, func(path string, s *train.State) error {
		return checkpoint.ExportInputs(path, s, newBatches(t, s.Model, 1))
	}))
}

// written returns what is described of the files of some models.
func written(t *testing.T, models []dlrm.Config, write func(path string, s *train.State) error) (names []string) {
	for _, m := range models {
		path := filepath.Join(t.TempDir(), "file")
		require.NoError(t, write(path, initial(t, m)))
		names = append(names, described(t, path)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestExampleOfTheDocument: the document's Python example reads an export.
func TestExampleOfTheDocument(t *testing.T) {
	_, text, ok := strings.Cut(string(content(t, "../../../docs/how-to/checkpoint.md")), "\n```python\n")
	require.True(t, ok)
	text, _, _ = strings.Cut(text, "```")
	program := python(t)
	m := newModel(dlrm.DLRM, dlrm.SGD)
	dir := t.TempDir()
	require.NoError(t, checkpoint.Export(dir+"/model.safetensors", initial(t, m)))
	require.NoError(t, os.WriteFile(dir+"/read.py", []byte(text), 0o600))
	require.Equal(t, "torch.Size([2000, 8])\n[300, 2000, 20]\n", run(t, dir, program, "read.py"))
}
