package bench

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// goGlue returns the port-specific source text of runner.go.
func goGlue(d *ir.Design, files []gosim.File) (string, error) {
	f := sim.NewFormat(sim.PortsOf(d))
	in, err := structFields(files, "In", len(f.In))
	if err != nil {
		return "", err
	}
	out, err := structFields(files, "Out", len(f.Out))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `package main

import "github.com/hotline-rtl/hotline/onthefly/design"

const inWords = %d

func decode(w *[inWords]uint64) (in design.In) {
`, f.InWords)
	for i, x := range f.In {
		newGoPort("in", in[i], f.Ports[x.Port].Type).set(&b, x.Word)
	}
	b.WriteString("\treturn in\n}\n\nfunc sum(m *design.Model) (h uint64) {\n")
	for i, x := range f.Out {
		newGoPort("m.Out", out[i], f.Ports[x.Port].Type).sum(&b)
	}
	b.WriteString("\treturn h\n}\n")
	return b.String(), nil
}

// structField is a field of a Go struct. kind is the name of its type, or of the element type of an
// array, which may be nested.
type structField struct{ name, kind string }

// structFields returns the fields of the struct of ports with this name in a model, in the order of
// the ports. It returns an error unless there are n.
func structFields(files []gosim.File, name string, n int) (out []structField, err error) {
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(tree, func(x ast.Node) bool {
			spec, ok := x.(*ast.TypeSpec)
			if !ok || spec.Name.Name != name {
				return true
			}
			for _, field := range spec.Type.(*ast.StructType).Fields.List {
				for _, id := range field.Names {
					if id.Name != "_" {
						out = append(out, structField{id.Name, kindOf(field.Type)})
					}
				}
			}
			return false
		})
	}
	if len(out) != n {
		return nil, fmt.Errorf("the model's structure %s has %d fields, expected %d", name, len(out), n)
	}
	return out, nil
}

func kindOf(x ast.Expr) string {
	if a, ok := x.(*ast.ArrayType); ok {
		return kindOf(a.Elt)
	}
	return x.(*ast.Ident).Name
}
