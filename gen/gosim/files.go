package gosim

import (
	"errors"
	"fmt"
	"go/format"
	"strings"
	"sync"

	"github.com/hotline-rtl/hotline/gen/gosim/funcs"
	"github.com/hotline-rtl/hotline/gen/gosim/guard"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// unitsPerFile is the maximum number of units in a file.
const unitsPerFile = 150

// files prints the files and passes each to add.
func (g *generator) files(add func(File)) {
	e := g.funcs
	file := func(name string, print func()) {
		g.b.Reset()
		print()
		doc := ""
		if name == "model.go" {
			doc = fmt.Sprintf("// Package %s is a cycle model of %s.\n", g.pkg, g.what())
		}
		add(File{name, header + doc + "package " + g.pkg + "\n\n" + g.b.String()})
	}
	if g.copies != nil {
		g.blocks = g.cycle()
	}
	file("model.go", g.model)
	file("ports.go", g.ports)
	if g.copies != nil {
		file("copies.go", g.view)
		file("batch.go", g.batch)
	}
	if g.hasContents() {
		file("contents.go", g.contents)
	}
	file("state.go", g.state)
	file("snapshot.go", g.snapshot)
	for i := 0; i < len(g.Units); i += unitsPerFile {
		file(fmt.Sprintf("units%d.go", i/unitsPerFile), func() {
			for _, u := range g.Units[i:min(i+unitsPerFile, len(g.Units))] {
				e.PrintUnit(u)
			}
		})
	}
	file("edge.go", func() {
		e.PrintEdge()
		g.checkFunctions()
	})
	file("tables.go", func() { g.b.WriteString(e.Tables()) })
	if len(e.Names) > 0 {
		add(File{"kernels_amd64.s", header + e.Assembly()})
		add(File{"kernels_amd64.go", g.declared(e.Names, "", "")})
		add(File{"kernels_other.go", g.declared(e.Names, "//go:build !amd64\n\n", ` { panic("no vectors") }`)})
	}
}

// declared returns a file that declares kernels, with or without a body, and the levels that they
// require.
func (g *generator) declared(names []string, constraint, body string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%spackage %s\n\nconst (\n", header, constraint, g.pkg)
	for _, t := range funcs.Targets {
		fmt.Fprintf(&b, "%s = model.%s\n", kernel.Level(t), t.Name())
	}
	b.WriteString(")\n\n")
	for _, k := range names {
		fmt.Fprintf(&b, "func %s(s *Model) uint64%s\n\n", k, body)
	}
	return b.String()
}

// formatted returns the files that g prints, formatted by gofmt. It formats a file while the next
// files are printed.
func formatted(g *generator) ([]File, error) {
	type printed struct {
		File
		err error
	}
	var files []*printed
	var formatting sync.WaitGroup
	err := g.pack(func(f File) {
		p := &printed{File: f}
		files = append(files, p)
		formatting.Go(func() { p.err = p.format() })
	})
	formatting.Wait()
	if err != nil {
		return nil, err
	}
	out, problems := make([]File, len(files)), make([]error, len(files))
	for i, p := range files {
		out[i], problems[i] = p.File, p.err
	}
	return out, errors.Join(problems...)
}

// pack prints the files and passes each to add. The error reports an internal error of the
// generator.
func (g *generator) pack(add func(File)) (err error) {
	g.funcs = funcs.New(g.Plan, &g.b)
	defer guard.Recover(func() string { return "while printing " + g.funcs.Doing() }, &err)
	g.files(add)
	return g.funcs.Err
}

// format formats a Go file like gofmt and adds the imports that it needs.
func (f *File) format() error {
	if !strings.HasSuffix(f.Name, ".go") {
		return nil
	}
	text := importing(f.Text)
	formatted, err := format.Source([]byte(text))
	if err != nil {
		return fmt.Errorf("gosim: %s: %w\n%s", f.Name, err, numbered(text, err))
	}
	f.Text = string(formatted)
	return nil
}

// numbered returns the numbered lines of a text around an error.
func numbered(text string, err error) string {
	var line int
	fmt.Sscanf(err.Error(), "%d:", &line)
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, line-3):min(len(lines), line+2)], "\n")
}
