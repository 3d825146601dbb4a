package parts

import (
	"encoding/binary"
	"math"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
)

// Tables are a model's embedding tables in memory, each in a region of its own,
// row after row. A page is filled with the values of a state when it is first
// touched.
type Tables struct {
	model   rec.Config
	from    *train.State
	regions []*server.Region
	scratch []float32
}

// NewTables takes memory for the tables of a model, which begin as in a state, and
// for what the optimiser keeps of their rows.
func NewTables(s *server.Space, from *train.State) *Tables {
	model := from.Model
	t := &Tables{model: model, from: from, scratch: make([]float32, model.Dim)}
	for i, table := range model.Tables {
		t.regions = append(t.regions, s.AllocFilled("embedding tables", table.Rows*t.rowBytes(), func(offset int, p []byte) {
			t.fill(i, offset, p)
		}))
		ReserveStates(s, "optimiser states of embedding rows", model, table.Rows*model.Dim)
	}
	return t
}

func (t *Tables) rowBytes() int { return valueBytes * t.model.Dim }

const valueBytes = 4

// fill writes the initial values of a page, which may begin and end within a
// row.
func (t *Tables) fill(table, offset int, p []byte) {
	size := t.rowBytes()
	row := make([]byte, size)
	for index := offset / size; index < t.model.Tables[table].Rows && index*size < offset+len(p); index++ {
		t.from.Row(table, uint32(index), t.scratch)
		for i, v := range t.scratch {
			binary.LittleEndian.PutUint32(row[valueBytes*i:], math.Float32bits(v))
		}
		if at := index*size - offset; at >= 0 {
			copy(p[at:], row)
		} else {
			copy(p, row[-at:])
		}
	}
}

// Touched lists the rows of a table whose pages have been touched, in order.
func (t *Tables) Touched(table int) []train.Span {
	var list []train.Span
	size := t.rowBytes()
	for _, at := range t.regions[table].TouchedPages() {
		list = append(list, train.Span{First: at / size, End: min(t.model.Tables[table].Rows, (at+node.PageSize-1)/size+1)})
	}
	return train.Union(list)
}

// Address is the bus address of row 0 of a table.
func (t *Tables) Address(table int) uint64 { return t.regions[table].Address() }

// Read reads a row into dst (Dim values). The error is that it does not exist.
func (t *Tables) Read(table int, index uint32, dst []float32) error {
	return t.regions[table].ReadFloat32s(int(index)*t.rowBytes(), dst)
}

// Write replaces a row. The error is that it does not exist.
func (t *Tables) Write(table int, index uint32, src []float32) error {
	return t.regions[table].WriteFloat32s(int(index)*t.rowBytes(), src)
}
