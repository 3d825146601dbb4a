package sweep

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
)

// Table has a row for each point of a sweep: its number, the values of the axes, status, message,
// and the figures of its result, by name.
type Table struct {
	Columns []string
	Rows    [][]any // int64, float64, bool or string; nil if there is no value

	axes int // columns 1 to axes
	kept *Store
	ends []End
}

// Counts contains the number of points with each status.
type Counts struct{ Done, Failed, Missing int }

// Table collects the available results.
func (s *Store) Table() (*Table, error) {
	t := &Table{axes: len(s.Plan.Axes), kept: s}
	found := make([]map[string]any, len(s.Plan.Points))
	names := map[string]bool{}
	for n, p := range s.Plan.Points {
		e, err := s.End(n)
		if err != nil {
			return nil, err
		}
		t.ends = append(t.ends, e)
		row := []any{int64(n)}
		for _, v := range p.Values {
			row = append(row, cell(v))
		}
		t.Rows = append(t.Rows, append(row, e.Status, message(e)))
		if e.Status == Missing {
			continue
		}
		output, err := s.output(n, e)
		if err != nil {
			return nil, err
		}
		found[n] = figures(output)
		for name := range found[n] {
			names[name] = true
		}
	}
	t.Columns = append(append([]string{"point"}, s.Plan.Axes...), "status", "message")
	t.addFigures(slices.Sorted(maps.Keys(names)), found)
	return t, nil
}

func message(e End) any {
	if e.Status == Failed {
		return e.Message
	}
	return nil
}

// addFigures adds columns. A figure with the name of an axis has the prefix "result.".
func (t *Table) addFigures(names []string, found []map[string]any) {
	fixed := slices.Clone(t.Columns)
	for _, name := range names {
		if slices.Contains(fixed, name) {
			t.Columns = append(t.Columns, "result."+name)
		} else {
			t.Columns = append(t.Columns, name)
		}
	}
	for n := range t.Rows {
		for _, name := range names {
			t.Rows[n] = append(t.Rows[n], found[n][name])
		}
	}
	for c := range t.Columns {
		t.unify(c)
	}
}

// cell converts the value of an axis. Lists and objects are converted to JSON.
func cell(v json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	var x any
	if d.Decode(&x) != nil {
		return string(v)
	}
	switch x := x.(type) {
	case json.Number:
		return number(x)
	case bool, string:
		return x
	}
	return string(v)
}

// unify converts all cells of a column to the same type. Integers become floating-point numbers if
// there are both, and all values become text if they have other types.
func (t *Table) unify(c int) {
	types := map[string]bool{}
	for _, row := range t.Rows {
		if row[c] != nil {
			types[fmt.Sprintf("%T", row[c])] = true
		}
	}
	if len(types) < 2 {
		return
	}
	numbers := len(types) == 2 && types["int64"] && types["float64"]
	for _, row := range t.Rows {
		if i, whole := row[c].(int64); numbers && whole {
			row[c] = float64(i)
		} else if !numbers && row[c] != nil {
			row[c] = written(row[c])
		}
	}
}

// written formats a cell as text; nil is empty.
func written(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return v
	}
	return fmt.Sprint(v)
}

// Counts counts the rows by status.
func (t *Table) Counts() (c Counts) {
	for _, e := range t.ends {
		switch e.Status {
		case Done:
			c.Done++
		case Failed:
			c.Failed++
		default:
			c.Missing++
		}
	}
	return c
}

// WriteCSV writes the table as CSV. The header contains typed names, such as time:int64. A missing
// value is an empty field.
func (t *Table) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	head := slices.Clone(t.Columns)
	for i, name := range head {
		head[i] = name + ":" + t.typeOf(i)
	}
	if err := c.Write(head); err != nil {
		return err
	}
	for _, row := range t.Rows {
		line := make([]string, len(row))
		for i, v := range row {
			line[i] = written(v)
		}
		if err := c.Write(line); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// typeOf returns the type of a column in the notation of Apache Arrow and Parquet. It returns
// string for an empty column.
func (t *Table) typeOf(c int) string {
	for _, row := range t.Rows {
		switch row[c].(type) {
		case int64:
			return "int64"
		case float64:
			return "double"
		case bool:
			return "bool"
		}
	}
	return "string"
}

// column returns the index of the column with this name, or -1.
func (t *Table) column(name string) int { return slices.Index(t.Columns, name) }
