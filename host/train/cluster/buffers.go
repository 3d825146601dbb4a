package cluster

import (
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Buffers hold, on each GPU, the rows that the GPU gets from host memory for its inputs of a
// mini-batch.
type Buffers struct {
	cluster *Cluster
	tables  *Tables
	regions []*server.Region // by GPU
	slots   []map[Row]int    // by GPU
	row     []float32
}

// NewBuffers allocates memory on each GPU for all rows that its share of the given number of inputs
// can read.
func NewBuffers(c *Cluster, t *Tables, inputs int) *Buffers {
	model := c.from.Model
	b := &Buffers{cluster: c, tables: t, slots: make([]map[Row]int, len(c.GPUs)), row: make([]float32, model.Dim)}
	for g, gpu := range c.GPUs {
		b.regions = append(b.regions, gpu.Memory.Alloc("rows of a mini-batch", max(1, c.Share(inputs, g))*model.Lookups()*t.rowBytes()))
	}
	return b
}

// Fetched counts what a mini-batch got from host memory.
type Fetched struct {
	Rows    int // distinct rows per GPU, summed over GPUs
	Lookups int // lookups of these rows
	Bags    int // bags that contain such lookups
}

// Fetch replaces the rows on each GPU by the distinct rows that its share of the inputs reads and
// for which wanted returns true. It returns an error if a row does not exist.
func (b *Buffers) Fetch(batch dlrm.Batch, inputs []int, wanted func(Row) bool) (Fetched, error) {
	var f Fetched
	var failed error
	for g := range b.regions {
		b.slots[g] = map[Row]int{}
		for _, i := range b.cluster.Deal(inputs, g) {
			last := -1
			EachLookup(b.cluster.GPUs[g].bags, batch.At(i), func(bag int, row Row) {
				if !wanted(row) {
					return
				}
				f.Lookups++
				if bag != last {
					f.Bags, last = f.Bags+1, bag
				}
				if _, there := b.slots[g][row]; !there {
					if err := b.copy(g, row); err != nil && failed == nil {
						failed = err
					}
					f.Rows++
				}
			})
		}
	}
	size := b.tables.rowBytes()
	b.cluster.Ledger().Fetched(f.Rows*size, f.Lookups*size, f.Bags*size)
	return f, failed
}

// copy copies a row to the next free slot of a GPU.
func (b *Buffers) copy(g int, row Row) error {
	slot := len(b.slots[g])
	b.slots[g][row] = slot
	if b.cluster.Valueless() {
		return nil
	}
	if err := b.tables.Read(row.Table, row.Index, b.row); err != nil {
		return err
	}
	return b.regions[g].WriteFloat32s(slot*b.tables.rowBytes(), b.row)
}

// ReadOn reads a fetched row from the memory of a GPU. It is safe for concurrent use by several
// GPUs.
func (b *Buffers) ReadOn(g int, row Row, dst []float32) error {
	return b.regions[g].ReadFloat32s(b.slots[g][row]*b.tables.rowBytes(), dst)
}

// Pool pools the rows of an input on a GPU. It reads each row with read.
func (c *Cluster) Pool(g int, in dlrm.Sample, pooled []float32, read func(g int, row Row, dst []float32) error) error {
	var failed error
	row := make([]float32, c.from.Model.Dim)
	c.from.Model.PoolSample(pooled, in.Sparse, func(table int, index uint32) []float32 {
		if err := read(g, Row{table, index}, row); err != nil && failed == nil {
			failed = err
		}
		return row
	})
	return failed
}
