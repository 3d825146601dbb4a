package randomdesigns

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/gen/gosim/guard"
	"github.com/hotline-rtl/hotline/gen/outfile"
)

const (
	packagePath = "github.com/hotline-rtl/hotline/cmd/hotline-lab/randomdesigns"
	modelPath   = "github.com/hotline-rtl/hotline/sim/compiled/model" // imported by models
)

// toolchain contains the Go compiler, assembler, packer and linker. They are called directly,
// because go build would keep ten thousand packages in its cache.
type toolchain struct {
	compiler, linker, assembler, packer string

	packages string // import configuration of models and programs
}

func newToolchain() (*toolchain, error) {
	bin, err := output("go", "env", "GOTOOLDIR")
	if err != nil {
		return nil, err
	}
	bin = strings.TrimSpace(bin)
	packages, err := output("go", "list", "-deps", "-export", "-f",
		"{{if .Export}}packagefile {{.ImportPath}}={{.Export}}\n{{end}}", packagePath, modelPath)
	if err != nil {
		return nil, err
	}
	packer, err := output("go", "tool", "-n", "pack") // go builds the packer on demand
	if err != nil {
		return nil, err
	}
	tool := func(name string) string { return filepath.Join(bin, name) }
	return &toolchain{tool("compile"), tool("link"), tool("asm"), strings.TrimSpace(packer), packages}, nil
}

// output returns the standard output of a command. The error contains the command's messages.
func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		text := out.String() + stderr.String()
		return "", fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, text[:min(len(text), 2000)])
	}
	return out.String(), nil
}

// program is a program under construction that compares models.
type program struct {
	*toolchain
	dir              string // contains all files of the program
	seeds            []uint64
	packages         string
	imports, entries strings.Builder
}

func (t *toolchain) program(dir string) *program {
	return &program{toolchain: t, dir: dir, packages: t.packages}
}

// write writes a file of the program.
func (p *program) write(name, text string) (path string, err error) {
	path = filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return path, outfile.Scratch(path, []byte(text))
}

// compile compiles files into a package.
func (p *program) compile(path, packages, to string, files []string) error {
	config, err := p.write("importcfg", packages)
	if err != nil {
		return err
	}
	_, err = output(p.compiler, append([]string{"-dwarf=false", "-pack", "-p", path, "-importcfg", config, "-o", to}, files...)...)
	return err
}

// wanted reports whether a file is for this architecture.
func (p *program) wanted(name string) bool {
	base := strings.TrimSuffix(name, filepath.Ext(name))
	switch {
	case strings.HasSuffix(base, "_amd64"):
		return runtime.GOARCH == "amd64"
	case strings.HasSuffix(base, "_other"):
		return runtime.GOARCH != "amd64"
	}
	return true
}

// compileWith compiles files and an assembly file into a package, like go build. The compiler needs
// the symbols of the assembly file and provides the field offsets that it includes.
func (p *program) compileWith(assembly, path, to string, files []string) error {
	fields, err := p.write("go_asm.h", "") // empty until the compiler has written the offsets
	if err != nil {
		return err
	}
	symbols, object := filepath.Join(p.dir, "symabis"), strings.TrimSuffix(to, ".a")+".o"
	assemble := []string{"-p", path, "-I", p.dir, "-I", filepath.Join(filepath.Dir(p.assembler), "..", "..", "include")}
	if _, err := output(p.assembler, append(assemble, "-gensymabis", "-o", symbols, assembly)...); err != nil {
		return err
	}
	if err := p.compile(path, p.toolchain.packages, to, append([]string{"-symabis", symbols, "-asmhdr", fields}, files...)); err != nil {
		return err
	}
	if _, err := output(p.assembler, append(assemble, "-o", object, assembly)...); err != nil {
		return err
	}
	_, err = output(p.packer, "r", to, object)
	return err
}

// add generates and compiles the model of d, and the model of a batch of its instances. Designs
// with black boxes have no batch model.
func (p *program) add(d design) error {
	name := fmt.Sprintf("d%d", d.seed)
	err := p.pack(name, func() ([]gosim.File, error) { return gosim.Generate(d.Design, name) })
	if err != nil {
		return err
	}
	p.seeds = append(p.seeds, d.seed)
	fmt.Fprintf(&p.entries, "\tp.Models[%d] = func(e bool, l model.Level) sim.Simulator { return %s.New(%s.Options{Everything: e, Level: l}) }\n", d.seed, name, name)
	if options(d.seed).Extern {
		return nil
	}
	many := name + "copies"
	err = p.pack(many, func() ([]gosim.File, error) { return gosim.GenerateCopies(d.Design, gosim.MaxCopies, many) })
	if err != nil {
		return fmt.Errorf("batch of instances: %w", err)
	}
	fmt.Fprintf(&p.entries, "\tp.Copies[%d] = func(l model.Level) sim.Copies { return %s.New(%s.Options{Level: l}) }\n", d.seed, many, many)
	return nil
}

// pack generates and compiles a package.
func (p *program) pack(name string, generated func() ([]gosim.File, error)) error {
	files, err := generated()
	if mistake := (*guard.Error)(nil); errors.As(err, &mistake) {
		return fmt.Errorf("%w\n%s", err, mistake.Stack)
	}
	if err != nil {
		return err
	}
	var paths []string
	kernels := ""
	for _, f := range files {
		if !p.wanted(f.Name) {
			continue
		}
		path, err := p.write(filepath.Join(name, f.Name), f.Text)
		if err != nil {
			return err
		}
		if filepath.Ext(path) == ".s" {
			kernels = path
		} else {
			paths = append(paths, path)
		}
	}
	path, object := packagePath+"/"+name, filepath.Join(p.dir, name+".a")
	if kernels != "" {
		err = p.compileWith(kernels, path, object, paths)
	} else {
		err = p.compile(path, p.toolchain.packages, object, paths)
	}
	if err != nil {
		return err
	}
	p.packages += fmt.Sprintf("packagefile %s=%s\n", path, object)
	fmt.Fprintf(&p.imports, "\t%q\n", path)
	return nil
}

// link compiles the main package and links the program.
func (p *program) link(to string) (string, error) {
	text := "package main\n\nimport (\n\t%q\n\t%q\n\t%q\n%s)\n\nfunc main() {\n\tp := randomdesigns.NewProgram()\n%s\tp.Main()\n}\n"
	main, err := p.write("main.go", fmt.Sprintf(text, packagePath, "github.com/hotline-rtl/hotline/sim", modelPath, p.imports.String(), p.entries.String()))
	if err != nil {
		return "", err
	}
	object := filepath.Join(p.dir, "main.a")
	if err := p.compile("main", p.packages, object, []string{main}); err != nil {
		return "", err
	}
	_, err = output(p.linker, "-s", "-w", "-importcfg", filepath.Join(p.dir, "importcfg"), "-o", to, object)
	return to, err
}
