package gen

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
)

// notInCore matches characters that are illegal in the name of a core.
var notInCore = regexp.MustCompile(`[^A-Za-z0-9_.:-]`)

// core describes the files as a FuseSoC core, in CAPI 2. Its targets are default for dependent
// cores, lint for Verilator, and synth for Yosys.
func core(top string, sources []verilog.File, opt Options) []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	list := func(name string, kind string, files ...string) {
		line("  %s:\n    file_type: %s\n    files:", name, kind)
		for _, f := range files {
			line("      - %s", f)
		}
	}
	var names []string
	for _, s := range sources {
		names = append(names, s.Name)
	}
	sets := "[rtl]"
	line("CAPI=2:")
	line("name: %s", notInCore.ReplaceAllString(opt.core(), "_"))
	line("description: Verilog of module %s", top)
	line("filesets:")
	list("rtl", "verilogSource-2005", names...)
	if opt.MHz > 0 {
		list("constraints", "SDC", opt.sdc())
		sets = "[rtl, constraints]"
	}
	line("targets:")
	line("  default:\n    filesets: %s\n    toplevel: %s", sets, top)
	line("  lint:\n    filesets: [rtl]\n    toplevel: %s", top)
	line("    flow: lint\n    flow_options:\n      tool: verilator\n      verilator_options: [-Wall]")
	line("  synth:\n    filesets: %s\n    toplevel: %s", sets, top)
	line("    flow: generic\n    flow_options:\n      tool: yosys\n      arch: ecp5\n      output_format: json")
	return []byte(b.String())
}
