package gosim

import (
	"errors"
	"fmt"
	"go/format"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// File is a generated file.
type File struct{ Name, Text string }

// Generate makes the files of a Go package with this name from d. The error
// lists what is wrong with a design that elaboration has not checked.
func Generate(d *ir.Design, pkg string) ([]File, error) {
	p, err := newPlan(d)
	if err != nil {
		return nil, err
	}
	g := &generator{plan: p, design: d, pkg: pkg}
	var out []File
	for _, f := range g.files() {
		text, err := format.Source([]byte(f.Text))
		if err != nil {
			return nil, fmt.Errorf("gosim: %s: %w\n%s", f.Name, err, numbered(f.Text, err))
		}
		out = append(out, File{f.Name, string(text)})
	}
	return out, nil
}

// numbered is the neighbourhood of an error in a text.
func numbered(text string, err error) string {
	var line int
	fmt.Sscanf(err.Error(), "%d:", &line)
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, line-3):min(len(lines), line+2)], "\n")
}

// asError joins problems of a design.
func asError(problems []ir.Problem) error {
	var errs []error
	for _, p := range problems {
		errs = append(errs, fmt.Errorf("%s: %s: [%s] %s", p.Pos, p.Module, p.ID, p.Text))
	}
	return errors.Join(errs...)
}
