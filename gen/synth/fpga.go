package synth

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// families maps FPGA families to the commands of Yosys: Series 7 of Xilinx, and ECP5 of Lattice.
var families = map[string]string{"xilinx": "synth_xilinx -family xc7 -noiopad", "ecp5": "synth_ecp5 -noflatten"}

// Families returns the names of the supported FPGA families.
func Families() []string { return eda.Sorted(families) }

// Utilisation lists the FPGA resources that a design uses.
type Utilisation struct {
	Cells    map[string]int // by type, such as RAMB36E1
	Memories map[string]int // bits of the memories that are built from flip-flops, by name
}

// fpgaScript stops before the remaining memories become flip-flops.
const fpgaScript = `read_verilog %s
hierarchy -check -top %[2]s
proc
%[4]sopt_expr -mux_undef
%[3]s -top %[2]s -run :map_ffram
json -o coarse.json
`

// mapFPGAScript continues after fpgaScript.
const mapFPGAScript = `%[2]s -top %[1]s -run map_ffram:
json -o mapped.json
`

// ForFPGA maps a design to an FPGA of a family, as one block.
func ForFPGA(ctx context.Context, d *ir.Design, family string) (*Utilisation, error) {
	return forFPGA(ctx, d, family, "flatten\n", mapFPGAScript)
}

// FallenMemories returns the memories that are built from flip-flops in an FPGA of a family: their
// number of bits, by name within their module. It takes less time than ForFPGA.
func FallenMemories(ctx context.Context, d *ir.Design, family string) (map[string]int, error) {
	u, err := forFPGA(ctx, d, family, "", "")
	if err != nil {
		return nil, err
	}
	return u.Memories, nil
}

// forFPGA maps d. The commands before run before the mapping of memories, the commands behind after
// it.
func forFPGA(ctx context.Context, d *ir.Design, family, before, behind string) (*Utilisation, error) {
	r := &run{}
	var err error
	if r.dir, err = os.MkdirTemp("", "hotline-synth-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(r.dir)
	if r.files, err = verilog.Generate(d); err != nil {
		return nil, err
	}
	if err := r.writeFiles(nil); err != nil {
		return nil, err
	}
	var names []string
	for _, f := range r.files {
		names = append(names, f.Name)
	}
	top := verilog.Top(d, r.files)
	script := fmt.Sprintf(fpgaScript, strings.Join(names, " "), top, families[family], before)
	if behind != "" {
		script += fmt.Sprintf(behind, top, families[family])
	}
	if err := eda.Yosys(ctx, r.dir, script); err != nil {
		return nil, err
	}
	u := &Utilisation{Cells: map[string]int{}, Memories: map[string]int{}}
	if err := u.countMemories(r); err != nil || behind == "" {
		return u, err
	}
	mapped, err := read(r.dir, "mapped.json")
	if err != nil {
		return nil, err
	}
	for _, c := range mapped.Modules[top].Cells {
		u.Cells[c.Type]++
	}
	return u, nil
}

// countMemories records the memories that are not mapped.
func (u *Utilisation) countMemories(r *run) error {
	n, err := read(r.dir, "coarse.json")
	if err != nil {
		return err
	}
	for module, m := range n.Modules {
		for name, c := range m.Cells {
			if c.Type == "$mem_v2" {
				u.Memories[module+"."+name] = c.Number("SIZE") * c.Number("WIDTH")
			}
		}
	}
	return nil
}
