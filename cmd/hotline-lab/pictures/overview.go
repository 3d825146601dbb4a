package pictures

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/gen/draw"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/ui/picture"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/regmap"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// overview draws what is generated from the description, and a co-simulation of a configuration.
func overview(cfg *configs.Config) (string, error) {
	d, err := hw.Elaborate(top.Hotline{Params: *cfg.Accelerator})
	if err != nil {
		return "", err
	}
	systems, err := registry.Choose(catalog.Systems(), "hybrid,hotline")
	if err != nil {
		return "", err
	}
	s, _, err := experiment.Insert(cfg, experiment.Functional(*cfg.Accelerator), nil)
	if err != nil {
		return "", err
	}
	var g grid
	source := g.add(0, 0, 12, hardware, box("The accelerator, described once in Go", "hw/hotline: "+strings.Join(blocks(d), ", ")))
	design := g.add(1, 0, 8, hardware, typeOf[ir.Design]().box(fmt.Sprintf("checked, with a text form; %d modules", len(d.Modules))))
	g.arrow(source, design, "hw.Elaborate")
	verilog := g.add(2, 0, 4, software, box("Verilog", "gen/verilog", "for synthesis and simulators"))
	cycles := g.add(2, 4, 8, software, box("Cycle model", "gen/gosim", fmt.Sprintf("Go, %v, %v, %v", model.Portable, model.AVX2, model.AVX512)))
	g.arrow(design, verilog, "")
	g.arrow(design, cycles, "")
	registers := typeOf[regmap.Map]().box(fmt.Sprintf("%d registers as C header, SystemRDL, table", len(arch.CSRs)))
	registers.Rows = 2
	g.arrow(source, g.add(1, 8, 12, software, registers), "")

	accelerator := g.add(3, 0, 12, hardware, box("Accelerator in its slot", fmt.Sprintf("%d lookup engines, %d EAL banks: learns hot rows, classifies samples, gathers and updates cold rows",
		cfg.Accelerator.Engines, cfg.Accelerator.Banks)))
	g.arrow(cycles, accelerator, "hotline cosim")
	fabric := g.add(4, 0, 12, machine, box("PCIe", "host/pcie: root complex, switch, TLPs, credits, MSI-X"))
	g.both(accelerator, fabric, lanes(s.Config.Slot))
	cpu := g.add(5, 0, 6, machine, box("CPU", "training loop, driver", fmt.Sprintf("%d GiB: mini-batches, cold rows", s.Config.HostGiB)))
	g.both(fabric, cpu, lanes(s.Config.Uplink))
	gpus := g.add(5, 6, 12, machine, box(fmt.Sprintf("%d GPUs", s.Config.GPUs), "hot rows, MLPs", "forward, backward, update"))
	g.both(fabric, gpus, lanes(s.Config.GPULink))
	outcome := g.add(6, 0, 12, software, box("Every parameter compared", fmt.Sprintf("%s (%v) with %s (%v)", systems[0].Name, systems[0].Guarantee, systems[1].Name, systems[1].Guarantee)))
	g.arrow(cpu, outcome, "")
	g.arrow(gpus, outcome, "")

	g.Title = "One description, several products, and a co-simulation"
	g.Text = "Verilog, a cycle model and registers are generated from one description. A co-simulation trains with the model over PCIe and compares all parameters."
	g.Notes = []string{
		"Tests run the Verilog and the cycle model in lock-step, and compare every port in every cycle.",
		"The numbers are of the configuration " + cfg.Name + ".",
	}
	return picture.File(g.SVG()), nil
}

// box returns a box for a part.
func box(name string, lines ...string) picture.Box { return picture.Box{Name: name, Lines: lines} }

// blocks lists the packages of the accelerator's modules.
func blocks(d *ir.Design) (names []string) {
	for _, m := range d.Modules {
		if name, ok := strings.CutPrefix(draw.Package(m), "hw/hotline/"); ok {
			names = append(names, path.Base(name))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
