// Command generate reads the text form of a design (hw/ir) from standard input and writes a model
// of it to a directory. The name of the directory becomes the package name.
//
// compiled.Build runs it from the source that it builds a program from. The model therefore matches
// the packages that it requires, even if the running program was built from other source.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw/ir"
)

func main() {
	if err := run(os.Args[1:], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(args []string, design io.Reader) error {
	if len(args) != 1 {
		return errors.New("expected the name of a folder")
	}
	text, err := io.ReadAll(design)
	if err != nil {
		return err
	}
	d, err := ir.Parse("design", string(text))
	if err != nil {
		return err
	}
	return gosim.Write(args[0], d, filepath.Base(args[0]))
}
