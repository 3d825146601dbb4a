package cluster

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// Shards are a model's embedding tables in the memory of the GPUs, distributed row by row: with n
// GPUs, row r of table t is on GPU (r+t) mod n.
type Shards struct {
	cluster *Cluster
	filler  Tables
	regions [][]*server.Region // by GPU and table
	row     []float32
}

// NewShards allocates memory on all GPUs for the tables, with the initial values of a state, and
// for the optimiser states of their rows.
func NewShards(c *Cluster, from *train.State) *Shards {
	model := from.Model
	s := &Shards{cluster: c, filler: Tables{model: model, from: from, scratch: make([]float32, model.Dim)}, row: make([]float32, model.Dim)}
	for g, gpu := range c.GPUs {
		var regions []*server.Region
		for t, table := range model.Tables {
			rows := max(1, (table.Rows-s.first(g, t)+len(c.GPUs)-1)/len(c.GPUs))
			regions = append(regions, gpu.Memory.AllocRows("embedding tables", rows, s.filler.rowBytes(), func(local int, p []byte) {
				if row := s.global(g, t, local); row < table.Rows {
					s.filler.fill(t, row, p)
				}
			}))
			ReserveRowStates(gpu.Memory, "optimiser states of embedding rows", model, rows)
		}
		s.regions = append(s.regions, regions)
	}
	return s
}

// first returns the first row of a table that is on GPU g.
func (s *Shards) first(g, table int) int {
	n := len(s.cluster.GPUs)
	return ((g-table)%n + n) % n
}

func (s *Shards) global(g, table, local int) int {
	return local*len(s.cluster.GPUs) + s.first(g, table)
}

// Owner returns the GPU that holds a row.
func (s *Shards) Owner(row Row) int { return (int(row.Index) + row.Table) % len(s.cluster.GPUs) }

// place returns the region that holds a row, and the row's offset in it.
func (s *Shards) place(row Row) (at *server.Region, offset int) {
	return s.regions[s.Owner(row)][row.Table], int(row.Index) / len(s.cluster.GPUs) * s.filler.rowBytes()
}

// Read reads a row into dst (Dim values). It returns an error if the row does not exist.
func (s *Shards) Read(row Row, dst []float32) error {
	at, offset := s.place(row)
	return at.ReadFloat32s(offset, dst)
}

// Update applies the steps of rows, each on the GPU that holds the row.
func (s *Shards) Update(steps []dlrm.RowGrad) error {
	for _, step := range steps {
		at, offset := s.place(Row{step.Table, step.Index})
		if err := at.ReadFloat32s(offset, s.row); err != nil {
			return err
		}
		dlrm.UpdateRow(s.row, step.Grad, -s.cluster.from.Model.LearningRate)
		if err := at.WriteFloat32s(offset, s.row); err != nil {
			return err
		}
	}
	return nil
}

// Touched lists the rows of a table that have been touched, in order.
func (s *Shards) Touched(table int) []train.Span {
	var list []train.Span
	for g := range s.regions {
		for local := range s.regions[g][table].TouchedRows() {
			row := s.global(g, table, local)
			list = append(list, train.Span{First: row, End: row + 1})
		}
	}
	return train.Union(list)
}

// Exchange copies the rows of each GPU's inputs, lookup by lookup, from the GPUs that hold them. It
// counts how many rows each GPU sends.
type Exchange struct {
	shards  *Shards
	regions []*server.Region // receive buffers, by GPU
}

// NewExchange allocates memory on each GPU for the rows of its share of the given number of inputs.
func NewExchange(s *Shards, inputs int) *Exchange {
	e := &Exchange{shards: s}
	for g, gpu := range s.cluster.GPUs {
		e.regions = append(e.regions, gpu.Memory.Alloc("rows of a mini-batch", max(1, s.cluster.Share(inputs, g))*s.filler.model.Lookups()*s.filler.rowBytes()))
	}
	return e
}

// Gather copies the rows and returns how many each GPU sends, including rows that it keeps.
func (e *Exchange) Gather(batch dlrm.Batch, inputs []int) (given []int, err error) {
	s := e.shards
	given = make([]int, len(e.regions))
	for g := range e.regions {
		at := 0
		for _, i := range s.cluster.Deal(inputs, g) {
			EachLookup(s.cluster.GPUs[g].bags, batch.At(i), func(_ int, row Row) {
				given[s.Owner(row)]++
				if moved := e.move(g, at, row); err == nil {
					err = moved
				}
				at += s.filler.rowBytes()
			})
		}
	}
	e.shards.cluster.Ledger().Exchanged(len(given), slices.Max(given)*s.filler.rowBytes())
	return given, err
}

// move copies a row into the receive buffer of a GPU.
func (e *Exchange) move(g, offset int, row Row) error {
	if e.shards.cluster.Valueless() {
		return nil
	}
	if err := e.shards.Read(row, e.shards.row); err != nil {
		return err
	}
	return e.regions[g].Deliver(offset, e.shards.row)
}

// Pool pools the rows of the k-th input of a GPU. It is safe for concurrent use by several GPUs.
func (e *Exchange) Pool(g, k int, in dlrm.Sample, pooled []float32) error {
	size := e.shards.filler.rowBytes()
	offset := k * e.shards.filler.model.Lookups() * size
	return e.shards.cluster.Pool(g, in, pooled, func(g int, _ Row, dst []float32) error {
		err := e.regions[g].Inspect(offset, dst) // the exchange is counted as a whole
		offset += size
		return err
	})
}
