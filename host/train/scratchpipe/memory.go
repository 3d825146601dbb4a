package scratchpipe

import (
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train/cluster"
)

const valueBytes = 4

// Bytes of GPU memory for each slot, in addition to its row.
const (
	HitMapBytes = 16 // row and slot, in a table that is half empty
	HeldBytes   = 13 // window mask, row, and two links of the order of use
)

// WindowSlots returns how many slots a table needs for the given number of mini-batches in the
// worst case, in which no two share a row. The result is at most rows.
func WindowSlots(rows, lookups, inputs, miniBatches int) int {
	return min(rows, lookups*inputs*miniBatches)
}

// storage is the slots of a table.
type storage struct {
	region *server.Region
	held   map[uint32]int // slots by row, for the current content of the slots
}

// reserve reserves the memory for mini-batches of the given number of inputs. It returns an error
// if the memories are too small.
func (s *System) reserve(inputs int) error {
	for t, table := range s.model.Tables {
		lookups := table.Lookups * max(1, s.model.Steps)
		window := WindowSlots(table.Rows, lookups, inputs, s.Past+1+s.Future)
		slots := max(window, int(s.Options.Share*float64(table.Rows)))
		s.counts.slots += int64(slots)
		s.counts.window += int64(window)
		memory := s.Cluster.GPUs[s.owner(t)].Memory
		s.managers = append(s.managers, newManager(s.Policy, slots, t, s.Past))
		s.storages = append(s.storages, s.store(memory, slots))
		s.reserveBuffers(memory, min(table.Rows, lookups*inputs), inputs)
	}
	return s.Cluster.Reserve(inputs)
}

// store allocates memory for the slots of a table.
func (s *System) store(memory *server.Space, slots int) storage {
	region := memory.Alloc("scratchpad", slots*s.rowBytes())
	cluster.ReserveRowStates(memory, "optimiser states of scratchpad", s.model, slots)
	memory.Reserve("hit map", slots*HitMapBytes)
	memory.Reserve("hold masks and order of use", slots*HeldBytes)
	return storage{region, map[uint32]int{}}
}

// reserveBuffers reserves memory for the transfers of a table: arriving and leaving rows with their
// states, and pooled vectors with their gradients. Buffers are double if stages run concurrently,
// so that one stage fills a buffer while the next stage empties another.
func (s *System) reserveBuffers(memory *server.Space, rows, inputs int) {
	bytes := rows * (s.rowBytes() + valueBytes*s.model.Optimiser.RowStateLen(s.model.Dim))
	for _, m := range []*server.Space{memory, s.machine.Host} {
		m.Reserve("rows on their way", 2*s.buffers*bytes)
	}
	memory.Reserve("vectors of own tables and their gradients", 2*inputs*max(1, s.model.Steps)*s.rowBytes())
}

// owner returns the GPU that holds the slots of a table.
func (s *System) owner(table int) int { return table % len(s.Cluster.GPUs) }

func (s *System) rowBytes() int { return valueBytes * s.model.Dim }

// read reads the row in a slot into dst (Dim values).
func (s *System) read(table, slot int, dst []float32) error {
	return s.storages[table].region.ReadFloat32s(slot*s.rowBytes(), dst)
}

func (s *System) write(table, slot int, src []float32) error {
	return s.storages[table].region.WriteFloat32s(slot*s.rowBytes(), src)
}
