package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// errStopped is returned by an interrupted check.
var errStopped = errors.New("the check of the points was stopped")

// Check decodes and checks every point like its program does. The error contains each mistake once,
// with the first point that has it.
func (p *Plan) Check(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "hotline-sweep-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	mistakes := newMistakes()
	for n, point := range p.Points {
		found, err := p.mistakes(ctx, dir, point)
		if err != nil {
			return err
		}
		for _, text := range found {
			mistakes.add(n, text)
		}
	}
	return mistakes.report(p, func(text string, n int) (hcl.Range, error) { return p.cause(ctx, dir, text, n) })
}

// mistakes returns the lines that the program's check reports for a point.
func (p *Plan) mistakes(ctx context.Context, dir string, point Point) ([]string, error) {
	if ctx.Err() != nil {
		return nil, errors.Join(errStopped, context.Cause(ctx))
	}
	if err := point.write(dir); err != nil {
		return nil, err
	}
	err := p.check(ctx, append(point.fileArguments(dir), point.Arguments...))
	if err != nil {
		return strings.Split(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""), "\n"), nil
	}
	return nil, nil
}

// write writes the files of a point to a folder.
func (p Point) write(dir string) error {
	for _, f := range p.Files {
		if err := outfile.Scratch(filepath.Join(dir, f.Name), []byte(f.Text)); err != nil {
			return err
		}
	}
	return nil
}

// mistakes collects the mistakes of points by their text.
type mistakes struct {
	texts []string
	first map[string]int // number of the first point
	count map[string]int
}

func newMistakes() *mistakes { return &mistakes{first: map[string]int{}, count: map[string]int{}} }

func (m *mistakes) add(n int, text string) {
	if m.count[text]++; m.count[text] == 1 {
		m.texts, m.first[text] = append(m.texts, text), n
	}
}

func (m *mistakes) report(p *Plan, cause func(text string, n int) (hcl.Range, error)) error {
	var errs []error
	for i, text := range m.texts {
		place := p.at
		if i < format.MostMistakes { // the others are only counted
			var err error
			if place, err = cause(text, m.first[text]); err != nil {
				return err
			}
		}
		others := ""
		if n := m.count[text] - 1; n == 1 {
			others = ", and 1 more point"
		} else if n > 1 {
			others = fmt.Sprintf(", and %d more points", n)
		}
		errs = append(errs, at(place, "point %d (%s)%s: %s", m.first[text], p.label(m.first[text]), others, text))
	}
	return format.Mistakes(errs...)
}
