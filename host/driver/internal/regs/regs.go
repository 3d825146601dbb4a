// Package regs makes the driver's regs.go from the hardware's own tables of
// opcodes, status codes, register numbers, CSR offsets and their names, so that the driver
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
	Names  = "../../hw/hotline/arch/names.go"
	Target = "regs.go"
)

// Generate is the text of Target. source is a Go file of constants and types, names
// one with what opcodes and statuses are called; Source and Names stand for them in
// errors.
func Generate(source, names []byte) ([]byte, error) {
	fset := token.NewFileSet()
	var out bytes.Buffer
	fmt.Fprint(&out, "// Code generated from hw/hotline/arch by go generate; DO NOT EDIT.\n\npackage driver\n")
	f, err := parser.ParseFile(fset, Source, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
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
	if f, err = parser.ParseFile(fset, Names, names, 0); err != nil {
		return nil, err
	}
	for _, list := range lists {
		if err := list.write(&out, fset, f); err != nil {
			return nil, err
		}
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
