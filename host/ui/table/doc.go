// Package table prints tables and text for people. Away from a terminal, a table is as wide as
// its cells. On a terminal that is too narrow for it, the columns are stacked in groups that fit,
// each behind the columns that name the rows. If not even such a group fits, every cell is a line
// of its own. No number and no word continues on the next line.
//
//	t := table.Table{Columns: []table.Column{{Name: "system", Text: true}, {Name: "time"}}, Rows: rows}
//	io.WriteString(w, t.Format(table.Width(w)))
package table
