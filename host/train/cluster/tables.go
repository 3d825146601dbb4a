package cluster

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/audit"
)

// Tables are a model's embedding tables in memory. Each table is a region of consecutive rows. The
// first access to a row initializes it from a state.
type Tables struct {
	model   dlrm.Config
	from    *train.State
	space   *server.Space
	regions []*server.Region
	scratch []float32
}

// NewTables allocates memory for the tables of a model, with the initial values of a state, and for
// the optimiser states of their rows.
func NewTables(s *server.Space, from *train.State) *Tables {
	return NewSomeTables(s, from, func(int) bool { return true })
}

// NewSomeTables is like [NewTables], but allocates only the tables for which has returns true. Only
// these tables may be used.
func NewSomeTables(s *server.Space, from *train.State, has func(table int) bool) *Tables {
	model := from.Model
	t := &Tables{model: model, from: from, space: s, regions: make([]*server.Region, len(model.Tables)), scratch: make([]float32, model.Dim)}
	for i, table := range model.Tables {
		if !has(i) {
			continue
		}
		t.regions[i] = s.AllocRows("embedding tables", table.Rows, t.rowBytes(), func(row int, p []byte) {
			t.fill(i, row, p)
		})
		ReserveRowStates(s, "optimiser states of embedding rows", model, table.Rows)
	}
	return t
}

func (t *Tables) rowBytes() int { return valueBytes * t.model.Dim }

const valueBytes = 4

// fill writes the initial values of a row.
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

// Address returns the bus address of row 0 of a table.
func (t *Tables) Address(table int) uint64 { return t.regions[table].Address() }

// Read reads a row into dst (Dim values). It returns an error if the row does not exist.
func (t *Tables) Read(table int, index uint32, dst []float32) error {
	return t.regions[table].ReadFloat32s(int(index)*t.rowBytes(), dst)
}

// ReadBytes reads a row in its memory representation, little-endian float32 values. It returns an
// error if the row does not exist.
func (t *Tables) ReadBytes(table int, index uint32, p []byte) error {
	return t.regions[table].Read(int(index)*t.rowBytes(), p)
}

// Write replaces a row. It returns an error if the row does not exist.
func (t *Tables) Write(table int, index uint32, src []float32) error {
	return t.regions[table].WriteFloat32s(int(index)*t.rowBytes(), src)
}

// Overwrite is like Write for values that no processor of the machine writes: poison, and rows from
// before a fault.
func (t *Tables) Overwrite(table int, index uint32, src []float32) error {
	return t.regions[table].Deliver(int(index)*t.rowBytes(), src)
}

// Inspect is like Read for values that no processor of the machine reads.
func (t *Tables) Inspect(table int, index uint32, dst []float32) error {
	return t.regions[table].Inspect(int(index)*t.rowBytes(), dst)
}

// Pool pools the rows of inputs on the CPU. It returns inputs x bags x Dim values and reuses the
// memory of pooled. It returns an error if a row does not exist.
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

// Update applies steps, scaled by the learning rate, to rows on the CPU. It returns an error if a
// row does not exist.
func (t *Tables) Update(steps []dlrm.RowGrad) error {
	audit.Of(t.space).Updated(len(steps) * t.rowBytes())
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
