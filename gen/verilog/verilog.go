package verilog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
)

// File is a generated source file.
type File struct {
	Name string // of the module, followed by .v
	Text string
	// Modules are those that the text is for: none if it is foreign Verilog, several if
	// they differ in a parameter. The first has the value that the parameter has by default.
	Modules  []*ir.Module
	Generic  *ir.Generic // of the first, if the text has a parameter
	Memories []*ir.Mem   // that the text declares, for the first of Modules
}

// Options specifies additional contents of the text.
type Options struct {
	// Source adds comments with the position in the Go source to statements.
	Source bool
	// PowerUp keeps memories whose writes can never happen, for a simulation that
	// gives them contents at power-up; otherwise they read as zero.
	PowerUp bool
}

// Generate prints a design with the zero Options.
func Generate(d *ir.Design) ([]File, error) { return Options{}.Generate(d) }

// Generate prints each module of d, callees first. Modules that differ in a Verilog parameter
// share a file. Sources of foreign Verilog are copied, in place of their modules. The error
// lists faulty drivers, if d did not pass elaboration, illegal names, and texts that do not
// follow from a parameter.
func (o Options) Generate(d *ir.Design) ([]File, error) {
	if d == nil || d.Top == nil {
		return nil, errors.New("verilog: the design has no top module")
	}
	_, problems := drivers.Lower(d)
	var errs []error
	for _, p := range problems {
		errs = append(errs, fmt.Errorf("verilog: %w", p))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	g := newGenerator(d, o)
	files := g.files(d)
	if len(g.errs) > 0 {
		return nil, errors.Join(g.errs...)
	}
	return files, nil
}

// Top returns the name of the Verilog module of the top of d, among the files that were
// generated for it.
func Top(d *ir.Design, files []File) string {
	at := slices.IndexFunc(files, func(f File) bool { return slices.Contains(f.Modules, d.Top) })
	return strings.TrimSuffix(files[at].Name, ".v")
}

// oneLine returns s without line breaks, for a comment.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// header returns the comment at the top of a module.
func header(name, doc string, parameters []ir.Parameter) syntax.Header {
	h := syntax.Header{Title: name}
	if doc != "" {
		h.Title += ": " + strings.TrimSpace(doc)
	}
	for _, p := range parameters {
		h.Parameters = append(h.Parameters, syntax.Setting{Name: p.Name, Value: oneLine(p.Value), Meaning: p.Doc})
	}
	return h
}
