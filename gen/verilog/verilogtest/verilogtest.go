package verilogtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Silent generates d and requires that the tools print nothing with all their warnings on.
// Messages of Verilator about foreign Verilog are ignored. Modules with a parameter are also
// checked for a value that d does not use. A missing tool fails the test; with -short it is
// skipped.
func Silent(t testing.TB, d *ir.Design) {
	t.Helper()
	tools.Need(t, "verilator", "iverilog", "yosys")
	files := generated(t, d)
	dir := t.TempDir()
	var names []string
	config := "`verilator_config\n"
	for _, f := range files {
		if err := outfile.Scratch(filepath.Join(dir, f.Name), []byte(f.Text)); err != nil {
			t.Fatal(err)
		}
		names = append(names, f.Name)
		if f.Modules == nil {
			config += fmt.Sprintf("lint_off -file %q\n", f.Name)
		}
	}
	if err := outfile.Scratch(filepath.Join(dir, foreign), []byte(config)); err != nil {
		t.Fatal(err)
	}
	check(t, dir, verilog.Top(d, files), names, foreign)
	for _, f := range files {
		if f.Generic != nil {
			checkValue(t, dir, f.Generic, names)
		}
	}
}

// foreign names a file that turns off Verilator's messages about foreign Verilog.
const foreign = "foreign.vlt"

// SilentFiles checks files of a directory as Silent does.
func SilentFiles(t testing.TB, dir, top string, names []string) {
	t.Helper()
	tools.Need(t, "verilator", "iverilog", "yosys")
	check(t, dir, top, names)
}

func check(t testing.TB, dir, top string, names []string, config ...string) {
	t.Helper()
	silent(t, dir, "verilator", slices.Concat([]string{"--lint-only", "-Wall", "--top-module", top}, config, names)...)
	silent(t, dir, "iverilog", append([]string{"-g2005", "-Wall", "-o", os.DevNull, "-s", top}, names...)...)
	silent(t, dir, "yosys", "-q", "-p", "read_verilog "+strings.Join(names, " ")+"; hierarchy -check -top "+top+"; proc; check -assert")
}

// checkValue checks a module with a parameter.
func checkValue(t testing.TB, dir string, g *ir.Generic, names []string) {
	t.Helper()
	const n = 131
	silent(t, dir, "verilator", slices.Concat([]string{"--lint-only", "-Wall", "--top-module", g.Name, fmt.Sprintf("-G%s=%d", g.Param, n), foreign}, names)...)
	silent(t, dir, "iverilog", append([]string{"-g2005", "-Wall", "-o", os.DevNull, "-s", g.Name, fmt.Sprintf("-P%s.%s=%d", g.Name, g.Param, n)}, names...)...)
	silent(t, dir, "yosys", "-q", "-p", fmt.Sprintf("read_verilog %s; hierarchy -check -top %s -chparam %s %d; proc; check -assert", strings.Join(names, " "), g.Name, g.Param, n))
}

// silent runs a tool that must succeed and print nothing.
func silent(t testing.TB, dir, tool string, args ...string) {
	t.Helper()
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		t.Fatalf("program %q not found; install it or add it to PATH", tool)
	}
	if err != nil || len(out) > 0 {
		t.Fatalf("%s: %v\n%s", tool, err, out)
	}
}
