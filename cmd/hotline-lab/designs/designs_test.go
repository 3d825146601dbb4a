package designs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// folder returns a folder with a small design in place of a checkout, and its description.
func folder(t *testing.T, clock string) (string, Description) {
	dir := t.TempDir()
	text := "module toggle #(parameter STEP = 1) (input Clk, input rst_n, output reg [7:0] q);\n" +
		"always @(posedge Clk) if (!rst_n) q <= 0; else q <= q + STEP;\nendmodule\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "toggle.v"), []byte(text), 0o600))
	list, err := parse("x.hcl", []byte(`
design "toggle" {
  source     = "nowhere"
  files      = ["toggle.v"]
  parameters = { STEP = 3 }
  clock      = "`+clock+`"
  reset      = "rst_n"
  low        = true
}
`))
	require.NoError(t, err)
	return dir, list[0]
}

func TestRow(t *testing.T) {
	tools.Need(t, "yosys", "verilator", "make", "g++")
	dir, d := folder(t, "Clk")
	var out strings.Builder
	same, err := Settings{Dir: dir, Cycles: 5000, Seed: 1}.row(t.Context(), &out, d)
	require.NoError(t, err)
	require.True(t, same)
	require.Equal(t, "| `toggle` | 1 | 1 | 1 | 5000 | 0 | 100 | 0 |\n", out.String())
}

// TestMistakes: a wrong clock, a missing file and an unknown attribute are errors.
func TestMistakes(t *testing.T) {
	tools.Need(t, "yosys")
	dir, d := folder(t, "clock")
	_, err := d.load(t.Context(), dir, t.TempDir())
	require.EqualError(t, err, "clock is not a clock of the design")
	_, err = d.load(t.Context(), t.TempDir(), t.TempDir())
	require.ErrorContains(t, err, "no such file or directory; nowhere has it")
	_, err = parse("x.hcl", []byte("design \"d\" {\n  fils = 1\n}\n"))
	require.ErrorContains(t, err, "x.hcl:2: ")
	_, err = Settings{Only: []string{"none"}}.Run(t.Context(), nil)
	require.EqualError(t, err, `no design "none" in public.hcl`)
}

// TestPublic: the shipped descriptions can be read, and their benches exist.
func TestPublic(t *testing.T) {
	list, err := Public()
	require.NoError(t, err)
	require.Greater(t, len(list), 8)
	for _, d := range list {
		if d.Bench != "" {
			_, err := shipped.ReadFile(d.Bench)
			require.NoError(t, err)
		}
	}
}
