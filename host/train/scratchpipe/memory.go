package scratchpipe

import (
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train/cluster"
)

const valueBytes = 4

// What a slot takes of a GPU's memory beside its row.
const (
	HitMapBytes = 16 // row and slot, in a table of which half is empty
	HeldBytes   = 13 // window mask, row, and two links of the order of use
)

// WindowSlots is how many slots a table needs for the rows of as many mini-batches, none of
// which has a row of another: no more than it has rows.
func WindowSlots(rows, lookups, inputs, miniBatches int) int {
	return min(rows, lookups*inputs*miniBatches)
}

// storage is the slots of a table.
type storage struct {
	region *server.Region
	held   map[uint32]int // slots by row, as of what is in them now
}

// reserve takes the memory that mini-batches of so many inputs need, and tells whether it is
// there.
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

// store takes memory for the slots of a table.
func (s *System) store(memory *server.Space, slots int) storage {
	region := memory.Alloc("scratchpad", slots*s.rowBytes())
	cluster.ReserveStates(memory, "optimiser states of scratchpad", s.model, slots*s.model.Dim)
	memory.Reserve("hit map", slots*HitMapBytes)
	memory.Reserve("hold masks and order of use", slots*HeldBytes)
	return storage{region, map[uint32]int{}}
}

// reserveBuffers takes memory for what moves of a table whose rows are in one GPU's memory:
// rows with their states, which come and leave, and pooled vectors with their gradients.
// Where stages run side by side, one fills a buffer while the next one empties another.
func (s *System) reserveBuffers(memory *server.Space, rows, inputs int) {
	bytes := rows * (s.rowBytes() + valueBytes*s.model.Optimiser.StateLen(s.model.Dim))
	for _, m := range []*server.Space{memory, s.machine.Host} {
		m.Reserve("rows on their way", 2*s.buffers*bytes)
	}
	memory.Reserve("vectors of own tables and their gradients", 2*inputs*max(1, s.model.Steps)*s.rowBytes())
}

// owner is the GPU that holds the slots of a table.
func (s *System) owner(table int) int { return table % len(s.Cluster.GPUs) }

func (s *System) rowBytes() int { return valueBytes * s.model.Dim }

// read and write move a row between a slot and src or dst (Dim values).
func (s *System) read(table, slot int, dst []float32) error {
	return s.storages[table].region.ReadFloat32s(slot*s.rowBytes(), dst)
}

func (s *System) write(table, slot int, src []float32) error {
	return s.storages[table].region.WriteFloat32s(slot*s.rowBytes(), src)
}
