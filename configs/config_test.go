package configs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

func TestShippedConfigurations(t *testing.T) {
	require.Equal(t, arch.Small(), *configs.Small().Accelerator)
	require.Equal(t, arch.Paper(), *configs.Paper().Accelerator)
	require.Equal(t, "small", configs.Small().Name)
	c, err := configs.Load("hotline.hcl")
	require.NoError(t, err)
	require.Equal(t, configs.Paper(), c)
	require.Positive(t, c.Period())
}

// edited is small.hcl with one text replaced by another.
func edited(t *testing.T, old, new string) string {
	text, err := os.ReadFile("small.hcl")
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), old), "%q must occur once", old)
	return strings.Replace(string(text), old, new, 1)
}

func TestMistakesAreLocated(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"unknown attribute", "  engines       = 8 ", "  enginse = 8\n  engines       = 8 ",
			`x.hcl:7: Unsupported argument: An argument named "enginse" is not expected here; expected one of alus, banks, blocks, cache, edram_words, engines, gpus, queue_depth, slots, stream_bits, tables, tag_bits, tags, vector_values, ways, window.`},
		{"missing attribute", "  dim           = 16\n", "",
			`x.hcl:25: Missing required argument: The argument "dim" is required, but no definition was found.`},
		{"wrong type", "clock_mhz = 350", `clock_mhz = "fast"`,
			`x.hcl:4: Unsuitable value type: Unsuitable value: a number is required`},
		{"unknown block", "data {", "dota {}\ndata {",
			`x.hcl:44: Unsupported block type: Blocks of type "dota" are not expected here. Did you mean "data"?`},
		{"syntax", "model {", "model {{",
			`x.hcl:25: Argument or block definition required: An argument or block definition is required here.`},
		{"not a power of two", "  banks         = 8 ", "  banks         = 6 ",
			"x.hcl:8: banks is 6; it must be a power of two from 4 to 256"},
		{"too many GPUs", "  gpus        = 4", "  gpus        = 5",
			"x.hcl:33: gpus is 5; expected 1 to 4"},
		{"dimension", "  dim           = 16", "  dim           = 24",
			"x.hcl:26: dim is 24; expected a power of two from 4 (a beat of the stream) to 128 (the vector buffer)"},
		{"a table with zero rows", "data {", "data {\n  rows = { C3 = 0 }",
			"x.hcl:45: table C3 has 0 rows; expected at least 1"},
		{"unknown table", "data {", "data {\n  rows = { D3 = 10 }",
			`x.hcl:45: there is no table "D3"; the generator has C1 to C26`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := configs.Parse("x.hcl", []byte(edited(t, c.old, c.new)))
			require.EqualError(t, err, c.want)
		})
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	text := strings.Replace(edited(t, "  banks         = 8 ", "  banks         = 6 "), "learning_rate = 0.1", "learning_rate = 0", 1)
	_, err := configs.Parse("x.hcl", []byte(text))
	require.EqualError(t, err, "x.hcl:8: banks is 6; it must be a power of two from 4 to 256\nx.hcl:29: learning_rate is 0; expected above 0")
}

func TestMissingFile(t *testing.T) {
	_, err := configs.Load(filepath.Join(t.TempDir(), "none.hcl"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
