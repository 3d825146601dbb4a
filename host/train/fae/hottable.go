package fae

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
)

// hotTable holds the hot rows on the GPUs. Each GPU has all hot rows.
type hotTable struct {
	rows   *static.Hot
	gpus   []*server.Region
	dim    int
	copied bool // all hot rows have been copied once
	onGPUs bool // the newest hot rows are on the GPUs, not in host memory
	dirty  dirty
}

// hotTables names the hot tables of all GPUs in a watch.
const hotTables = "hot tables"

const valueBytes = 4

// newHotTable allocates memory on all GPUs.
func newHotTable(s *server.Server, model dlrm.Config, rows *static.Hot) hotTable {
	h := hotTable{rows: rows, dim: model.Dim, dirty: dirty{has: make([]bool, rows.Len())}}
	for _, g := range s.GPUs {
		h.gpus = append(h.gpus, g.Memory.AllocRows("hot table", max(1, rows.Len()), valueBytes*model.Dim, func(int, []byte) {}))
		cluster.ReserveRowStates(g.Memory, "optimiser states of hot rows", model, rows.Len())
	}
	return h
}

// newest returns the slot of a row whose newest version is on the GPUs.
func (h *hotTable) newest(table int, index uint32) (slot int, ok bool) {
	if !h.onGPUs {
		return 0, false
	}
	return h.rows.Slot(table, index)
}

// readFrom reads a slot from GPU g.
func (h *hotTable) readFrom(g, slot int, dst []float32) error {
	return h.gpus[g].ReadFloat32s(slot*valueBytes*h.dim, dst)
}

// read reads a slot from GPU 0. It returns an error if the value on another GPU differs.
func (h *hotTable) read(slot int, dst []float32) error {
	if err := h.readFrom(0, slot, dst); err != nil {
		return err
	}
	other := make([]float32, h.dim)
	for g := 1; g < len(h.gpus); g++ {
		if err := h.gpus[g].Inspect(slot*valueBytes*h.dim, other); err != nil {
			return err
		}
		if e := dlrm.FirstDiff(dst, other); e >= 0 {
			return fmt.Errorf("fae: slot %d of the hot table: GPU %d has %v in element %d, GPU 0 has %v", slot, g, other[e], e, dst[e])
		}
	}
	return nil
}

// write writes a slot on GPU g.
func (h *hotTable) write(g, slot int, src []float32) error {
	return h.gpus[g].WriteFloat32s(slot*valueBytes*h.dim, src)
}

// place is a hot row with its slot.
type place struct {
	table int
	index uint32
	slot  int
}

// dirty lists the hot rows that changed since the last swap, in the order of their first change.
type dirty struct {
	places []place
	has    []bool // by slot
}

func (d *dirty) add(p place) {
	if !d.has[p.slot] {
		d.has[p.slot] = true
		d.places = append(d.places, p)
	}
}

// take returns and clears the list.
func (d *dirty) take() []place {
	list := d.places
	for _, p := range list {
		d.has[p.slot] = false
	}
	d.places = nil
	return list
}

// mark adds the given rows that are hot to the dirty rows.
func (h *hotTable) mark(rows []dlrm.RowGrad) {
	for _, r := range rows {
		if slot, hot := h.rows.Slot(r.Table, r.Index); hot {
			h.dirty.add(place{r.Table, r.Index, slot})
		}
	}
}

// all returns all hot rows.
func (h *hotTable) all(tables int) []place {
	var list []place
	for t := range tables {
		for index := range h.rows.Rows(t) {
			list = append(list, place{t, index, len(list)})
		}
	}
	return list
}
