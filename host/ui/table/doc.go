// Package table prints tables and text for people. Outside a terminal, a table is as wide as its
// cells. On a terminal that is too narrow, the columns are divided into groups that fit, each
// preceded by the key columns. If even such groups do not fit, each cell is printed on a separate
// line. No number and no word is divided.
//
//	t := table.Table{Columns: []table.Column{{Name: "system", Text: true}, {Name: "time"}}, Rows: rows}
//	io.WriteString(w, t.Format(table.Width(w)))
package table
