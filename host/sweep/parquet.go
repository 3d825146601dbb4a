package sweep

import (
	"cmp"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// WriteParquet writes the table as a Parquet file: the columns in their order, all
// optional; whole numbers in 64 bits, others in double precision.
func (t *Table) WriteParquet(w io.Writer) error {
	group := parquet.Group{}
	for c, name := range t.Columns {
		group[name] = parquet.Optional(t.node(c))
	}
	p := parquet.NewWriter(w, parquet.NewSchema("sweep", inOrder{group, t.Columns}), parquet.Compression(&parquet.Zstd))
	for _, row := range t.Rows {
		var values parquet.Row
		for c, v := range row {
			defined := 1
			if v == nil {
				defined = 0
			}
			values = append(values, parquet.ValueOf(v).Level(0, defined, c))
		}
		if _, err := p.WriteRows([]parquet.Row{values}); err != nil {
			return err
		}
	}
	return p.Close()
}

// node is the type of a column; text if nothing is in it.
func (t *Table) node(c int) parquet.Node {
	for _, row := range t.Rows {
		switch row[c].(type) {
		case int64:
			return parquet.Int(64)
		case float64:
			return parquet.Leaf(parquet.DoubleType)
		case bool:
			return parquet.Leaf(parquet.BooleanType)
		case string:
			return parquet.String()
		}
	}
	return parquet.String()
}

// inOrder is a group of columns that keep their order; by itself a group sorts them.
type inOrder struct {
	parquet.Group
	names []string
}

// Fields implements parquet.Node.
func (n inOrder) Fields() []parquet.Field {
	fields := n.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return cmp.Compare(slices.Index(n.names, a.Name()), slices.Index(n.names, b.Name()))
	})
	return fields
}
