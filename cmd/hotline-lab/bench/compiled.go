package bench

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

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

// buildCompiled builds the Go model of d, to run at each level that this machine has.
func (s Settings) buildCompiled(name, level string, d *ir.Design) ([]*program, error) {
	files, err := gosim.Generate(d, "design")
	if err != nil {
		return nil, err
	}
	return s.atLevels(name, "compiled", level, d, files, goRunner, goGlue)
}

// atLevels builds a program with the model in files, to run at each level that this machine
// has.
func (s Settings) atLevels(name, engine, level string, d *ir.Design, files []gosim.File, main string, glue func(*ir.Design, []gosim.File) (string, error)) ([]*program, error) {
	defer progress("%s: building %s-%s", name, engine, level)()
	start := time.Now()
	path, err := s.goProgram(name, level, d, files, main, glue)
	if err != nil {
		return nil, err
	}
	seconds := time.Since(start).Seconds()
	var out []*program
	for _, l := range model.Levels() {
		out = append(out, &program{name: fmt.Sprintf("%s-%s-%s", engine, l, level), level: l, build: seconds, command: []string{path, l.String()}, arguments: fileAndPasses})
	}
	return out, nil
}

// goProgram builds the model of d in files with the program text main and,
// if glue is not nil, with what it makes of the model, in a module of their own.
func (s Settings) goProgram(name, level string, d *ir.Design, files []gosim.File, main string, glue func(*ir.Design, []gosim.File) (string, error)) (string, error) {
	dir, err := filepath.Abs(filepath.Join(s.Dir, "go-"+name))
	if err != nil {
		return "", err
	}
	texts := map[string]string{
		"main.go":         main,
		"design/fresh.go": fmt.Sprintf("package design // built at %v, not taken from go's cache\n", time.Now()),
	}
	for _, f := range files {
		texts["design/"+f.Name] = f.Text
	}
	if glue != nil {
		if texts["glue.go"], err = glue(d, files); err != nil {
			return "", err
		}
	}
	source := filepath.Join(dir, "source")
	if err := writeModule(source, texts); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "run-"+level)
	build := exec.Command("go", "build", "-o", path, ".")
	build.Env = append(build.Environ(), "GOAMD64="+level, "GOWORK=off")
	return path, run(build, source)
}

// writeModule makes dir a module with these files, that of the model in a folder.
func writeModule(dir string, texts map[string]string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "design"), 0o755); err != nil {
		return err
	}
	for path, text := range texts {
		if err := outfile.Scratch(filepath.Join(dir, path), []byte(text)); err != nil {
			return err
		}
	}
	return compiled.Workspace(dir)
}
