package cluster

import (
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// Shards are a model's embedding tables in the memory of the GPUs, dealt out row by
// row: of n GPUs, row r of table t is on GPU (r+t) mod n.
type Shards struct {
	cluster *Cluster
	filler  Tables
	regions [][]*server.Region // by GPU and table
	row     []float32
}

// NewShards takes memory of all GPUs for the tables, which begin as in a state, and
// for what the optimiser keeps of their rows.
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
			ReserveStates(gpu.Memory, "optimiser states of embedding rows", model, rows*model.Dim)
		}
		s.regions = append(s.regions, regions)
	}
	return s
}

// first is the first row of a table that is on a GPU, and global the number of the
// local-th of them.
func (s *Shards) first(g, table int) int {
	n := len(s.cluster.GPUs)
	return ((g-table)%n + n) % n
}

func (s *Shards) global(g, table, local int) int {
	return local*len(s.cluster.GPUs) + s.first(g, table)
}

// Owner is the GPU that has a row.
func (s *Shards) Owner(row Row) int { return (int(row.Index) + row.Table) % len(s.cluster.GPUs) }

// place is where a row is.
func (s *Shards) place(row Row) (at *server.Region, offset int) {
	return s.regions[s.Owner(row)][row.Table], int(row.Index) / len(s.cluster.GPUs) * s.filler.rowBytes()
}

// Read reads a row into dst (Dim values). The error is that it does not exist.
func (s *Shards) Read(row Row, dst []float32) error {
	at, offset := s.place(row)
	return at.ReadFloat32s(offset, dst)
}

// Update makes the steps of rows, each on the GPU that has it.
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

// Exchange lets each GPU have the rows of its share of the inputs, lookup by lookup,
// from those that have them, and counts how many each gives.
type Exchange struct {
	shards  *Shards
	regions []*server.Region // by GPU, that gets
}

// NewExchange takes memory of each GPU for the rows of its share of so many inputs.
func NewExchange(s *Shards, inputs int) *Exchange {
	e := &Exchange{shards: s}
	for g, gpu := range s.cluster.GPUs {
		e.regions = append(e.regions, gpu.Memory.Alloc("rows of a mini-batch", max(1, s.cluster.Share(inputs, g))*s.filler.model.Lookups()*s.filler.rowBytes()))
	}
	return e
}

// Gather moves the rows, and tells how many each GPU gives, to itself included.
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
	return given, err
}

// move copies a row to a place on a GPU.
func (e *Exchange) move(g, offset int, row Row) error {
	if e.shards.cluster.Valueless() {
		return nil
	}
	if err := e.shards.Read(row, e.shards.row); err != nil {
		return err
	}
	return e.regions[g].WriteFloat32s(offset, e.shards.row)
}

// Pool pools the rows of the k-th input of a GPU. Many GPUs may do that at once.
func (e *Exchange) Pool(g, k int, in dlrm.Sample, pooled []float32) error {
	size := e.shards.filler.rowBytes()
	offset := k * e.shards.filler.model.Lookups() * size
	return e.shards.cluster.Pool(g, in, pooled, func(g int, _ Row, dst []float32) error {
		err := e.regions[g].ReadFloat32s(offset, dst)
		offset += size
		return err
	})
}
