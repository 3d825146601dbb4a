package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen"
	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestFilesOfIntegration: the table names exactly the generated files.
func TestFilesOfIntegration(t *testing.T) {
	files, err := gen.Render(elaborated(t, arch.Small(), "hotline"), gen.Options{List: "hotline.f", MHz: 350})
	require.NoError(t, err)
	var got []string
	for _, f := range files {
		name := regexp.MustCompile(`^\w+\.v$`).ReplaceAllString(f.Name, "*.v")
		if !slices.Contains(got, name) {
			got = append(got, name)
		}
	}
	var want []string
	_, table, _ := strings.Cut(read(t, "how-to/integration.md"), "\n| file | |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, row := range strings.Split(table, "\n") {
		want = append(want, name(t, row))
	}
	require.Equal(t, want, got)
}

// TestMemoriesOfIntegration: each memory of style block is the only memory in a module of one of
// two kinds.
func TestMemoriesOfIntegration(t *testing.T) {
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		d := elaborated(t, p, "hotline")
		files, err := verilog.Generate(d)
		require.NoError(t, err)
		large := 0
		for _, f := range files {
			if !slices.ContainsFunc(f.Memories, func(m *ir.Mem) bool { return m.Style == "block" }) {
				continue
			}
			large++
			require.Regexp(t, `^(ram|simple_dual)[_.]`, f.Name)
			require.Len(t, f.Memories, 1)
			require.Empty(t, f.Modules[0].Body.Insts)
		}
		require.Equal(t, 4, large)
	}
}

// against compares a module with the generated module, whose name ends in _own, in all cases in
// which the read value is defined.
const against = `
module sram_2048x32 (input wire clk, ce, we, input wire [10:0] a, input wire [31:0] d, output reg [31:0] q);
  reg [31:0] cells [0:2047];
  always @(posedge clk) if (ce) begin
    if (we) cells[a] <= d; else q <= cells[a];
  end
endmodule

module against;
  reg clk = 0, en, we, known = 0;
  reg [10:0] addr;
  reg [31:0] wdata;
  wire [31:0] one, other;
  integer n, wrong = 0;
  ram macro (.clk(clk), .en(en), .we(we), .addr(addr), .wdata(wdata), .rdata(one));
  ram_own own (.clk(clk), .en(en), .we(we), .addr(addr), .wdata(wdata), .rdata(other));
  initial begin
    for (n = 0; n < 8000; n = n + 1) begin
      en = n < 2048 || ($random & 1); we = n < 2048 || ($random & 1); addr = n < 2048 ? n : $random; wdata = $random;
      #1 clk = 1; #1 clk = 0;
      known = known || en && !we;
      if (known && one !== other) wrong = wrong + 1;
    end
    $display("wrong %0d", wrong);
  end
endmodule
`

// TestMacroOfIntegration: the module around a macro behaves like the generated module, and the
// whole design elaborates with it.
func TestMacroOfIntegration(t *testing.T) {
	tools.Need(t, "iverilog", "vvp")
	dir := t.TempDir()
	require.NoError(t, gen.Write(dir, elaborated(t, arch.Small(), "hotline"), gen.Options{List: "hotline.f"}))
	path := filepath.Join(dir, "ram.v")
	own, err := os.ReadFile(path)
	require.NoError(t, err)
	macro := integrationBlock(t, "verilog")
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	write("own.v", strings.Replace(string(own), "module ram", "module ram_own", 1))
	write("against.v", against)
	for _, c := range []struct{ text, want string }{
		{macro, "^wrong 0\n"},
		{strings.Replace(macro, ".ce(en)", ".ce(1'b1)", 1), "^wrong [1-9]"},
	} {
		write("ram.v", c.text)
		run("iverilog", "-g2005", "-s", "against", "-o", "against", "against.v", "own.v", "ram.v")
		require.Regexp(t, c.want, run("vvp", "against"))
	}
	write("ram.v", macro)
	require.Empty(t, run("iverilog", "-g2005", "-s", "hotline", "-o", os.DevNull, "-f", "hotline.f", "against.v"))
}
