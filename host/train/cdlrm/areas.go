package cdlrm

import (
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train/cluster"
)

// areas is the memory of the system apart from the tables.
type areas struct {
	queue     *server.Region // rows of two windows, a half each
	queueHalf int            // rows of a half
	gpu       []gpuAreas
}

type gpuAreas struct{ caches, victims *server.Region }

// windowsAhead is the number of windows in memory: the current window and the next.
const windowsAhead = 2

const (
	valueBytes = 4
	tagBytes   = 4 // of a slot, in the occupancy tables
)

// newAreas allocates the memory for mini-batches of at most batch inputs.
func newAreas(s *System, batch int) areas {
	size, host := valueBytes*s.model.Dim, s.s.Host
	a := areas{queueHalf: s.mostListed(batch)}
	a.queue = host.AllocRows("look-ahead queue", windowsAhead*a.queueHalf, size, unfilled)
	host.Reserve("occupancy tables", s.slots*tagBytes)
	for g, gpu := range s.Cluster.GPUs {
		most := max(1, s.Cluster.Share(batch, g)*s.model.Lookups())
		a.gpu = append(a.gpu, gpuAreas{
			caches:  gpu.Memory.AllocRows("embedding caches", s.slots, size, unfilled),
			victims: gpu.Memory.AllocRows("victim tables", most, size, unfilled),
		})
		cluster.ReserveRowStates(gpu.Memory, "optimiser states of cached rows", s.model, s.slots+most)
	}
	return a
}

// unfilled leaves a row of an area without an initial value. Such rows are written before they are
// read.
func unfilled(int, []byte) {}

// mostListed returns the maximum number of distinct rows of a window.
func (s *System) mostListed(batch int) int {
	reads := make([]int, len(s.model.Tables))
	for _, bag := range s.model.Bags() {
		reads[bag.Table] += s.opts.Window * batch * bag.Lookups
	}
	n := 0
	for t, table := range s.model.Tables {
		n += min(table.Rows, reads[t])
	}
	return n
}

// readQueue reads a row from its place in the queue into dst, for a copy to GPU 0.
func (s *System) readQueue(half, place int, dst []float32) error {
	return s.queue.Send((half*s.queueHalf+place)*s.rowBytes(), dst)
}

func (s *System) writeQueue(half, place int, src []float32) error {
	return s.queue.WriteFloat32s((half*s.queueHalf+place)*s.rowBytes(), src)
}

// readCache reads a row from a slot of a GPU's caches into dst.
func (s *System) readCache(g, slot int, dst []float32) error {
	return s.gpu[g].caches.ReadFloat32s(slot*s.rowBytes(), dst)
}

// inspectCache reads a row of a cache without counting the access. Checks use it, and collectives
// that are counted as a whole.
func (s *System) inspectCache(g, slot int, dst []float32) error {
	return s.gpu[g].caches.Inspect(slot*s.rowBytes(), dst)
}

func (s *System) writeCache(g, slot int, src []float32) error {
	return s.gpu[g].caches.WriteFloat32s(slot*s.rowBytes(), src)
}

// readVictim reads a row from its place in a GPU's victim table into dst.
func (s *System) readVictim(g, place int, dst []float32) error {
	return s.gpu[g].victims.ReadFloat32s(place*s.rowBytes(), dst)
}

func (s *System) writeVictim(g, place int, src []float32) error {
	return s.gpu[g].victims.WriteFloat32s(place*s.rowBytes(), src)
}

func (s *System) rowBytes() int { return valueBytes * s.model.Dim }
