package main

import (
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
	"github.com/hotline-rtl/hotline/hw/ir"
)

const modulePath = "github.com/hotline-rtl/hotline"

//go:embed runner.go.txt
var goRunner string

// levels are the instruction sets that Go models are built for: the baseline, and
// what this machine has, as Verilator's programs are built for that.
func levels() []string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err == nil && runtime.GOARCH == "amd64" && strings.Contains(string(info), " avx2 ") && strings.Contains(string(info), " bmi2 ") {
		return []string{"v1", "v3"}
	}
	return []string{"v1"}
}

// buildCompiled builds the Go model of d.
func (s settings) buildCompiled(name, level string, d *ir.Design) (*program, error) {
	defer progress("%s: building compiled-%s", name, level)()
	start := time.Now()
	path, err := s.goProgram(name, level, d, goRunner, goGlue)
	if err != nil {
		return nil, err
	}
	return &program{name: "compiled-" + level, build: time.Since(start).Seconds(), command: []string{path}, arguments: fileAndPasses}, nil
}

// goProgram generates the model of d and builds it with the program text main and,
// if glue is not nil, with what it makes of the model; the packages exist in an
// overlay only.
func (s settings) goProgram(name, level string, d *ir.Design, main string, glue func(*ir.Design, []gosim.File) (string, error)) (string, error) {
	files, err := gosim.Generate(d, "design")
	if err != nil {
		return "", err
	}
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	place := filepath.Join(root, "scripts", "benchmark", "zz")
	texts := map[string]string{
		filepath.Join(place, "main.go"):            main,
		filepath.Join(place, "design", "fresh.go"): fmt.Sprintf("package design // built at %v, not taken from go's cache\n", time.Now()),
	}
	for _, f := range files {
		texts[filepath.Join(place, "design", f.Name)] = f.Text
	}
	if glue != nil {
		if texts[filepath.Join(place, "glue.go")], err = glue(d, files); err != nil {
			return "", err
		}
	}
	dir := filepath.Join(s.dir, "go-"+name)
	overlay, err := writeOverlay(dir, texts)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "run-"+level)
	build := exec.Command("go", "build", "-overlay", overlay, "-o", path, modulePath+"/scripts/benchmark/zz")
	build.Env = append(build.Environ(), "GOAMD64="+level)
	return path, run(build, root)
}

// writeOverlay writes files to dir that go is to find at other paths.
func writeOverlay(dir string, texts map[string]string) (overlay string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for path, text := range texts {
		at := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			return "", err
		}
		replace[path] = at
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o644)
}
