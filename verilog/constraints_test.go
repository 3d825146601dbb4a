package verilog

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen"
	"github.com/hotline-rtl/hotline/gen/tools"
)

// shell returns a netlist with the ports of the top module and a flip-flop at each bit, because
// OpenSTA reads netlists only. The cells are from the test library of gen/synth.
func shell(t *testing.T, dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, gen.ManifestName))
	require.NoError(t, err)
	var m gen.Manifest
	require.NoError(t, json.Unmarshal(text, &m))
	top := m.Modules[len(m.Modules)-1]
	require.Equal(t, m.Top, top.Name)
	var heads, body []string
	for _, p := range top.Ports {
		head := p.Direction + " "
		if p.Width > 1 {
			head += fmt.Sprintf("[%d:0] ", p.Width-1)
		}
		heads = append(heads, head+p.Name)
		for i := range p.Width {
			bit, cell := p.Name, fmt.Sprintf("%s_%d", p.Name, i)
			if p.Width > 1 {
				bit = fmt.Sprintf("%s[%d]", p.Name, i)
			}
			pins := fmt.Sprintf(".D(%s), .Q(q_%s)", bit, cell)
			if p.Direction == "output" {
				pins = fmt.Sprintf(".D(%s), .Q(%[1]s)", bit)
			}
			if p.Name != "clk" {
				body = append(body, fmt.Sprintf("  DFF r_%s (.CK(clk), %s);\n", cell, pins))
			}
		}
	}
	return "module " + m.Top + " (" + strings.Join(heads, ", ") + ");\n" + strings.Join(body, "") + "endmodule\n"
}

// sta returns OpenSTA's output for constraints: its messages, missing constraints, the period, and
// the worst slacks of paths from inputs and to outputs.
func sta(t *testing.T, netlist, sdc string) string {
	tools.Need(t, "sta")
	dir := t.TempDir()
	cells, err := os.ReadFile("../gen/synth/testdata/cells.lib")
	require.NoError(t, err)
	script := `read_liberty cells.lib
read_verilog shell.v
link_design hotline
read_sdc hotline.sdc
check_setup -verbose
puts "period [get_property [get_clocks clk] period]"
puts "in [get_property [lindex [find_timing_paths -from [all_inputs]] 0] slack]"
puts "out [get_property [lindex [find_timing_paths -to [all_outputs]] 0] slack]"
`
	for name, text := range map[string]string{"cells.lib": string(cells), "shell.v": netlist, "hotline.sdc": sdc, "script.tcl": script} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	cmd := exec.Command("sta", "-no_splash", "-no_init", "-exit", "script.tcl")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// TestConstraintsInOpenSTA: OpenSTA accepts the constraints of the shipped configurations without
// messages, and no port lacks a constraint. At 350 MHz, 0.6 of the period is available inside the
// ports.
func TestConstraintsInOpenSTA(t *testing.T) {
	const want = "period 2.857000\nin 1.664000e+00\nout 1.414000e+00\n"
	for _, dir := range []string{"small", "paper"} {
		text, err := os.ReadFile(filepath.Join(dir, "hotline.sdc"))
		require.NoError(t, err)
		netlist, sdc := shell(t, dir), string(text)
		require.Equal(t, want, sta(t, netlist, sdc))
		for _, fault := range [][2]string{
			{"set_input_delay -clock clk 1.143 [get_ports rst]\n", ""},
			{"set_output_delay -clock clk 1.143 [get_ports irq_req]\n", ""},
			{"get_ports clk", "get_ports clock"},
			{"{m_axis_read_desc_tag[*]}", "{m_axis_read_desc_tags[*]}"},
			{"-period 2.857", "-period 2.875"},
		} {
			require.Equal(t, 1, strings.Count(sdc, fault[0]))
			require.NotEqual(t, want, sta(t, netlist, strings.Replace(sdc, fault[0], fault[1], 1)), fault[0])
		}
	}
}
