package elrec

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/tt"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/elrec/reorder"
)

// cores are the tables in tensor-train form, of which each GPU has a replica.
type cores struct {
	model  dlrm.Config
	tables []*table // by number; nil for other tables
	states map[slice][]float32
}

// table is a table in tensor-train form.
type table struct {
	tt.Shape
	order *reorder.Bijection         // new numbers of its rows; nil if rows are not renumbered
	gpus  [][tt.Cores]*server.Region // consecutive slices
}

// slice identifies a slice of a core.
type slice struct{ table, core, no int }

const valueBytes = 4

// newCores allocates memory on each GPU for the cores of some tables and their optimiser states.
func newCores(s *server.Server, from *train.State, rank int, has func(int) bool) (*cores, error) {
	c := &cores{model: from.Model, tables: make([]*table, len(from.Model.Tables)), states: map[slice][]float32{}}
	for i, t := range from.Model.Tables {
		if !has(i) {
			continue
		}
		shape, err := tt.ShapeOf(t.Rows, from.Model.Dim, rank)
		if err != nil {
			return nil, fmt.Errorf("elrec: table %d (%q): %w", i, t.Name, err)
		}
		c.tables[i] = &table{Shape: shape}
		for _, g := range s.GPUs {
			c.tables[i].gpus = append(c.tables[i].gpus, shapeRegions(g.Memory, shape, from.Seed, i))
			cluster.ReserveStates(g.Memory, "optimiser states of TT cores", from.Model, shape.Len())
		}
	}
	return c, nil
}

// shapeRegions allocates memory for the cores of a table. The first access to a slice initializes
// it.
func shapeRegions(s *server.Space, shape tt.Shape, seed uint64, table int) (regions [tt.Cores]*server.Region) {
	for core := range regions {
		scratch := make([]float32, shape.SliceLen(core))
		regions[core] = s.AllocRows("TT cores", shape.Rows[core], valueBytes*len(scratch), func(slice int, p []byte) {
			shape.InitSlice(seed, table, core, slice, scratch)
			for i, v := range scratch {
				binary.LittleEndian.PutUint32(p[valueBytes*i:], math.Float32bits(v))
			}
		})
	}
	return regions
}

// values returns the number of values of all cores.
func (c *cores) values() int {
	n := 0
	for _, t := range c.tables {
		if t != nil {
			n += t.Len()
		}
	}
	return n
}

// number returns the number of a row in the cores of its table.
func (c *cores) number(table int, index uint32) uint32 {
	if order := c.tables[table].order; order != nil {
		return order.Of(index)
	}
	return index
}

// read reads a slice from a GPU into values (SliceLen values). An audit ignores slices, because a
// profile may find them in a cache.
func (c *cores) read(g int, s slice, values []float32) error {
	return c.tables[s.table].gpus[g][s.core].Inspect(s.no*valueBytes*len(values), values)
}

// row multiplies the row with the given number on a GPU and writes it to dst.
func (c *cores) row(g, table int, number uint32, dst []float32) error {
	of, err := c.reader(g).slicesOf(table, number)
	if err != nil {
		return err
	}
	prefix := make([]float32, c.tables[table].PrefixLen())
	c.tables[table].MulPrefix(prefix, of)
	c.tables[table].MulRow(dst, prefix, of)
	return nil
}

// update sums the gradients of all GPUs in mini-batch m and makes an optimiser step on each GPU. It
// returns an error if a gradient is not valid.
func (c *cores) update(m int, all []*gradients) error {
	sum := all[0]
	for _, g := range all[1:] {
		sum.merge(g)
	}
	var step, values []float32
	update := c.model.Update(m)
	for _, at := range sum.inOrder() {
		n := sum.sums[at].Len()
		step, values = slices.Grow(step[:0], n)[:n], slices.Grow(values[:0], n)[:n]
		if err := sum.sums[at].Round(step); err != nil {
			return fmt.Errorf("gradient of slice %d of core %d of table %d: %w", at.no, at.core, at.table, err)
		}
		if c.states[at] == nil {
			c.states[at] = make([]float32, c.model.Optimiser.StateLen(n))
		}
		update.Slice(c.states[at], step)
		if err := c.step(at, step, values); err != nil {
			return err
		}
	}
	return nil
}

// step updates a slice on every GPU, with values as a buffer.
func (c *cores) step(at slice, step, values []float32) error {
	for g, regions := range c.tables[at.table].gpus {
		if err := c.read(g, at, values); err != nil {
			return err
		}
		dlrm.UpdateRow(values, step, -c.model.LearningRate)
		if err := regions[at.core].Deliver(at.no*valueBytes*len(values), values); err != nil {
			return err
		}
	}
	return nil
}

// checkReplicas returns an error for the first difference between the touched slices of two GPUs.
func (c *cores) checkReplicas() error {
	for i, t := range c.tables {
		if t == nil {
			continue
		}
		for core := range t.gpus[0] {
			if err := c.checkCore(i, core); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *cores) checkCore(table, core int) error {
	n := c.tables[table].SliceLen(core)
	first, other := make([]float32, n), make([]float32, n)
	for no := range c.tables[table].gpus[0][core].TouchedRows() {
		if err := c.read(0, slice{table, core, no}, first); err != nil {
			return err
		}
		for g := range c.tables[table].gpus[1:] {
			if err := c.read(g+1, slice{table, core, no}, other); err != nil {
				return err
			}
			if i := dlrm.FirstDiff(first, other); i >= 0 {
				return fmt.Errorf("replicas of slice %d of core %d of table %d on GPU 0 and GPU %d differ: value %d is %v and %v", no, core, table, g+1, i, first[i], other[i])
			}
		}
	}
	return nil
}
