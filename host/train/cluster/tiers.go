package cluster

import "github.com/hotline-rtl/hotline/host/dlrm"

// Tiers are rows in two places: hot rows on all GPUs, and the others in host memory, of
// which the GPUs get copies for a mini-batch. A hot row has been touched in host memory.
type Tiers struct {
	*Tables
	*Replicas // the hot rows
	cold      *Buffers
}

// NewTiers takes memory for rows hot rows.
func NewTiers(c *Cluster, rows int) *Tiers {
	t := NewTables(c.machine.Host, c.from)
	return &Tiers{Tables: t, Replicas: NewReplicas(c, t, rows)}
}

// Buffer takes memory for the copies of mini-batches of so many inputs.
func (t *Tiers) Buffer(inputs int) { t.cold = NewBuffers(t.Replicas.cluster, t.Tables, inputs) }

// Fetch copies to the GPUs the rows of inputs that are not hot.
func (t *Tiers) Fetch(batch dlrm.Batch, inputs []int) (Fetched, error) {
	return t.cold.Fetch(batch, inputs, func(row Row) bool { return !t.Has(row) })
}

// ReadOn reads a row where a GPU has it.
func (t *Tiers) ReadOn(g int, row Row, dst []float32) error {
	if t.Has(row) {
		return t.Replicas.ReadOn(g, row, dst)
	}
	return t.cold.ReadOn(g, row, dst)
}

// Update lets the GPUs update hot rows, and the CPU the others. It returns how many of
// each there are.
func (t *Tiers) Update(steps []dlrm.RowGrad) (hot, cold int, err error) {
	on, off := t.Split(steps)
	if err := t.Replicas.Update(on); err != nil {
		return 0, 0, err
	}
	return len(on), len(off), t.Tables.Update(off)
}
