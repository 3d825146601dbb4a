package elrec

import (
	"errors"
	"io"

	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/elrec/reorder"
)

// reserve reserves the memory for mini-batches of at most the given number of inputs. It returns an
// error if the memories are too small.
func (e *System) reserve(inputs int) error {
	lookups := 0 // of tables in host memory
	for _, bag := range e.model.Bags() {
		if e.places[bag.Table] == inHost {
			lookups += inputs * bag.Lookups
		}
	}
	e.host.reserve(lookups)
	for g, gpu := range e.machine.GPUs {
		products := 0
		for t, table := range e.cores.tables {
			if table == nil {
				continue
			}
			n := e.Cluster.Share(inputs, g) * e.lookups(t)
			if !e.naive {
				n = min(n, table.Rows[0]*table.Rows[1])
			}
			products += n * table.PrefixLen()
		}
		if products > 0 {
			gpu.Memory.Reserve("products of TT slices", valueBytes*products)
		}
		if n := e.cores.values(); n > 0 && (e.naive || len(e.machine.GPUs) > 1) {
			gpu.Memory.Reserve("gradients of TT cores", valueBytes*n)
		}
	}
	return e.Cluster.Reserve(inputs)
}

// lookups returns the number of an input's lookups in a table.
func (e *System) lookups(table int) int {
	n := 0
	for _, bag := range e.model.Bags() {
		if bag.Table == table {
			n += bag.Lookups
		}
	}
	return n
}

// reorder renumbers the rows of tables in tensor-train form, based on the first inputs of the
// training. It runs before the training and takes no simulated time.
func (e *System) reorder(b *train.Batches) error {
	if e.opts.Groups == 0 || e.cores.values() == 0 {
		return nil
	}
	groups, err := e.groups(b.Again())
	if err != nil {
		return err
	}
	for t, table := range e.cores.tables {
		if table == nil {
			continue
		}
		table.order = reorder.New(groups[t], e.opts.Hot)
		e.counts.renumbered += int64(table.order.Len())
	}
	return nil
}

// groups returns, for each table, the rows that groups of inputs read.
func (e *System) groups(b *train.Batches) ([][][]uint32, error) {
	defer b.Close()
	groups, inputs := make([][][]uint32, len(e.model.Tables)), 0
	for m := b.First(); ; m++ {
		batch, err := b.At(m)
		if errors.Is(err, io.EOF) {
			return groups, nil
		}
		if err != nil {
			return nil, err
		}
		for i := range batch.Len() {
			if inputs == e.opts.Groups*GroupInputs {
				return groups, nil
			}
			e.group(groups, inputs/GroupInputs, batch.At(i).Sparse)
			inputs++
		}
	}
}

// group adds the rows of an input to a group.
func (e *System) group(groups [][][]uint32, n int, sparse []uint32) {
	for _, bag := range e.model.Bags() {
		if e.places[bag.Table] == inCores {
			of := &groups[bag.Table]
			if len(*of) == n {
				*of = append(*of, nil)
			}
			(*of)[n] = append((*of)[n], sparse[:bag.Lookups]...)
		}
		sparse = sparse[bag.Lookups:]
	}
}
