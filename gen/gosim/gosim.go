package gosim

import (
	"fmt"
	"go/format"
	"go/token"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// File is a generated file.
type File struct{ Name, Text string }

// Generate makes the files of a Go package with this name from d. The error is
// of a name that other packages cannot import, or lists what is wrong with a
// design that elaboration has not checked.
func Generate(d *ir.Design, pkg string) ([]File, error) {
	if err := CheckName(pkg); err != nil {
		return nil, err
	}
	p, err := plan.New(d, nil)
	if err != nil {
		return nil, err
	}
	return formatted(&generator{Plan: p, design: d, pkg: pkg})
}

// formatted are the files that g prints, as gofmt has them.
func formatted(g *generator) ([]File, error) {
	var out []File
	for _, f := range g.files() {
		if !strings.HasSuffix(f.Name, ".go") {
			out = append(out, f)
			continue
		}
		text, err := format.Source([]byte(f.Text))
		if err != nil {
			return nil, fmt.Errorf("gosim: %s: %w\n%s", f.Name, err, numbered(f.Text, err))
		}
		out = append(out, File{f.Name, string(text)})
	}
	return out, nil
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
