package main

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

// goGlue is what runner.go needs to know of the ports.
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
	var set, words, sum strings.Builder
	for i, x := range f.In {
		fmt.Fprintf(&words, ", %d", x.Words)
		fmt.Fprintf(&set, "\tcase %d:\n\t\t", i+1)
		switch t := f.Ports[x.Port].Type; {
		case t.IsVec():
			fmt.Fprintf(&set, "m.Set(%d, w)\n", x.Port)
		case t.Width == 1:
			fmt.Fprintf(&set, "m.In.%s = w[0] != 0\n", in[i].name)
		case t.Width > 64:
			fmt.Fprintf(&set, "copy(m.In.%s[:], w)\n", in[i].name)
		default:
			fmt.Fprintf(&set, "m.In.%s = %s(w[0])\n", in[i].name, in[i].kind)
		}
	}
	for i, x := range f.Out {
		switch t := f.Ports[x.Port].Type; {
		case t.IsVec():
			fmt.Fprintf(&sum, "\tm.Get(%d, buf[:%d])\n\th = foldAll(h, buf[:%d])\n", x.Port, x.Words, x.Words)
		case t.Width == 1:
			fmt.Fprintf(&sum, "\th = fold(h, bit(m.Out.%s))\n", out[i].name)
		case t.Width > 64:
			fmt.Fprintf(&sum, "\th = foldAll(h, m.Out.%s[:])\n", out[i].name)
		default:
			fmt.Fprintf(&sum, "\th = fold(h, uint64(m.Out.%s))\n", out[i].name)
		}
	}
	return fmt.Sprintf(`package main

import "github.com/hotline-rtl/hotline/scripts/benchmark/zz/design"

var (
	fieldWords = [...]int{1%s}
	buf        [%d]uint64
)

func set(m *design.Model, field uint64, w []uint64) {
	switch field {
	case 0:
		m.SetReset(w[0] != 0)
%s	}
}

func sum(m *design.Model, h uint64) uint64 {
%s	return h
}
`, words.String(), max(1, f.OutWords), set.String(), sum.String()), nil
}

// structField is a field of a Go structure.
type structField struct{ name, kind string }

// structFields are those of the structure of ports with this name in a model, in
// the order of ports. Its type is empty unless it is a name.
func structFields(files []gosim.File, name string, n int) (out []structField, err error) {
	for _, f := range files {
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
				kind, _ := field.Type.(*ast.Ident)
				for _, id := range field.Names {
					x := structField{name: id.Name}
					if kind != nil {
						x.kind = kind.Name
					}
					out = append(out, x)
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
