package elrec

import (
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// TT is the part of a model that is in tensor-train form.
type TT = form

// ELRec returns the order of EL-Rec.
func ELRec(t TT) timing.System { return t.order(false) }

// TTRec returns the order of TT-Rec.
func TTRec(t TT) timing.System { return t.order(true) }

// Number returns the number of a row of a tensor-train table in its cores.
func (e *System) Number(table int, index uint32) uint32 { return e.cores.number(table, index) }

// ShortenLife lets rows leave the cache a mini-batch too early.
func (e *System) ShortenLife() { e.host.life-- }

// ForgetSteps removes the steps of a mini-batch from the queue.
func (e *System) ForgetSteps() {
	p := e.host.pushed[len(e.host.pushed)-1]
	p.keys = nil
}

// SpoilCache replaces a row of the cache by the row of host memory, and reports whether they
// differ.
func (e *System) SpoilCache() (bool, error) {
	old, now := make([]float32, e.model.Dim), make([]float32, e.model.Dim)
	for _, s := range e.host.cache.slots {
		if s.life == 0 {
			continue
		}
		if err := e.host.tables.Read(s.table, s.index, old); err != nil {
			return false, err
		}
		slot := e.host.cache.at[s.key]
		if err := e.host.cache.gpus[0].ReadFloat32s(slot*e.host.rowBytes(), now); err != nil {
			return false, err
		}
		for _, g := range e.host.cache.gpus {
			if err := g.WriteFloat32s(slot*e.host.rowBytes(), old); err != nil {
				return false, err
			}
		}
		if old[0] != now[0] {
			return true, nil
		}
	}
	return false, nil
}

// SpoilSlice changes a value of a slice on the last GPU.
func (e *System) SpoilSlice(table int) error {
	gpus := e.cores.tables[table].gpus
	return gpus[len(gpus)-1][0].WriteFloat32s(0, []float32{9})
}

// Plain returns the tables on GPUs that are not in tensor-train form.
func (e *System) Plain() []*cluster.Tables { return e.gpus }
