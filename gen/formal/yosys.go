package formal

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/outfile"
)

// script makes gates and flip-flops of one kind of a design with its assertions. Memories
// become flip-flops.
const script = `read_verilog -formal %s
hierarchy -check -top %s
proc
flatten
memory -nordff -nomap
memory_map
async2sync
opt_expr -keepdc
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

// synthesise writes the Verilog of d to dir, and what Yosys makes of it.
func synthesise(dir string, d *ir.Design) (*netlist, error) {
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
	if err := outfile.Scratch(filepath.Join(dir, "script.ys"), fmt.Appendf(nil, script, strings.Join(names, " "), top)); err != nil {
		return nil, err
	}
	if _, err := tool(dir, "yosys", "-q", "-s", "script.ys"); err != nil {
		return nil, err
	}
	return readNetlist(filepath.Join(dir, "netlist.json"), top)
}

// tool runs a program in a folder and gives what it prints.
func tool(dir, name string, args ...string) (string, error) {
	if _, err := exec.LookPath(name); err != nil {
		return "", fmt.Errorf("%s is not installed; see scripts/setup", name)
	}
	c := exec.Command(name, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, bytes.TrimSpace(out))
	}
	return string(out), nil
}
