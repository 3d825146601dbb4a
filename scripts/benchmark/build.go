package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

const modulePath = "github.com/hotline-rtl/hotline"

//go:embed runner.go.txt
var goRunner string

//go:embed runner.cpp.txt
var cppRunner string

// levels are the instruction sets that Go models are built for: the baseline, and
// what this machine has, as Verilator's programs are built for that.
func levels() []string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err == nil && runtime.GOARCH == "amd64" && strings.Contains(string(info), " avx2 ") && strings.Contains(string(info), " bmi2 ") {
		return []string{"v1", "v3"}
	}
	return []string{"v1"}
}

// buildCompiled generates and builds the Go model of d; the packages exist in an
// overlay only.
func (s settings) buildCompiled(name, level string, d *ir.Design) (*program, error) {
	p := &program{name: "compiled-" + level}
	start := time.Now()
	files, err := gosim.Generate(d, "design")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(s.dir, "go-"+name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	replace := map[string]string{}
	for _, f := range append(files, gosim.File{Name: "main.go", Text: goRunner}) {
		at := filepath.Join(dir, f.Name)
		if err := os.WriteFile(at, []byte(f.Text), 0o644); err != nil {
			return nil, err
		}
		place := "design"
		if f.Name == "main.go" {
			place = ""
		}
		replace[filepath.Join(root, "scripts", "benchmark", "zz", place, f.Name)] = at
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, data, 0o644); err != nil {
		return nil, err
	}
	p.path = filepath.Join(dir, "run-"+level)
	if err := command(root, "env", "GOAMD64="+level, "go", "build", "-overlay", overlay, "-o", p.path, modulePath+"/scripts/benchmark/zz"); err != nil {
		return nil, err
	}
	p.build = time.Since(start).Seconds()
	return p, nil
}

// verilatorFlags are the fastest that were found: -Os, which the makefile of
// Verilator uses, is slower.
var verilatorFlags = []string{"-O3", "--cc", "--exe", "--build", "-j", "2", "--x-initial", "0", "--x-assign", "0", "--noassert",
	"-Wno-fatal", "-Wno-lint", "-Wno-style", "-MAKEFLAGS", `OPT_FAST="-O3 -march=native" OPT_SLOW=-O1`, "-o", "run"}

// buildVerilator builds the Verilog of d, or takes the program of an earlier run.
func (s settings) buildVerilator(d *ir.Design) (*program, error) {
	files, err := verilog.Generate(d)
	if err != nil {
		return nil, err
	}
	files = append(files, verilog.File{Name: "runner.cpp", Text: glue(d) + cppRunner})
	sum := sha256.New()
	fmt.Fprint(sum, s.verilator, verilatorFlags)
	args := append(verilatorFlags[:len(verilatorFlags):len(verilatorFlags)], "--top-module", d.Top.Name)
	for _, f := range files {
		fmt.Fprintf(sum, "%s %d\n%s", f.Name, len(f.Text), f.Text)
		args = append(args, f.Name)
	}
	p := &program{name: "verilator"}
	dir := filepath.Join(s.dir, fmt.Sprintf("verilator-%.16x", sum.Sum(nil)))
	p.path = filepath.Join(dir, "obj_dir", "run")
	seconds := filepath.Join(dir, "seconds")
	if text, err := os.ReadFile(seconds); err == nil {
		_, err := fmt.Sscan(string(text), &p.build)
		return p, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o644); err != nil {
			return nil, err
		}
	}
	start := time.Now()
	if err := command(dir, s.verilator, args...); err != nil {
		return nil, err
	}
	p.build = time.Since(start).Seconds()
	return p, os.WriteFile(seconds, []byte(fmt.Sprint(p.build)), 0o644)
}

// glue is what runner.cpp needs to know of the ports.
func glue(d *ir.Design) string {
	f := sim.NewFormat(sim.PortsOf(d))
	var b, words strings.Builder
	fmt.Fprintf(&b, "#include \"V%s.h\"\n#include \"runner.h\"\nusing Top = V%s;\n\nstatic void set(Top &top, uint64_t field, const uint64_t *words) {\n    switch (field) {\n    case 0: %s break;\n",
		d.Top.Name, d.Top.Name, map[bool]string{true: "top.rst = words[0];"}[d.Top.Reset])
	words.WriteString("1")
	for i, x := range f.In {
		fmt.Fprintf(&b, "    case %d: load(top.%s, words); break;\n", i+1, f.Ports[x.Port].Name)
		fmt.Fprintf(&words, ", %d", x.Words)
	}
	fmt.Fprintf(&b, "    }\n}\n\nstatic const int fieldWords[] = {%s};\n\nstatic uint64_t sum(const Top &top, uint64_t h) {\n    uint64_t words[%d];\n", words.String(), max(1, f.OutWords))
	for _, x := range f.Out {
		fmt.Fprintf(&b, "    store(top.%s, words);\n    h = fold(h, words, %d);\n", f.Ports[x.Port].Name, x.Words)
	}
	b.WriteString("    return h;\n}\n\n")
	return strings.Replace(b.String(), "#include \"runner.h\"\n", cppHelpers, 1)
}

const cppHelpers = `#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

template <class T> static void load(T &port, const uint64_t *words) { port = static_cast<T>(words[0]); }

template <std::size_t N> static void load(VlWide<N> &port, const uint64_t *words) {
    for (std::size_t i = 0; i < N; i++) port[i] = static_cast<uint32_t>(words[i / 2] >> (i % 2 * 32));
}

template <class T> static void store(const T &port, uint64_t *words) { words[0] = port; }

template <std::size_t N> static void store(const VlWide<N> &port, uint64_t *words) {
    for (std::size_t i = 0; i < N; i += 2)
        words[i / 2] = port[i] | (i + 1 < N ? static_cast<uint64_t>(port[i + 1]) << 32 : 0);
}

static uint64_t fold(uint64_t h, const uint64_t *words, int n) {
    for (int i = 0; i < n; i++) h = (h ^ words[i]) * 0x9E3779B97F4A7C15ull + 1;
    return h;
}

`

// command runs a program in dir; the error has the end of what it printed.
func command(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out[max(0, len(out)-2000):])
	}
	return nil
}
