package gosim

import (
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"strings"
	"sync"

	"github.com/hotline-rtl/hotline/gen/gosim/guard"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// File is a generated file.
type File struct{ Name, Text string }

// Generate makes the files of a Go package with this name from d. The error reports
// a name that other packages cannot import, lists what is wrong with a
// design that elaboration has not checked, or is a guard.Error: a mistake of the generator.
func Generate(d *ir.Design, pkg string) (files []File, err error) {
	defer guard.Recover(func() string { return "of the model" }, &err)
	if err := CheckName(pkg); err != nil {
		return nil, err
	}
	p, err := plan.New(d, nil)
	if err != nil {
		return nil, err
	}
	return formatted(&generator{Plan: p, design: d, pkg: pkg})
}

// formatted are the files that g prints, as gofmt has them: one is formatted while others are printed.
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

// pack prints the files, and gives each to add. The error is a mistake of the generator.
func (g *generator) pack(add func(File)) (err error) {
	e := newEmitter(g.Plan, &g.b)
	defer guard.Recover(func() string { return "while printing " + e.doing() }, &err)
	g.files(e, add)
	return e.invalid
}

// format makes a file of Go what gofmt makes of it, with the imports that it needs.
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

// CheckName tells what is wrong with the name of a package.
func CheckName(pkg string) error {
	if !token.IsIdentifier(pkg) || pkg == "_" || pkg == "main" {
		return fmt.Errorf("gosim: %q is not the name of a Go package that can be imported", pkg)
	}
	return nil
}

// numbered is the neighbourhood of an error in a text.
func numbered(text string, err error) string {
	var line int
	fmt.Sscanf(err.Error(), "%d:", &line)
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, line-3):min(len(lines), line+2)], "\n")
}
