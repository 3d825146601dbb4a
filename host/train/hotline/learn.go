package hotline

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// learnsBefore reports whether the hot set is learned before mini-batch m.
func (h *System) learnsBefore(m int) bool {
	return m == h.batches.First() || h.opts.Relearn > 0 && m%h.opts.Relearn == 0
}

// learn runs a learning epoch that starts with mini-batch m. It moves rows whose place changes and
// classifies m.
func (h *System) learn(m int) error {
	if err := h.sample(m); err != nil {
		return fmt.Errorf("learn the hot set: %w", err)
	}
	hot, err := h.readHotSet()
	if err != nil {
		return fmt.Errorf("learn the hot set: %w", err)
	}
	if err := h.move(hot); err != nil {
		return err
	}
	if err := h.classify(m); err != nil {
		return err
	}
	h.blank = false
	return h.drain()
}

// sample lets the accelerator learn from every k-th mini-batch of the learning epoch.
func (h *System) sample(m int) error {
	ahead := h.batches.Again()
	defer ahead.Close()
	end := math.MaxInt
	if h.opts.Relearn > 0 {
		end = m + h.opts.Relearn
	}
	stride := max(1, int(math.Round(1/h.opts.Sample)))
	for ; m < end; m += stride {
		if more, err := ahead.Has(m); !more {
			return err
		}
		inputs, err := h.stage(ahead, m)
		if err != nil {
			return err
		}
		half := m % 2
		err = h.submit(driver.Learn(half, h.words[half].Address(), inputs), func(_ driver.Completion, took des.Time) { h.next.commands.Learn += took })
		if err != nil {
			return err
		}
		if err := h.drain(); err != nil {
			return err
		}
		h.counts.learned++
	}
	return nil
}

// readHotSet returns the rows that the accelerator holds and their blocks. The accelerator lists
// all blocks of the sets that have changed since the previous call.
func (h *System) readHotSet() (map[uint32]uint32, error) {
	var listed uint32
	err := h.submit(driver.HotSet(h.entries.Address()), func(got driver.Completion, took des.Time) {
		listed, h.next.commands.ReadOut = got.Value0, took
		if bytes := arch.HotSetBytes(int(listed)); bytes <= h.entries.Size() {
			h.claim(got, pieces(start{h.entries, bytes}))
		}
	})
	if err != nil {
		return nil, err
	}
	if err := h.drain(); err != nil {
		return nil, err
	}
	if listed > uint32(h.drv.Geometry().Blocks) {
		return nil, wrong("hotline: the accelerator lists %d hot rows, but has %d blocks", listed, h.drv.Geometry().Blocks)
	}
	entries := make([]byte, listed*arch.HotRowBytes)
	if err := h.entries.Read(0, entries); err != nil {
		return nil, err
	}
	hot := make(map[uint32]uint32, listed)
	for ; len(entries) > 0; entries = entries[arch.HotRowBytes:] {
		row := arch.HotRowOf(entries)
		hot[row.ID] = row.Block
	}
	if err := h.checkHotSet(hot, int(listed)); err != nil || h.blank {
		return hot, err
	}
	return overlay(hot, h.hot)
}

// overlay merges the listed rows into the rows that were hot before. Listed rows replace the
// previous rows of their blocks.
func overlay(listed, before map[uint32]uint32) (map[uint32]uint32, error) {
	hot, taken := maps.Clone(listed), map[uint32]bool{}
	for _, block := range listed {
		taken[block] = true
	}
	for _, id := range slices.Sorted(maps.Keys(before)) {
		block := before[id]
		if taken[block] {
			continue
		}
		if now, ok := listed[id]; ok {
			return nil, wrong("hotline: the accelerator lists row id %d in block %d, but not block %d, where it was", id, now, block)
		}
		hot[id] = block
	}
	return hot, nil
}

// checkHotSet returns an error if a listed row or block does not exist, or if a block holds two
// rows.
func (h *System) checkHotSet(hot map[uint32]uint32, entries int) error {
	last := len(h.ids) - 1
	rows := h.ids[last] + uint32(h.model.Tables[last].Rows)
	blocks := map[uint32]bool{}
	for _, id := range slices.Sorted(maps.Keys(hot)) {
		if id >= rows || hot[id] >= uint32(h.drv.Geometry().Blocks) {
			return wrong("hotline: the accelerator lists row id %d in block %d, but there are %d rows and %d blocks", id, hot[id], rows, h.drv.Geometry().Blocks)
		}
		blocks[hot[id]] = true
	}
	if len(hot) != entries || len(blocks) != entries {
		return wrong("hotline: the accelerator lists %d hot rows, but %d different ones in %d blocks", entries, len(hot), len(blocks))
	}
	return nil
}

// place is a row with its block.
type place struct{ id, block uint32 }

// missing returns the places of from that are not in to, in order of id.
func missing(from, to map[uint32]uint32) []place {
	var list []place
	for id, block := range from {
		if b, ok := to[id]; !ok || b != block {
			list = append(list, place{id, block})
		}
	}
	slices.SortFunc(list, func(a, b place) int { return cmp.Compare(a.id, b.id) })
	return list
}

// move changes the hot rows to the given set. Rows that leave or change their block go back to host
// memory; then new rows go to all GPUs.
func (h *System) move(hot map[uint32]uint32) error {
	leaving, arriving := missing(h.hot, hot), missing(hot, h.hot)
	if err := h.demote(leaving); err != nil {
		return err
	}
	if err := h.promote(arriving); err != nil {
		return err
	}
	h.hot = hot
	h.next.Demoted += len(leaving)
	h.next.Promoted += len(arriving)
	h.counts.demoted += int64(len(leaving))
	h.counts.promoted += int64(len(arriving))
	return nil
}

// demote writes rows back from GPU 0 to host memory.
func (h *System) demote(rows []place) error {
	row := make([]float32, h.model.Dim)
	for _, r := range rows {
		table, index := h.ids.row(r.id)
		if err := h.Row(table, index, row); err != nil {
			return err
		}
		if err := h.Tables.Write(table, index, row); err != nil {
			return err
		}
		h.Cluster.Watch.Drop(hotTables, int(r.block))
	}
	return nil
}

// hotTables names the hot tables of all GPUs in a watch.
const hotTables = "hot tables"

// promote copies rows from host memory to all GPUs and poisons the copies in host memory. On a
// machine without values it does not poison.
func (h *System) promote(rows []place) error {
	poison := make([]float32, h.model.Dim)
	if !h.Cluster.Valueless() {
		poison = slices.Repeat([]float32{math.Float32frombits(0xffffffff)}, h.model.Dim)
	}
	for _, r := range rows {
		table, index := h.ids.row(r.id)
		if err := h.Tables.Read(table, index, h.row); err != nil {
			return err
		}
		for g := range h.gpu {
			if err := h.writeHot(g, r.block, h.row); err != nil {
				return err
			}
		}
		if err := h.Tables.Overwrite(table, index, poison); err != nil {
			return err
		}
		h.Cluster.Watch.Keep(hotTables, int(r.block), table, index)
	}
	return nil
}
