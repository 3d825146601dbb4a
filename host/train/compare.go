package train

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Span is a range of rows of a table, from First up to but not including End.
type Span struct{ First, End int }

// Union returns the rows that are in any of the lists, in order and without overlap.
func Union(lists ...[]Span) []Span {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b Span) int { return cmp.Compare(a.First, b.First) })
	var out []Span
	for _, s := range all {
		if n := len(out); n > 0 && s.First <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// Difference is the error of Compare for the first embedding value in which two systems differ.
type Difference struct {
	Systems [2]string // their names
	Table   int
	Name    string // name of the table
	Row     uint32
	Element int
	Values  [2]float32
}

func (d *Difference) Error() string {
	return fmt.Sprintf("train: table %d (%q), row %d, element %d: %s has %v (%#08x), %s has %v (%#08x)",
		d.Table, d.Name, d.Row, d.Element,
		d.Systems[0], d.Values[0], math.Float32bits(d.Values[0]), d.Systems[1], d.Values[1], math.Float32bits(d.Values[1]))
}

// Compare compares all parameters of two systems bit by bit and returns the number of parameters.
// It reads only rows that either system has touched, because all other rows still have their
// initial values. It returns an error if the models differ, if a dense parameter differs, or if a
// row cannot be read; a *Difference if an embedding row differs.
func Compare(a, b System) (int64, error) {
	model := a.Model()
	if err := sameTables(model, b.Model()); err != nil {
		return 0, fmt.Errorf("train: %s and %s: %w", a.Name(), b.Name(), err)
	}
	if err := a.Net().Diff(b.Net()); err != nil {
		return 0, fmt.Errorf("train: dense part of %s, compared with %s: %w", a.Name(), b.Name(), err)
	}
	for t := range model.Tables {
		if err := compareTable(a, b, t); err != nil {
			return 0, err
		}
	}
	return Parameters(a), nil
}

func sameTables(a, b dlrm.Config) error {
	if a.Dim != b.Dim || len(a.Tables) != len(b.Tables) {
		return fmt.Errorf("%d tables of dimension %d and %d of dimension %d cannot be compared", len(a.Tables), a.Dim, len(b.Tables), b.Dim)
	}
	for i := range a.Tables {
		if x, y := a.Tables[i].Rows, b.Tables[i].Rows; x != y {
			return fmt.Errorf("table %d has %d rows and %d rows", i, x, y)
		}
	}
	return nil
}

func compareTable(a, b System, table int) error {
	for _, s := range Union(a.Touched(table), b.Touched(table)) {
		for row := s.First; row < s.End; row++ {
			if err := compareRow(a, b, table, uint32(row)); err != nil {
				return err
			}
		}
	}
	return nil
}

func compareRow(a, b System, table int, row uint32) error {
	model := a.Model()
	var rows [2][]float32
	for i, s := range []System{a, b} {
		rows[i] = make([]float32, model.Dim)
		if err := s.Row(table, row, rows[i]); err != nil {
			return fmt.Errorf("train: table %d (%q), row %d of %s: %w", table, model.Tables[table].Name, row, s.Name(), err)
		}
	}
	e := dlrm.FirstDiff(rows[0], rows[1])
	if e < 0 {
		return nil
	}
	return &Difference{
		Systems: [2]string{a.Name(), b.Name()}, Table: table, Name: model.Tables[table].Name,
		Row: row, Element: e, Values: [2]float32{rows[0][e], rows[1][e]},
	}
}
