package cluster

import "github.com/hotline-rtl/hotline/host/dlrm"

// Tiers keeps rows in two places: hot rows on all GPUs, and cold rows in host memory, from which
// the GPUs get copies for each mini-batch. A hot row counts as touched in host memory.
type Tiers struct {
	*Tables
	*Replicas // the hot rows
	cold      *Buffers
}

// NewTiers allocates memory for the tables in host memory and for the given number of hot rows.
func NewTiers(c *Cluster, rows int) *Tiers {
	t := NewTables(c.machine.Host, c.from)
	return &Tiers{Tables: t, Replicas: NewReplicas(c, t, rows)}
}

// Buffer allocates memory for the cold rows of mini-batches of at most the given number of inputs.
func (t *Tiers) Buffer(inputs int) { t.cold = NewBuffers(t.Replicas.cluster, t.Tables, inputs) }

// Fetch copies the cold rows of inputs to the GPUs.
func (t *Tiers) Fetch(batch dlrm.Batch, inputs []int) (Fetched, error) {
	return t.cold.Fetch(batch, inputs, func(row Row) bool { return !t.Has(row) })
}

// ReadOn reads a row from the memory of a GPU, hot or fetched.
func (t *Tiers) ReadOn(g int, row Row, dst []float32) error {
	if t.Has(row) {
		return t.Replicas.ReadOn(g, row, dst)
	}
	return t.cold.ReadOn(g, row, dst)
}

// Update updates hot rows on the GPUs and cold rows on the CPU. It returns the number of each.
func (t *Tiers) Update(steps []dlrm.RowGrad) (hot, cold int, err error) {
	on, off := t.Split(steps)
	if err := t.Replicas.Update(on); err != nil {
		return 0, 0, err
	}
	return len(on), len(off), t.Tables.Update(off)
}
