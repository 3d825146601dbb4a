package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/gen/synth"
	"github.com/hotline-rtl/hotline/gen/tools"
)

// cells is a small cell library for tests. In slowCells, a gate and a register take twice the time.
const (
	cells     = "../../../gen/synth/testdata/cells.lib"
	slowCells = "../../../gen/synth/testdata/cells_slow.lib"
)

// TestSynth requires Yosys and OpenSTA. The reset of the queues is one register, which keeps a
// request (hw/hotline/top/reset.go).
func TestSynth(t *testing.T) {
	tools.Need(t, "yosys", "sta")
	code, stdout, stderr := hotline("synth", "--block", "soft", "--liberty", cells, "--slow", slowCells)
	require.Zero(t, code, stderr)
	require.Regexp(t, `^mapped 1 of 1 blocks: soft_reset \(about 0s left\)\nanalysed 1 of 1 blocks: soft_reset, \d+ um2, \d+ MHz\n$`, stderr)
	require.Regexp(t, `(?s)^ +x +area um2 .* block\n +1 +\d+ +\d+ +0 +\d+ +\d+ +0\.0  soft_reset\n\nCritical paths, typical:\n`+
		`soft_reset: \d\.\d{3} ns, \d cells\n  from holding  top/\w+\.go:\d+\n  to   holding  top/\w+\.go:\d+\n$`, stdout)
}

// TestTableIV: the whole accelerator is compared with the paper's.
func TestTableIV(t *testing.T) {
	var w strings.Builder
	whole := &synth.Block{Name: "hotline", Instances: 1, LogicUM2: 3e6, MemoryUM2: 2e6, PowerMW: 123, Typical: &synth.Path{NS: 2}}
	require.NoError(t, synthFlags{}.print(&w, configs.Paper(), []*synth.Block{whole}))
	_, table, _ := strings.Cut(w.String(), "\n\nTable IV")
	require.Equal(t, `                     paper  paper
frequency, MHz               350    500 typical, - slow
total area, mm2              7.01   5.00
lookup engines               64     64
EAL, MB                      4      4
input eDRAM, MB              2.5    3.25
reducer ALUs                 16     16
embedding vector buffer, kB  0.5    0.5
power at 350 MHz, mW         -      123
`, table)
}

func TestSynthFPGA(t *testing.T) {
	tools.Need(t, "yosys")
	code, stdout, stderr := hotline("synth", "--block", "soft_reset", "--fpga", "ecp5")
	require.Zero(t, code, stderr)
	require.Regexp(t, `(?s)LUT4 +\d+\n.*TRELLIS_FF +1\nmemories of flip-flops  0\n$`, stdout)
}

func TestSynthWithoutYosys(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	code, stdout, stderr := hotline("synth", "--liberty", cells)
	require.Equal(t, exitOther, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "program \"yosys\" not found; install it or add it to PATH")
}
