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

// levels returns the values of GOAMD64 for which Go models are built: the baseline and, if the
// processor supports it, v3. Verilator's programs are built for the processor, too.
func levels() []string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err == nil && runtime.GOARCH == "amd64" && strings.Contains(string(info), " avx2 ") && strings.Contains(string(info), " bmi2 ") {
		return []string{"v1", "v3"}
	}
	return []string{"v1"}
}

// buildCompiled builds the Go model of d and returns a program for each instruction set that the
// processor supports.
func (s Settings) buildCompiled(name, level string, d *ir.Design) ([]*program, error) {
	files, err := gosim.Generate(d, "design")
	if err != nil {
		return nil, err
	}
	return s.atLevels(name, "compiled", level, d, files, goRunner, goGlue)
}

// atLevels builds a program with the model in files and returns it once for each instruction set
// that the processor supports.
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

// goProgram builds a program from the model of d in files and the source text main, in a module of
// its own. If glue is not nil, it generates further source text from the model.
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

// writeModule creates a module in dir with these files. The model is in the folder design.
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
