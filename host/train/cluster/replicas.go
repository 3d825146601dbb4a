package cluster

import (
	"fmt"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Replicas are rows that all GPUs hold, with equal values, instead of host memory. On a machine
// with values, the old copies in host memory are poisoned with NaN.
type Replicas struct {
	cluster *Cluster
	tables  *Tables
	regions []*server.Region // by GPU
	slots   map[Row]int
	free    []int // free slots below the highest slot ever used
	row     []float32
	other   []float32
}

// replicaStore names the slots of replicas in a watch.
const replicaStore = "hot tables"

// NewReplicas allocates memory on each GPU for the given number of rows, which must be positive,
// and for their optimiser states.
func NewReplicas(c *Cluster, t *Tables, rows int) *Replicas {
	model := c.from.Model
	r := &Replicas{cluster: c, tables: t, slots: map[Row]int{}, row: make([]float32, model.Dim), other: make([]float32, model.Dim)}
	for _, gpu := range c.GPUs {
		r.regions = append(r.regions, gpu.Memory.AllocRows("hot table", rows, t.rowBytes(), func(int, []byte) {}))
		ReserveRowStates(gpu.Memory, "optimiser states of hot rows", model, rows)
	}
	return r
}

// Len returns the number of rows on the GPUs.
func (r *Replicas) Len() int { return len(r.slots) }

// Has reports whether a row is on the GPUs.
func (r *Replicas) Has(row Row) bool {
	_, ok := r.slots[row]
	return ok
}

// Set replaces the rows on the GPUs by the given rows, which are in the order of table and index.
// It returns how many rows were added and removed. It returns an error if a row does not exist, or
// if the GPUs hold different values.
func (r *Replicas) Set(rows []Row) (in, out int, err error) {
	stays := map[Row]bool{}
	for _, row := range rows {
		stays[row] = true
	}
	var leaving []Row
	for row := range r.slots {
		if !stays[row] {
			leaving = append(leaving, row)
		}
	}
	slices.SortFunc(leaving, Row.Compare)
	for _, row := range leaving {
		if err := r.demote(row); err != nil {
			return in, out, err
		}
		out++
	}
	for _, row := range rows {
		if r.Has(row) {
			continue
		}
		if err := r.promote(row); err != nil {
			return in, out, err
		}
		in++
	}
	return in, out, nil
}

// demote writes a row back to host memory and frees its slot.
func (r *Replicas) demote(row Row) error {
	if err := r.Read(row, r.row); err != nil {
		return err
	}
	if err := r.tables.Write(row.Table, row.Index, r.row); err != nil {
		return err
	}
	slot := r.slots[row]
	r.cluster.Watch.Drop(replicaStore, slot)
	delete(r.slots, row)
	r.free = append(r.free, slot)
	return nil
}

// promote copies a row to all GPUs and poisons it in host memory.
func (r *Replicas) promote(row Row) error {
	if err := r.tables.Read(row.Table, row.Index, r.row); err != nil {
		return err
	}
	slot := len(r.slots)
	if n := len(r.free); n > 0 {
		slot, r.free = r.free[n-1], r.free[:n-1]
	}
	r.slots[row] = slot
	for g := range r.regions {
		if err := r.write(g, slot, r.row); err != nil {
			return err
		}
	}
	r.cluster.Watch.Keep(replicaStore, slot, row.Table, row.Index)
	if r.cluster.Valueless() {
		return nil
	}
	for i := range r.row {
		r.row[i] = float32(math.NaN())
	}
	return r.tables.Overwrite(row.Table, row.Index, r.row)
}

// ReadOn reads a row from the memory of a GPU. It is safe for concurrent use by several GPUs.
func (r *Replicas) ReadOn(g int, row Row, dst []float32) error {
	return r.regions[g].ReadFloat32s(r.slots[row]*r.tables.rowBytes(), dst)
}

func (r *Replicas) write(g, slot int, src []float32) error {
	return r.regions[g].WriteFloat32s(slot*r.tables.rowBytes(), src)
}

// Read reads a row from all GPUs. It returns an error if their values differ.
func (r *Replicas) Read(row Row, dst []float32) error {
	if err := r.ReadOn(0, row, dst); err != nil {
		return err
	}
	for g := 1; g < len(r.regions); g++ {
		if err := r.regions[g].Inspect(r.slots[row]*r.tables.rowBytes(), r.other); err != nil {
			return err
		}
		if i := dlrm.FirstDiff(dst, r.other); i >= 0 {
			return fmt.Errorf("replicas of row %d of table %d differ: GPU %d has %v in element %d, GPU 0 has %v", row.Index, row.Table, g, r.other[i], i, dst[i])
		}
	}
	return nil
}

// Row reads a row from its current location, the GPUs or host memory. It returns an error if the
// row does not exist, or if the GPUs hold different values.
func (r *Replicas) Row(table int, index uint32, dst []float32) error {
	if row := (Row{table, index}); r.Has(row) {
		return r.Read(row, dst)
	}
	return r.tables.Read(table, index, dst)
}

// Update applies the steps of rows on all GPUs.
func (r *Replicas) Update(steps []dlrm.RowGrad) error {
	for _, s := range steps {
		row := Row{s.Table, s.Index}
		for g := range r.regions {
			if err := r.ReadOn(g, row, r.row); err != nil {
				return err
			}
			dlrm.UpdateRow(r.row, s.Grad, -r.cluster.from.Model.LearningRate)
			if err := r.write(g, r.slots[row], r.row); err != nil {
				return err
			}
		}
	}
	return nil
}

// Split divides steps into steps of rows on the GPUs and steps of rows in host memory.
func (r *Replicas) Split(steps []dlrm.RowGrad) (hot, cold []dlrm.RowGrad) {
	for _, s := range steps {
		if r.Has(Row{s.Table, s.Index}) {
			hot = append(hot, s)
		} else {
			cold = append(cold, s)
		}
	}
	return hot, cold
}
