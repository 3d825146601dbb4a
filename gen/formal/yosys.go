package formal

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// elaborateScript converts a design with its assertions to operations and flip-flops. Memories
// become flip-flops.
const elaborateScript = `read_verilog -formal %s
hierarchy -check -top %s
proc
flatten
memory -nordff -nomap
memory_map
async2sync
`

// gateScript maps them to gates and one kind of flip-flop.
const gateScript = `opt_expr -keepdc
opt_merge
opt_clean
techmap
dffunmap
simplemap
opt_expr -keepdc
opt_merge
aigmap
opt_clean
write_json netlist.json
`

// synthesise writes the Verilog of d to dir, and returns its netlist of gates.
func synthesise(dir string, d *ir.Design) (*eda.Module, error) {
	files, err := verilog.Options{Source: true, PowerUp: true}.Generate(d)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		if err := outfile.Scratch(filepath.Join(dir, f.Name), []byte(f.Text)); err != nil {
			return nil, err
		}
		names = append(names, f.Name)
	}
	top := verilog.Top(d, files)
	return gates(dir, fmt.Sprintf(elaborateScript, strings.Join(names, " "), top), top)
}

// gates runs a script, maps the result to gates, and returns a module.
func gates(dir, script, module string) (*eda.Module, error) {
	if err := eda.Yosys(context.Background(), dir, script+gateScript); err != nil {
		return nil, err
	}
	return eda.ReadModule(filepath.Join(dir, "netlist.json"), module)
}
