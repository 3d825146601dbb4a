package static_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
	"github.com/hotline-rtl/hotline/host/train/safetensors"
)

// TestFile: a written file is read again, and then only the first mini-batch of the inputs is read.
func TestFile(t *testing.T) {
	model, path := newModel(), filepath.Join(t.TempDir(), "x.fae")
	b := newBatches(t, model, 1000, 64)
	want, err := static.PrepareFile(path, b, model, options())
	require.NoError(t, err)
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	got, err := static.PrepareFile(path, b, model, options())
	require.NoError(t, err)
	require.Equal(t, want, got)
	plain, err := static.PrepareFile("", b, model, options())
	require.NoError(t, err)
	require.Equal(t, plain, got)
	require.NoError(t, os.Remove(path))
	_, err = static.PrepareFile(path, b, model, options())
	require.NoError(t, err)
	again, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, again, "same bytes")
}

// TestFileRefusals: a file that does not fit is refused.
func TestFileRefusals(t *testing.T) {
	model, path := newModel(), filepath.Join(t.TempDir(), "x.fae")
	b := newBatches(t, model, 1000, 64)
	_, err := static.PrepareFile(path, b, model, options())
	require.NoError(t, err)

	other := options()
	other.Budget++
	larger := newModel()
	larger.Tables[0].Rows++
	for name, c := range map[string]struct {
		b     *train.Batches
		model dlrm.Config
		o     static.Options
	}{
		"options": {b, model, other},
		"tables":  {newBatches(t, larger, 1000, 64), larger, options()},
		"inputs":  {newBatches(t, model, 1001, 64).From(1), model, options()},
		"rest":    {b.From(2), model, options()},
		"batch":   {newBatches(t, model, 1000, 63), model, options()},
		"clicks":  {otherClicks(t, b, model), model, options()},
	} {
		_, err = static.PrepareFile(path, c.b, c.model, c.o)
		require.ErrorContains(t, err, path+": it was made of {", name)
		require.ErrorContains(t, err, "remove it, or name another file", name)
	}

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, at := range []int{9, len(text) / 2, len(text) - 1} {
		damaged := append([]byte{}, text...)
		damaged[at] ^= 1
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		_, err = static.PrepareFile(path, b, model, options())
		require.ErrorContains(t, err, path+": ", at)
	}
	require.NoError(t, os.WriteFile(path, text[:len(text)-1], 0o600))
	_, err = static.PrepareFile(path, b, model, options())
	require.Error(t, err, "cut off")
}

// otherClicks returns different inputs with the same name, number and shape.
func otherClicks(t *testing.T, b *train.Batches, model dlrm.Config) *train.Batches {
	var batch dlrm.Batch
	for _, in := range inputsOf(t, b) {
		in.Label = 1 - in.Label
		batch.Append(in)
	}
	out, err := train.NewBatches(model, data.InMemory("test", data.Shape{Dense: model.Dense, Tables: model.Tables}, batch), 64, 0)
	require.NoError(t, err)
	return out
}

// TestForgedFiles: a file with a valid checksum but invalid contents is refused.
func TestForgedFiles(t *testing.T) {
	model, path := newModel(), filepath.Join(t.TempDir(), "x.fae")
	b := newBatches(t, model, 40, 64)
	_, err := static.PrepareFile(path, b, model, options())
	require.NoError(t, err)
	good, err := safetensors.Read(path)
	require.NoError(t, err)
	whole := map[string][]uint32{"hot_inputs": {1, 2}, "tables.0.hot": {}, "tables.1.hot": {0, 29}, "tables.2.hot": {3}}
	for _, c := range []struct {
		key, value string
		array      string
		numbers    []uint32
		want       string
	}{
		{},
		{key: "format", value: "hotline.fae/0", want: `the format is "hotline.fae/0", expected "hotline.fae/1"`},
		{key: "inputs", value: "65", want: `"65" inputs in 2 numbers of 32, expected as many as they have room for`},
		{key: "inputs", value: "-1", want: `"-1" inputs in 2 numbers of 32, expected as many as they have room for`},
		{key: "figures", value: "{", want: "figures: unexpected end of JSON input"},
		{array: "tables.1.hot", numbers: []uint32{30}, want: `array "tables.1.hot" has row 30, expected rows below 30 in order`},
		{array: "tables.2.hot", numbers: []uint32{5, 4}, want: `array "tables.2.hot" has row 4, expected rows below 1500 in order`},
		{array: "tables.2.hot", want: `there is no array "tables.2.hot"`},
	} {
		metadata := map[string]string{}
		for k, v := range good.Metadata {
			metadata[k] = v
		}
		if c.key != "" {
			metadata[c.key] = c.value
		}
		var tensors []safetensors.Tensor
		for _, name := range []string{"hot_inputs", "tables.0.hot", "tables.1.hot", "tables.2.hot"} {
			numbers := whole[name]
			if name == c.array {
				if numbers = c.numbers; numbers == nil {
					continue
				}
			}
			tensors = append(tensors, safetensors.I64(name, []int{len(numbers)}, numbers))
		}
		require.NoError(t, safetensors.Write(path, metadata, tensors))
		p, err := static.PrepareFile(path, b, model, options())
		if c.want != "" {
			require.EqualError(t, err, path+": "+c.want)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []any{3, int64(40), int64(2)}, []any{p.Hot.Len(), p.Inputs.Len(), p.Inputs.Popular()})
	}
}
