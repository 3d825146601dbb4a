package elrec

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/exact"
	"github.com/hotline-rtl/hotline/host/rec/tt"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/elrec/reorder"
	"github.com/hotline-rtl/hotline/host/train/parts"
)

// cores are the tables in tensor-train form, of which each GPU has a replica.
type cores struct {
	model  rec.Config
	tables []*table // by number; nil for others
	states map[slice][]float32
}

// table is one of them.
type table struct {
	tt.Shape
	order *reorder.Bijection         // new numbers of its rows; nil if they have kept theirs
	gpus  [][tt.Cores]*server.Region // slice after slice
}

// slice is a slice of a core.
type slice struct{ table, core, no int }

const valueBytes = 4

// newCores takes the memory of each GPU for the cores of some tables, and for what the
// optimiser keeps of them.
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
			parts.ReserveStates(g.Memory, "optimiser states of TT cores", from.Model, shape.Len())
		}
	}
	return c, nil
}

// shapeRegions takes memory for the cores of a table, whose slices get their initial
// values when they are first touched.
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

// values is the number of values of all cores.
func (c *cores) values() int {
	n := 0
	for _, t := range c.tables {
		if t != nil {
			n += t.Len()
		}
	}
	return n
}

// number is what a row of a table is in its cores.
func (c *cores) number(table int, index uint32) uint32 {
	if order := c.tables[table].order; order != nil {
		return order.Of(index)
	}
	return index
}

// read reads a slice from a GPU.
func (c *cores) read(g int, s slice) ([]float32, error) {
	t := c.tables[s.table]
	values := make([]float32, t.SliceLen(s.core))
	return values, t.gpus[g][s.core].ReadFloat32s(s.no*valueBytes*len(values), values)
}

// slicesOf reads the slices that a row is the product of.
func (c *cores) slicesOf(g, table int, number uint32) (of tt.Slices, err error) {
	for core, no := range c.tables[table].Slices(number) {
		if of[core], err = c.read(g, slice{table, core, no}); err != nil {
			return of, err
		}
	}
	return of, nil
}

// row writes the row of a number to dst, multiplied on a GPU.
func (c *cores) row(g, table int, number uint32, dst []float32) error {
	of, err := c.slicesOf(g, table, number)
	if err != nil {
		return err
	}
	prefix := make([]float32, c.tables[table].PrefixLen())
	c.tables[table].MulPrefix(prefix, of)
	c.tables[table].MulRow(dst, prefix, of)
	return nil
}

// gradients are the exact sums of the gradients of slices.
type gradients map[slice]*exact.Sum

// add adds those of a row.
func (s gradients) add(t *table, number int, row uint32, of tt.Slices) {
	for core, no := range t.Slices(row) {
		at := slice{number, core, no}
		if s[at] == nil {
			s[at] = exact.NewSum(len(of[core]))
		}
		s[at].Add(of[core], exact.Magnitude(of[core]))
	}
}

// merge adds the sums of another GPU.
func (s gradients) merge(o gradients) {
	for at, sum := range o {
		if s[at] == nil {
			s[at] = exact.NewSum(sum.Len())
		}
		s[at].Merge(sum)
	}
}

// update makes a step of the optimiser with the sum of the gradients of all GPUs, on
// each of them. The error is that a gradient is not valid.
func (c *cores) update(all []gradients) error {
	sum := gradients{}
	for _, g := range all {
		sum.merge(g)
	}
	for _, at := range sum.inOrder() {
		step := make([]float32, sum[at].Len())
		if err := sum[at].Round(step); err != nil {
			return fmt.Errorf("gradient of slice %d of core %d of table %d: %w", at.no, at.core, at.table, err)
		}
		if n := c.model.Optimiser.StateLen(len(step)); n > 0 {
			if c.states[at] == nil {
				c.states[at] = make([]float32, n)
			}
			c.model.Optimiser.Step(c.states[at], step)
		}
		if err := c.step(at, step); err != nil {
			return err
		}
	}
	return nil
}

// step changes a slice on every GPU.
func (c *cores) step(at slice, step []float32) error {
	for g, regions := range c.tables[at.table].gpus {
		values, err := c.read(g, at)
		if err != nil {
			return err
		}
		rec.UpdateRow(values, step, -c.model.LearningRate)
		if err := regions[at.core].WriteFloat32s(at.no*valueBytes*len(values), values); err != nil {
			return err
		}
	}
	return nil
}

// inOrder are the slices by table, core and number.
func (s gradients) inOrder() []slice {
	list := make([]slice, 0, len(s))
	for at := range s {
		list = append(list, at)
	}
	slices.SortFunc(list, func(a, b slice) int {
		return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.core, b.core), cmp.Compare(a.no, b.no))
	})
	return list
}

// checkReplicas reports the first difference between the cores of two GPUs, among the
// slices that were touched.
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
	for no := range c.tables[table].gpus[0][core].TouchedRows() {
		first, err := c.read(0, slice{table, core, no})
		if err != nil {
			return err
		}
		for g := range c.tables[table].gpus[1:] {
			other, err := c.read(g+1, slice{table, core, no})
			if err != nil {
				return err
			}
			if i := rec.FirstDiff(first, other); i >= 0 {
				return fmt.Errorf("replicas of slice %d of core %d of table %d on GPU 0 and GPU %d differ: value %d is %v and %v", no, core, table, g+1, i, first[i], other[i])
			}
		}
	}
	return nil
}
