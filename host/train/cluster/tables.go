package cluster

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// Tables are a model's embedding tables in memory, each in a region of its own,
// row after row. A row gets the values of a state when it is first touched.
type Tables struct {
	model   dlrm.Config
	from    *train.State
	regions []*server.Region
	scratch []float32
}

// NewTables takes memory for the tables of a model, which begin as in a state, and
// for what the optimiser keeps of their rows.
func NewTables(s *server.Space, from *train.State) *Tables {
	return NewSomeTables(s, from, func(int) bool { return true })
}

// NewSomeTables is NewTables for the tables of these numbers, the only ones that may
// be used then.
func NewSomeTables(s *server.Space, from *train.State, has func(table int) bool) *Tables {
	model := from.Model
	t := &Tables{model: model, from: from, regions: make([]*server.Region, len(model.Tables)), scratch: make([]float32, model.Dim)}
	for i, table := range model.Tables {
		if !has(i) {
			continue
		}
		t.regions[i] = s.AllocRows("embedding tables", table.Rows, t.rowBytes(), func(row int, p []byte) {
			t.fill(i, row, p)
		})
		ReserveStates(s, "optimiser states of embedding rows", model, table.Rows*model.Dim)
	}
	return t
}

func (t *Tables) rowBytes() int { return valueBytes * t.model.Dim }

const valueBytes = 4

// fill writes the values that a row begins with.
func (t *Tables) fill(table, row int, p []byte) {
	t.from.Row(table, uint32(row), t.scratch)
	for i, v := range t.scratch {
		binary.LittleEndian.PutUint32(p[valueBytes*i:], math.Float32bits(v))
	}
}

// Touched lists the rows of a table that have been touched, in order.
func (t *Tables) Touched(table int) []train.Span {
	var list []train.Span
	for row := range t.regions[table].TouchedRows() {
		if n := len(list); n > 0 && list[n-1].End == row {
			list[n-1].End++
		} else {
			list = append(list, train.Span{First: row, End: row + 1})
		}
	}
	return list
}

// Address is the bus address of row 0 of a table.
func (t *Tables) Address(table int) uint64 { return t.regions[table].Address() }

// Read reads a row into dst (Dim values). The error is that it does not exist.
func (t *Tables) Read(table int, index uint32, dst []float32) error {
	return t.regions[table].ReadFloat32s(int(index)*t.rowBytes(), dst)
}

// ReadBytes reads a row as it lies in memory. The error is that it does not exist.
func (t *Tables) ReadBytes(table int, index uint32, p []byte) error {
	return t.regions[table].Read(int(index)*t.rowBytes(), p)
}

// Write replaces a row. The error is that it does not exist.
func (t *Tables) Write(table int, index uint32, src []float32) error {
	return t.regions[table].WriteFloat32s(int(index)*t.rowBytes(), src)
}

// Pool reads the rows of inputs and pools them on the CPU: inputs x bags x Dim
// values, for which it uses the memory of pooled again. The error is that a row
// does not exist.
func (t *Tables) Pool(batch dlrm.Batch, pooled []float32) ([]float32, error) {
	size, row := len(t.model.Bags())*t.model.Dim, make([]float32, t.model.Dim)
	pooled = slices.Grow(pooled[:0], batch.Len()*size)[:batch.Len()*size]
	var failed error
	for i := range batch.Len() {
		t.model.PoolSample(pooled[i*size:(i+1)*size], batch.At(i).Sparse, func(table int, index uint32) []float32 {
			if err := t.Read(table, index, row); err != nil && failed == nil {
				failed = err
			}
			return row
		})
	}
	return pooled, failed
}

// Update adds the scaled steps of rows to them, on the CPU. The error is that a row
// does not exist.
func (t *Tables) Update(steps []dlrm.RowGrad) error {
	row := make([]float32, t.model.Dim)
	for _, r := range steps {
		if err := t.Read(r.Table, r.Index, row); err != nil {
			return err
		}
		dlrm.UpdateRow(row, r.Grad, -t.model.LearningRate)
		if err := t.Write(r.Table, r.Index, row); err != nil {
			return err
		}
	}
	return nil
}
