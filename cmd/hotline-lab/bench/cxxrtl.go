package bench

import (
	_ "embed"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

//go:embed glue_cxxrtl.cpp.txt
var cxxrtlGlue string

// buildCXXRTL builds the C++ that Yosys generates from the Verilog of d, or uses the program of an
// earlier run. With the hierarchy, the C++ evaluates modules until it reaches a fixed point, which
// is slow.
func (s Settings) buildCXXRTL(d design, x *ir.Design) (*program, error) {
	files, err := verilog.Generate(x)
	if err != nil {
		return nil, err
	}
	version, err := exec.Command("yosys", "-V").Output()
	if err != nil {
		return nil, fmt.Errorf("yosys -V: %w", withStderr(err))
	}
	data, err := exec.Command("yosys-config", "--datdir").Output()
	if err != nil {
		return nil, fmt.Errorf("yosys-config --datdir: %w", withStderr(err))
	}
	words := strings.Fields(string(version)) // such as "Yosys 0.23 ..."
	if len(words) < 2 {
		return nil, fmt.Errorf("yosys -V prints %q, expected a version", version)
	}
	p := &program{name: "cxxrtl-" + words[1], within: true, arguments: fileAndPasses}
	write := "write_cxxrtl -g0 -header"
	if d.cxxrtl == layered {
		write += " -noflatten"
		p.most = 300_000
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	top := verilog.Top(x, files)
	script := fmt.Sprintf("read_verilog -DSYNTHESIS %s; hierarchy -top %s; %s design.cc", strings.Join(names, " "), top, write)
	compiler := s.Compilers[0]
	compile := []string{"-O3", "-DNDEBUG", "-march=native", "-I" + filepath.Join(strings.TrimSpace(string(data)), "include"), "-o", "run", "design.cc", "runner.cpp"}
	files = append(files, verilog.File{Name: "runner.cpp", Text: glue(cxxrtlGlue, mangled(top), x, mangled) + cppRunner})
	built, err := s.kept(d.name, p.name, fmt.Sprint(string(version), script, compiler, compile), files, func(dir string) error {
		if err := run(exec.Command("yosys", "-q", "-p", script), dir); err != nil {
			return err
		}
		return run(exec.Command(compiler, compile...), dir)
	})
	if err != nil {
		return nil, err
	}
	p.build, p.command = built.seconds, []string{filepath.Join(built.dir, "run")}
	return p, nil
}

// mangled returns CXXRTL's name of a port or a module.
func mangled(name string) string { return "p_" + strings.ReplaceAll(name, "_", "__") }
