package asm_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/accel"
	"github.com/hotline-rtl/hotline/host/asm"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// run runs a program on a machine with two GPUs.
func run(t *testing.T, text string) (*asm.Result, error) {
	return runOn(t, server.DefaultConfig(), text)
}

func runOn(t *testing.T, cfg server.Config, text string) (*asm.Result, error) {
	p, err := asm.Parse("x.s", text)
	require.NoError(t, err)
	cfg.GPUs = 2
	s, err := server.New(cfg)
	require.NoError(t, err)
	a, err := accel.New(s.Kernel, arch.Small(), cfg.Period, cfg.Endpoint)
	require.NoError(t, err)
	dev, err := s.Insert(a)
	require.NoError(t, err)
	return p.Run(s, dev)
}

// floats are the words of a label.
func floats(r *asm.Result, name string) []float32 {
	i := slices.IndexFunc(r.Memory, func(w asm.Words) bool { return w.Name == name })
	var list []float32
	for _, v := range r.Memory[i].Words {
		list = append(list, math.Float32frombits(v))
	}
	return list
}

// The programs of the examples: what they show, and that those commands end with an
// error of which their comments say so, and no others.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/programs/*.s")
	require.NoError(t, err)
	used := map[string]bool{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			r, err := run(t, string(text))
			require.NoError(t, err)
			lines := strings.Split(string(text), "\n")
			for _, c := range r.Commands {
				refused := strings.Contains(lines[c.Line-1], "; refused")
				require.Equal(t, refused, c.Status != 0, "%s: %s", c.Text, c.Outcome)
				require.Positive(t, c.Cycles)
				require.Positive(t, c.ToCard)
				require.Positive(t, c.FromCard)
				word, _, _ := strings.Cut(c.Text, " ")
				used[word] = true
			}
			for name, want := range map[string]map[string][]float32{
				"dma_rd.s": {"out": {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0}},
				"dma_wr.s": {"host": {1, 2, 3, 4}, "far": {-1, -2, -3, -4}},
				"v_add.s":  {"sum": {1.5, 2.25, 3.125, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1}},
				"v_mul.s":  {"out": {99.5, 99, 98.5, 98, 97.5, 97, 96.5, 96, 95.5, 95, 94.5, 94, 93.5, 93, 92.5, 92}},
				"gpu_rd.s": {"out": {111, 222, 333, 444}},
				"s_wr.s":   {},
			}[filepath.Base(file)] {
				require.Equal(t, want, floats(r, name))
			}
		})
	}
	for _, o := range arch.Opcodes[:6] {
		require.True(t, used[o.Name], "an example has %s", o.Name)
		require.FileExists(t, "../../examples/programs/"+o.Name+".s")
	}
}

// The program of docs/programs.md sums two rows.
func TestProgramOfTheDocument(t *testing.T) {
	document, err := os.ReadFile("../../docs/programs.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(document), "```\n")
	text, _, _ := strings.Cut(rest, "```")
	r, err := run(t, text)
	require.NoError(t, err)
	require.Equal(t, []float32{1, 2, 3, 4}, floats(r, "sum"))
}

// Bytes of commands, as the document says: a row counts for the command behind its
// read.
func TestBytes(t *testing.T) {
	const doorbell, fetch, entry, completion, interrupt = 24, 24, 12 + 64 + 8, 16 + 32 + 8, 12 + 4 + 8
	const read, row = 24, 12 + 64 + 8
	r, err := run(t, "a: .zero 64\n s_wr row_log2, 6\n fence\n dma_rd a, 64\n fence\n fence")
	require.NoError(t, err)
	var got [][2]uint64
	for _, c := range r.Commands[1:] {
		got = append(got, [2]uint64{c.ToCard, c.FromCard})
	}
	const seen = doorbell // a write of another register
	const down, up = seen + doorbell + entry, fetch + completion + interrupt
	require.Equal(t, [][2]uint64{{down, up}, {down, up + read}, {down + row, up}, {down, up}}, got)
	require.Greater(t, r.Commands[0].ToCard, uint64(down), "and the setting up of the rings")
}

// A completion entry may overtake the vector on its way to a GPU; what is shown has
// it all the same.
func TestFarGPU(t *testing.T) {
	cfg := server.DefaultConfig()
	cfg.GPULink.LatencyDown = 50 * node.Microsecond
	r, err := runOn(t, cfg, "row: .float 7\n.zero 60\n.gpu 0\nfar: .zero 64\n s_wr row_log2, 6\n dma_rd row, 64\n v_add load\n dma_wr far, 64\n.show far, 1")
	require.NoError(t, err)
	require.Equal(t, []float32{7}, floats(r, "far"))
}

func TestPrint(t *testing.T) {
	r, err := run(t, "a: .float 0.5, 2\n s_wr row_log2,   6 ; rows\n v_add\n.show a, 2")
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, r.Print(&b))
	require.Regexp(t, regexp.MustCompile(`(?s)^ line +command +value 0 +value 1 +cycles +time +to card +from card +outcome
    2  s_wr row_log2, 6 .* ok
    3  v_add .* no row is ahead
a: 0.5 2
$`), b.String())
}

func TestRunMistakes(t *testing.T) {
	_, err := run(t, ".gpu 2\na: .float 1")
	require.EqualError(t, err, "asm: data for GPU 2, but the machine has 2 GPUs")
	s, err := server.New(server.DefaultConfig())
	require.NoError(t, err)
	a, err := accel.New(s.Kernel, arch.Small(), s.Config.Period, s.Config.Endpoint)
	require.NoError(t, err)
	dev, err := s.Insert(a)
	require.NoError(t, err)
	s.Host.Alloc("something", 1)
	p, err := asm.Parse("x.s", "fence")
	require.NoError(t, err)
	_, err = p.Run(s, dev)
	require.EqualError(t, err, "asm: data are at 0x100001000, expected 0x100000000: the memory was used before")
}
