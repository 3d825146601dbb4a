//go:build ignore

// Generate writes regs.go: the opcodes, status codes, register numbers and CSR
// offsets of the hardware as constants of the driver. The driver does not
// import the hardware's package, so that it stays usable on its own.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"log"
	"os"
)

const source = "../../hw/hotline/arch/format.go"

func main() {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, source, nil, parser.ParseComments)
	if err != nil {
		log.Fatal(err)
	}
	var out bytes.Buffer
	fmt.Fprint(&out, "// Code generated from hw/hotline/arch by go generate; DO NOT EDIT.\n\npackage driver\n")
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok != token.IMPORT {
			rename(g)
			fmt.Fprintln(&out)
			if err := format.Node(&out, fset, g); err != nil {
				log.Fatal(err)
			}
			fmt.Fprintln(&out)
		}
	}
	text, err := format.Source(out.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("regs.go", text, 0o644); err != nil {
		log.Fatal(err)
	}
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
