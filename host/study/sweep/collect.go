package sweep

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/table"
)

// Collect writes the tables of the available results, results.csv and results.html, to the folder
// of the sweep.
func (s *Store) Collect() (*Table, error) {
	t, err := s.Table()
	if err != nil {
		return nil, err
	}
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{{"results.csv", t.WriteCSV}, {"results.html", t.WriteHTML}} {
		var b bytes.Buffer
		if err := f.write(&b); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if err := outfile.WriteBytes(filepath.Join(s.Dir, f.name), b.Bytes()); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// printed limits the number of failed points that are listed.
const printed = 10

// Print prints a summary of the sweep and the first failed points.
func (t *Table) Print(w io.Writer) error {
	var b strings.Builder
	c := t.Counts()
	fmt.Fprintf(&b, "points   %d: %d done, %d failed, %d missing\n", len(t.Rows), c.Done, c.Failed, c.Missing)
	fmt.Fprintf(&b, "results  %s, with .html\n", filepath.Join(t.kept.Dir, "results.csv"))
	listed := 0
	for n, e := range t.ends {
		if e.Status != Failed {
			continue
		}
		if listed++; listed <= printed {
			fmt.Fprintf(&b, "failed   point %d (%s): %s\n         log: %s\n", n, t.kept.Plan.label(n), e.Message, t.kept.Log(n, e))
		}
	}
	if listed > printed {
		fmt.Fprintf(&b, "         and %s more\n", format.Thousands(int64(listed-printed)))
	}
	if _, unknown := t.charts(); len(unknown) > 0 && c.Done > 0 {
		fmt.Fprintf(&b, "plots    there is no figure %s in the results; results.csv has their names, such as %s\n",
			strings.Join(unknown, ", "), strings.Join(t.numeric(5), ", "))
	}
	_, err := io.WriteString(w, table.Wrap(b.String(), table.Width(w), 9))
	return err
}

// numeric returns the first names of figures that can be plotted.
func (t *Table) numeric(most int) (list []string) {
	for c := t.axes + 3; c < len(t.Columns) && len(list) < most; c++ {
		if slices.ContainsFunc(t.Rows, func(row []any) bool { _, ok := float(row[c]); return ok }) {
			list = append(list, t.Columns[c])
		}
	}
	return list
}
