package regs

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"io"
)

// list is a list of numbers and names in Names, and the map that becomes of it.
type list struct {
	from, to, key, comment string
	prefix                 string // of the names of numbers
}

var lists = []list{
	{"Opcodes", "opcodeNames", "Opcode", "opcodeNames are the mnemonics.", "Op"},
	{"Statuses", "statusNames", "uint8", "statusNames say what a completion reports.", ""},
}

// write writes the map of a list that is in a file.
func (l list) write(w io.Writer, fset *token.FileSet, f *ast.File) error {
	object := f.Scope.Lookup(l.from)
	if object == nil {
		return fmt.Errorf("regs: there is no %s in %s", l.from, Names)
	}
	fmt.Fprintf(w, "\n// %s\nvar %s = map[%s]string{\n", l.comment, l.to, l.key)
	for _, e := range object.Decl.(*ast.ValueSpec).Values[0].(*ast.CompositeLit).Elts {
		pair := e.(*ast.CompositeLit).Elts
		if _, ok := pair[0].(*ast.Ident); ok {
			fmt.Fprint(w, l.prefix)
		}
		if err := format.Node(w, fset, pair[0]); err != nil {
			return err
		}
		fmt.Fprint(w, ": ")
		if err := format.Node(w, fset, pair[1]); err != nil {
			return err
		}
		fmt.Fprintln(w, ",")
	}
	fmt.Fprintln(w, "}")
	return nil
}
