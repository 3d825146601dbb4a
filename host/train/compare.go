package train

import (
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/rec"
)

// Difference is the first embedding value in which two systems differ.
type Difference struct {
	Systems [2]string // names
	Table   int
	Name    string // of the table
	Row     uint32
	Element int
	Values  [2]float32
}

func (d *Difference) Error() string {
	return fmt.Sprintf("train: table %d (%q), row %d, element %d: %s has %v (%#08x), %s has %v (%#08x)",
		d.Table, d.Name, d.Row, d.Element,
		d.Systems[0], d.Values[0], math.Float32bits(d.Values[0]), d.Systems[1], d.Values[1], math.Float32bits(d.Values[1]))
}

// Compare looks at all parameters of two systems, bit by bit: the dense ones and
// every row of every table. It returns how many there are. Errors: the models
// differ; the first dense difference; a *Difference; a row that cannot be read.
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

func sameTables(a, b rec.Config) error {
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
	model := a.Model()
	var rows [2][]float32
	for i := range rows {
		rows[i] = make([]float32, model.Dim)
	}
	for row := range model.Tables[table].Rows {
		for i, s := range []System{a, b} {
			if err := s.Row(table, uint32(row), rows[i]); err != nil {
				return fmt.Errorf("train: table %d (%q), row %d of %s: %w", table, model.Tables[table].Name, row, s.Name(), err)
			}
		}
		if e := rec.FirstDiff(rows[0], rows[1]); e >= 0 {
			return &Difference{
				Systems: [2]string{a.Name(), b.Name()}, Table: table, Name: model.Tables[table].Name,
				Row: uint32(row), Element: e, Values: [2]float32{rows[0][e], rows[1][e]},
			}
		}
	}
	return nil
}
