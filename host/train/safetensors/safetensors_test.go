package safetensors_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/safetensors"
)

// example returns both types, an empty array, a NaN, and an array that is generated during writing.
func example() []safetensors.Tensor {
	return []safetensors.Tensor{
		safetensors.F32("weight", []int{2, 2}, []float32{1, -2, float32(math.Copysign(0, -1)), 1e-45}),
		safetensors.I64("index", []int{3}, []uint32{0, 7, 1<<32 - 1}),
		safetensors.F32("none", []int{0, 5}, nil),
		safetensors.F32Rows("rows", []int{3, 1}, slices.Values([][]float32{{1}, {2, 3}})),
	}
}

func written(t *testing.T) (path string, content []byte) {
	path = filepath.Join(t.TempDir(), "file.safetensors")
	require.NoError(t, safetensors.Write(path, map[string]string{"format": "test", "about": `"quoted"`}, example()))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return path, content
}

func TestRoundTrip(t *testing.T) {
	path, content := written(t)
	f, err := safetensors.Read(path)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"format": "test", "about": `"quoted"`}, f.Metadata)
	index, err := f.I64("index")
	require.NoError(t, err)
	require.Equal(t, []int64{0, 7, 1<<32 - 1}, index)
	weight, err := f.F32("weight", 2, 2)
	require.NoError(t, err)
	require.Equal(t, []float32{1, -2, 0, 1e-45}, weight)
	require.True(t, math.Signbit(float64(weight[2])), "the sign of a zero")
	none, err := f.F32("none", 0, 5)
	require.NoError(t, err)
	require.Empty(t, none)
	rows, err := f.F32("rows", 3, 1)
	require.NoError(t, err)
	require.Equal(t, []float32{1, 2, 3}, rows)

	_, again := written(t)
	require.Equal(t, content, again)
}

// TestFormat checks the format: the length of the header, JSON, and aligned arrays without gaps.
func TestFormat(t *testing.T) {
	_, content := written(t)
	n := 8 + int(binary.LittleEndian.Uint64(content))
	require.Zero(t, n%8)
	var header map[string]any
	require.NoError(t, json.Unmarshal(content[8:n], &header))
	metadata := header["__metadata__"].(map[string]any)
	require.Len(t, metadata["sha256"], 64)
	require.Equal(t, map[string]any{"dtype": "I64", "shape": []any{3.}, "data_offsets": []any{0., 24.}}, header["index"])
	require.Equal(t, map[string]any{"dtype": "F32", "shape": []any{2., 2.}, "data_offsets": []any{24., 40.}}, header["weight"])
	require.Equal(t, map[string]any{"dtype": "F32", "shape": []any{0., 5.}, "data_offsets": []any{40., 40.}}, header["none"])
	require.Len(t, content, n+52)
	require.Equal(t, []byte{7, 0, 0, 0, 0, 0, 0, 0}, content[n+8:n+16])
	require.Equal(t, []byte{0, 0, 0x80, 0x3f}, content[n+24:n+28])
}

// TestDamage: any changed bit, and any wrong length, is an error.
func TestDamage(t *testing.T) {
	path, content := written(t)
	refused := func(damaged []byte, what string, at int) {
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		_, err := safetensors.Read(path)
		require.ErrorContains(t, err, path+": ", "%s %d", what, at)
	}
	for i := range content {
		for bit := range 8 {
			damaged := slices.Clone(content)
			damaged[i] ^= 1 << bit
			refused(damaged, "bit", 8*i+bit)
		}
		refused(content[:i], "length", i)
	}
	refused(append(slices.Clone(content), 0), "length", len(content)+1)
}

func TestRefusals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for _, c := range []struct{ header, data, want string }{
		{`{"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}`, "..", `array "a" of type "F16" and shape [1], expected type F32 or I64`},
		{`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, "....", `array "a" of type "F32" and shape [-1], expected type F32 or I64`},
		{`{"a":{"dtype":"I64","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`, "", `shape [4611686018427387904 4], expected type`},
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, "....", `array "a" is at bytes 0 to 4, expected 8 bytes from 0 on`},
		{`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, "........", `array "a" is at bytes 4 to 8, expected 4 bytes from 0 on`},
		{`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, "...", "its arrays have 3 bytes, expected 4: the file is cut off or damaged"},
		{`{"a":7}`, "", `array "a": json: `},
		{`{"__metadata__":{"a":7}}`, "", "metadata of the header: json: "},
		{`{"__metadata__":{}}`, "", "no sha256 in its metadata: it was not written by this program"},
		{`[`, "", "the header is not JSON: "},
		{strings.Repeat(" ", 10), "", "the header is not JSON: "},
	} {
		text := binary.LittleEndian.AppendUint64(nil, uint64(len(c.header)))
		require.NoError(t, os.WriteFile(path, append(append(text, c.header...), c.data...), 0o600))
		_, err := safetensors.Read(path)
		require.ErrorContains(t, err, c.want)
	}
	require.NoError(t, os.WriteFile(path, binary.LittleEndian.AppendUint64(nil, math.MaxUint64), 0o600))
	_, err := safetensors.Read(path)
	require.EqualError(t, err, path+": a header of 18446744073709551615 bytes in a file of 8: it is not a safetensors file, or it is cut off")

	path, _ = written(t)
	f, err := safetensors.Read(path)
	require.NoError(t, err)
	_, err = f.F32("bias", 1)
	require.EqualError(t, err, path+`: there is no array "bias"`)
	_, err = f.F32("weight", 4)
	require.EqualError(t, err, path+`: array "weight" has shape [2 2], expected [4]`)
	_, err = f.F32("index", 3)
	require.EqualError(t, err, path+`: array "index" is of type I64, expected F32`)
	_, err = f.I64("weight")
	require.EqualError(t, err, path+`: array "weight" has shape [2 2], expected [0]`)
}

// TestWriteAllOrNothing: an incomplete write leaves an existing file unchanged.
func TestWriteAllOrNothing(t *testing.T) {
	path, content := written(t)
	err := safetensors.Write(path, nil, []safetensors.Tensor{safetensors.F32Rows("rows", []int{3}, slices.Values([][]float32{{1}, {2}}))})
	require.EqualError(t, err, `safetensors: array "rows" has 8 bytes, expected 12 for shape [3]`)
	err = safetensors.Write(path, nil, []safetensors.Tensor{safetensors.F32("a", []int{-1}, nil)})
	require.EqualError(t, err, `safetensors: array "a" has shape [-1], expected widths of 0 or more`)
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, content, got)
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Error(t, safetensors.Write(filepath.Join(path, "inside"), nil, nil))
}
