// Package regs makes the driver's regs.go from the hardware's own tables of
// opcodes, status codes, register numbers and CSR offsets, so that the driver
// need not import the hardware's package. It imports the standard library only.
package regs

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
)

// Paths of what is read and of what is written, from the driver's folder.
const (
	Source = "../../hw/hotline/arch/format.go"
	Target = "regs.go"
)

// Generate is the text of Target. source is a Go file of constants and types;
// name stands for it in errors.
func Generate(name string, source []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprint(&out, "// Code generated from hw/hotline/arch by go generate; DO NOT EDIT.\n\npackage driver\n")
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok == token.IMPORT {
			continue
		}
		rename(g)
		fmt.Fprintln(&out)
		if err := format.Node(&out, fset, g); err != nil {
			return nil, err
		}
		fmt.Fprintln(&out)
	}
	return format.Source(out.Bytes())
}

// rename gives the opcodes the prefix Op, because the driver's functions carry
// their names.
func rename(g *ast.GenDecl) {
	for _, s := range g.Specs {
		v, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if t, ok := v.Type.(*ast.Ident); ok && t.Name == "Opcode" {
			for _, n := range v.Names {
				n.Name = "Op" + n.Name
			}
		}
	}
}
