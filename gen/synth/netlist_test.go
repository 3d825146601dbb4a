package synth

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
)

// cellModels are Verilog models of the test cells.
const cellModels = `
module INV(input A, output Y); assign Y = !A; endmodule
module BUF(input A, output Y); assign Y = A; endmodule
module BUF4(input A, output Y); assign Y = A; endmodule
module NAND2(input A, input B, output Y); assign Y = !(A & B); endmodule
module NOR2(input A, input B, output Y); assign Y = !(A | B); endmodule
module TIE0(output Y); assign Y = 0; endmodule
module TIE1(output Y); assign Y = 1; endmodule
module DFF(input CK, input D, output reg Q); always @(posedge CK) Q <= D; endmodule
`

// model returns the Verilog model of a macro.
func (m macro) model() string {
	waddr := map[bool]string{true: "waddr", false: "addr"}[m.dual]
	return fmt.Sprintf(`
module %s(input clk, input re, input we, input [%[2]d:0] addr, input [%[2]d:0] waddr, input [%[3]d:0] wdata, output reg [%[3]d:0] rdata);
  reg [%[3]d:0] words [0:%[4]d];
  always @(posedge clk) begin
    if (re) rdata <= words[addr];
    if (we) words[%[5]s] <= wdata;
  end
endmodule
`, m.name(), m.inputs()[2].width-1, m.width-1, m.words-1, waddr)
}

// TestNetlist: the mapped netlist behaves like the Verilog, with macros, their resets, nested
// blocks and buffers.
func TestNetlist(t *testing.T) {
	small := limits{largest: 10, least: 1}
	t.Run("toggle", func(t *testing.T) { simulate(t, toggle{}, Options{}) })
	t.Run("crowd", func(t *testing.T) { simulate(t, crowd{}, Options{cut: small}) })
	t.Run("wide memory", func(t *testing.T) { simulate(t, store{64, 160}, Options{}, macro{64, 80, true}) })
	t.Run("one port", func(t *testing.T) { simulate(t, pad{}, Options{}, macro{64, 32, false}) })
	t.Run("odd memory", func(t *testing.T) { simulate(t, store{40, 32}, Options{}, macro{40, 32, true}) })
	t.Run("memory of flip-flops", func(t *testing.T) { simulate(t, store{8, 16}, Options{}) })
}

// simulate compares the Verilog of a module with its netlist on random inputs.
func simulate[P any](t *testing.T, g hw.Generator[P], opt Options, macros ...macro) {
	tools.Need(t, "yosys", "iverilog", "vvp")
	blocks := mapModule(t, g, opt)
	whole := blocks[len(blocks)-1]
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	files, err := verilog.Generate(d)
	require.NoError(t, err)

	var text strings.Builder
	text.WriteString("`default_nettype wire\n" + cellModels)
	for _, m := range macros {
		text.WriteString(m.model())
	}
	for _, b := range whole.within() {
		b.mapped.write(&text, b.analysed, b.mapped.all())
	}
	text.WriteString(bench(whole))
	dir := t.TempDir()
	paths := []string{"-g2012", "-s", "bench", "-o", filepath.Join(dir, "bench")}
	for _, f := range append(files, verilog.File{Name: "bench.v", Text: text.String()}) {
		paths = append(paths, filepath.Join(dir, f.Name))
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o600))
	}
	out, err := exec.Command("iverilog", paths...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command("vvp", "-n", filepath.Join(dir, "bench")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "same\n", string(out))
}

// bench returns a test bench that compares the outputs in 3000 cycles. It starts when each register
// has a value and each word has been written.
func bench(b *Block) string {
	var declared, rtl, netlist, random, same []string
	for i, name := range eda.Sorted(b.mapped.Ports) {
		p := b.mapped.Ports[name]
		for j := range p.Bits {
			wire := fmt.Sprintf("%s[%d]", name, j)
			if p.Direction == "output" {
				wire = "netlist_" + wire
			}
			netlist = append(netlist, fmt.Sprintf(".%s(%s)", portName(i, j), wire))
		}
		rtl = append(rtl, fmt.Sprintf(".%s(%[1]s)", name))
		declared = append(declared, fmt.Sprintf("  %s [%d:0] %s;", map[string]string{"input": "reg", "output": "wire"}[p.Direction], len(p.Bits)-1, name))
		switch {
		case p.Direction == "output":
			declared = append(declared, fmt.Sprintf("  wire [%d:0] netlist_%s;", len(p.Bits)-1, name))
			same = append(same, fmt.Sprintf("%s === netlist_%[1]s", name))
		case name == "rst":
			random = append(random, "rst = cycle < 2 || $urandom % 8 == 0;")
		case name != "clk":
			random = append(random, name+" = {8{$urandom}};")
		}
	}
	return fmt.Sprintf(`
module bench;
%s
  integer cycle;
  %s rtl (%s);
  %s netlist (%s);
  initial begin
    for (cycle = 0; cycle < 4000; cycle = cycle + 1) begin
      clk = 0;
      %s
      #1;
      if (cycle >= 1000 && !(%s)) begin $display("cycle %%0d differs", cycle); $finish; end
      clk = 1;
      #1;
    end
    $display("same");
  end
endmodule
`, strings.Join(declared, "\n"), b.Name, strings.Join(rtl, ", "), b.analysed, strings.Join(netlist, ", "), strings.Join(random, " "), strings.Join(same, " && "))
}
