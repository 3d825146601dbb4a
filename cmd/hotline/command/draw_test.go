package command

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
)

func TestDraw(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dispatch.svg")
	code, stdout, stderr := hotline("draw", "--block", "dispatch", "--out", file)
	require.Zero(t, code, stderr)
	require.Empty(t, stdout)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), ">memory_controller<")

	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"draw"}, "--out FILE is expected; see 'hotline draw --help'"},
		{[]string{"draw", "--out", file, "--block", "gpu"}, `--block is "gpu"; there is no such module`},
	} {
		code, _, stderr := hotline(c.args...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, c.want)
	}
}

// TestPictureOfTheReference: docs/reference/hotline.svg is the picture of today's accelerator. As a
// control, another configuration has another picture.
func TestPictureOfTheReference(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hotline.svg")
	code, _, stderr := hotline("draw", "--out", file)
	require.Zero(t, code, stderr)
	kept := contents(t, "../../../docs/reference/hotline.svg")
	require.Equal(t, contents(t, file), kept, "stale: go run ./cmd/hotline draw --out docs/reference/hotline.svg")
	require.Contains(t, kept, `viewBox="0 0 420 `) // narrow enough for a phone

	code, _, stderr = hotline("draw", "--config", tiny, "--out", file)
	require.Zero(t, code, stderr)
	require.NotEqual(t, contents(t, file), kept)
}

// TestNamesOfThePaper: each block of the reference has its Go package, and the name of the paper
// unless the paper has no such block.
func TestNamesOfThePaper(t *testing.T) {
	svg := contents(t, "../../../docs/reference/hotline.svg")
	d, err := hw.Elaborate(top.Hotline{Params: arch.Small()})
	require.NoError(t, err)
	blocks := regexp.MustCompile(`class="name"[^>]*>(\w+)</text>\n((?:<text class="soft".*\n)*)`).FindAllStringSubmatch(svg, -1)
	require.Len(t, blocks, len(d.Top.Body.Insts)+1)
	var without []string
	for _, b := range blocks[1:] { // the first is the whole
		require.Regexp(t, `>hw/(hotline|lib)/\w+</text>`, b[2], b[1])
		if !regexp.MustCompile(`>(Figure|Table) \w+</text>`).MatchString(b[2]) {
			without = append(without, b[1])
		}
	}
	require.ElementsMatch(t, []string{"csr_slave", "irq_line", "soft_reset", "read_merge", "write_merge", "write_sum"}, without)
}

// TestDrawTiming: the diagram of a dump contains its signals. Wrong requests are errors.
func TestDrawTiming(t *testing.T) {
	dir := t.TempDir()
	dump, out := filepath.Join(dir, "run.vcd"), filepath.Join(dir, "run.svg")
	require.NoError(t, os.WriteFile(dump, []byte(`$scope module top $end
$var wire 1 ! clk $end
$var wire 1 " go $end
$scope module part $end
$var reg 8 # count [7:0] $end
$upscope $end
$upscope $end
$enddefinitions $end
#0 1! 0" b0 # #5 0!
#10 1! 1" b101010 # #15 0!
#20 1! 0" #25 0!
`), 0o644))
	code, _, stderr := hotline("draw", "--vcd", dump, "--signals", "go,part.count", "--to", "3", "--out", out)
	require.Zero(t, code, stderr)
	svg := contents(t, out)
	for _, want := range []string{">go<", ">part<", ">count<", "<title>count: 2a</title>", "Cycles 0 to 2"} {
		require.Contains(t, svg, want)
	}
	code, stdout, stderr := hotline("draw", "--vcd", dump)
	require.Zero(t, code, stderr)
	require.Equal(t, "clk\ngo\npart.count 8 bits\n", stdout)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--signals", "go"}, "--signals needs --vcd FILE"},
		{[]string{"--vcd", dump}, "--signals PATHS is expected"},
		{[]string{"--vcd", dump, "--signals", "go", "--block", "isa"}, "--vcd and --block are both there; expected one of them"},
		{[]string{"--vcd", dump, "--signals", "stop"}, `wave: no signal "stop"`},
		{[]string{"--vcd", dump, "--signals", "go", "--clock", "clock"}, `run.vcd: line 8: no clock "clock"`},
		{[]string{"--vcd", dump, "--signals", "go", "--from", "2", "--to", "2"}, "--from 2 is not before --to 2"},
		{[]string{"--vcd", dump, "--signals", "go", "--to", "4"}, "ends before cycle 3"},
		{[]string{"--vcd", dump + "x", "--signals", "go"}, "no such file"},
	} {
		code, _, stderr := hotline(append([]string{"draw", "--out", out}, c.args...)...)
		require.Equal(t, exitUsage, code, c.args)
		require.Contains(t, stderr, c.want)
	}
}
