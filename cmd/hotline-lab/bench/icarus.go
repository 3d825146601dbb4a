package bench

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

//go:embed runner.v.txt
var verilogRunner string

//go:embed cputime.c.txt
var cpuTime string

// buildIcarus compiles the Verilog of d for Icarus Verilog.
func (s Settings) buildIcarus(design string, d *ir.Design) (*program, error) {
	files, err := verilog.Generate(d)
	if err != nil {
		return nil, err
	}
	v, err := exec.Command("iverilog", "-V").Output()
	if err != nil {
		return nil, fmt.Errorf("iverilog -V: %w", withStderr(err))
	}
	words := strings.Fields(string(v)) // such as "Icarus Verilog version 11.0 ..."
	if len(words) < 4 {
		return nil, fmt.Errorf("iverilog -V prints %q, expected a version", v)
	}
	state, err := os.ReadFile(filepath.Join("sim", "external", "native", "state.c"))
	if err != nil {
		return nil, err
	}
	args := []string{"-g2005", "-s", "runner", "-o", "run.vvp", "runner.v"}
	for _, f := range files {
		args = append(args, f.Name)
	}
	files = append(files, verilog.File{Name: "runner.v", Text: testBench(d, verilog.Top(d, files))},
		verilog.File{Name: "state.c", Text: string(state)}, verilog.File{Name: "cputime.c", Text: cpuTime})
	p := &program{name: "icarus-" + words[3], most: 10_000, arguments: func(file string, _ int) []string { return []string{"+stimulus=" + file} }}
	built, err := s.kept(design, p.name, fmt.Sprint(words[3], args), files, func(dir string) error {
		for _, module := range []string{"state.c", "cputime.c"} {
			if err := run(exec.Command("iverilog-vpi", module), dir); err != nil {
				return err
			}
		}
		return run(exec.Command("iverilog", args...), dir)
	})
	if err != nil {
		return nil, err
	}
	p.build = built.seconds
	p.command = []string{"vvp", "-n", "-M" + built.dir, "-mstate", "-mcputime", filepath.Join(built.dir, "run.vvp")}
	return p, nil
}

// testBench returns a test bench that applies the events of a file to the module top of d. It is
// the text of the runner with the port-specific parts inserted.
func testBench(d *ir.Design, top string) string {
	f := sim.NewFormat(sim.PortsOf(d))
	var ports, pins, set, sum strings.Builder
	if d.Top.Clock {
		pins.WriteString(".clk(clk)")
	}
	if d.Top.Reset {
		pins.WriteString(", .rst(rst)")
	}
	for _, x := range f.In {
		p := f.Ports[x.Port]
		fmt.Fprintf(&ports, "  reg [%d:0] p%d;\n", 64*x.Words-1, x.Port)
		fmt.Fprintf(&pins, ", .%s(p%d[%d:0])", p.Name, x.Port, p.Type.Bits()-1)
		fmt.Fprintf(&set, "    for (i = 0; i < %d; i = i + 1) begin word; p%d[64*i +: 64] = w; end\n", x.Words, x.Port)
	}
	for _, x := range f.Out {
		p := f.Ports[x.Port]
		fmt.Fprintf(&ports, "  wire [%d:0] q%d;\n  wire [%d:0] p%d = q%d;\n", p.Type.Bits()-1, x.Port, 64*x.Words-1, x.Port, x.Port)
		fmt.Fprintf(&pins, ", .%s(q%d)", p.Name, x.Port)
		fmt.Fprintf(&sum, "    for (i = 0; i < %d; i = i + 1) x = {x[56:0], x[63:57]} ^ p%d[64*i +: 64];\n", x.Words, x.Port)
	}
	return strings.NewReplacer("/*ports*/", ports.String(), "/*set*/", set.String(), "/*sum*/", sum.String(),
		"/*instance*/", fmt.Sprintf("  %s dut (%s);\n", top, strings.TrimPrefix(pins.String(), ", "))).Replace(verilogRunner)
}
