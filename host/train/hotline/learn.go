package hotline

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/train/parts"
)

// learnsBefore reports whether the hot set is learned before mini-batch m.
func (h *System) learnsBefore(m int) bool {
	return m == 0 || h.opts.Relearn > 0 && m%h.opts.Relearn == 0
}

// learn lets the accelerator learn from the stretch of mini-batches that begins
// with m, moves the rows whose place changes, and classifies m.
func (h *System) learn(m int) error {
	if err := h.drain(); err != nil {
		return err
	}
	h.ledger.Mark(partUpdate)
	if err := h.stage(m); err != nil {
		return err
	}
	marked := h.markHotSet()
	if err := h.sample(m); err != nil {
		return fmt.Errorf("learning: %w", err)
	}
	hot, err := h.readHotSet(marked)
	if err != nil {
		return fmt.Errorf("learning: %w", err)
	}
	h.ledger.Mark(partLearn)
	if err := h.move(hot); err != nil {
		return err
	}
	h.ledger.Mark(partMove)
	if err := h.classify(m); err != nil {
		return err
	}
	if err := h.drain(); err != nil {
		return err
	}
	h.ledger.Mark(partClassify)
	return nil
}

// sample learns every k-th mini-batch of the stretch.
func (h *System) sample(m int) error {
	end := h.batches.Len()
	if h.opts.Relearn > 0 {
		end = min(end, m+h.opts.Relearn)
	}
	stride := max(1, int(math.Round(1/h.opts.Sample)))
	for ; m < end; m += stride {
		if err := h.stage(m); err != nil {
			return err
		}
		half := m % 2
		if err := h.s.Kernel.RunTo(max(h.staging.ready[half], h.s.Kernel.Now())); err != nil {
			return err
		}
		if _, err := h.drv.Do(driver.Learn(half, h.words[half].Address(), h.batches.At(m).Len())); err != nil {
			return err
		}
		h.counts.learned++
	}
	return nil
}

// markHotSet lets the CPU overwrite the area of the hot set, and returns when it
// has. The accelerator learns meanwhile.
func (h *System) markHotSet() (end node.Time) {
	_, end = h.s.CPU.Acquire("mark hot set", h.s.Config.Machine.CPUStreamTime(h.drv.Geometry().Blocks*hotEntryBytes))
	return end
}

// readHotSet asks the accelerator for the rows that it holds and their blocks,
// once their area is marked.
func (h *System) readHotSet(marked node.Time) (map[uint32]uint32, error) {
	if err := h.s.Kernel.RunTo(max(marked, h.s.Kernel.Now())); err != nil {
		return nil, err
	}
	blank := slices.Repeat([]uint32{notArrived}, h.drv.Geometry().Blocks*hotEntryBytes/wordBytes)
	if err := h.entries.WriteUint32s(0, blank); err != nil {
		return nil, err
	}
	got, err := h.drv.Do(driver.HotSet(h.entries.Address()))
	if err != nil {
		return nil, err
	}
	if got.Value0 > uint32(h.drv.Geometry().Blocks) {
		return nil, fmt.Errorf("hotline: the accelerator lists %d hot rows, but has %d blocks", got.Value0, h.drv.Geometry().Blocks)
	}
	entries := make([]uint32, 2*got.Value0)
	if err := h.entries.ReadUint32s(0, entries); err != nil {
		return nil, err
	}
	hot := make(map[uint32]uint32, got.Value0)
	for i := 0; i < len(entries); i += 2 {
		if entries[i] == notArrived || entries[i+1] == notArrived {
			return nil, fmt.Errorf("hotline: entry %d of the hot set has not arrived in host memory", i/2)
		}
		hot[entries[i]] = entries[i+1]
	}
	return hot, h.checkHotSet(hot, int(got.Value0))
}

// checkHotSet reports rows that do not exist or blocks that hold two.
func (h *System) checkHotSet(hot map[uint32]uint32, entries int) error {
	last := len(h.ids) - 1
	rows := h.ids[last] + uint32(h.model.Tables[last].Rows)
	blocks := map[uint32]bool{}
	for _, id := range slices.Sorted(maps.Keys(hot)) {
		if id >= rows || hot[id] >= uint32(h.drv.Geometry().Blocks) {
			return fmt.Errorf("hotline: the accelerator lists row id %d in block %d, but there are %d rows and %d blocks", id, hot[id], rows, h.drv.Geometry().Blocks)
		}
		blocks[hot[id]] = true
	}
	if len(hot) != entries || len(blocks) != entries {
		return fmt.Errorf("hotline: the accelerator lists %d hot rows, but %d different ones in %d blocks", entries, len(hot), len(blocks))
	}
	return nil
}

// place is a row with its block.
type place struct{ id, block uint32 }

// missing are the places of from that are not in to, in order of id.
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

// move makes hot the set of hot rows: rows that leave, or change their block, go
// back to host memory; then rows that are new go to all GPUs.
func (h *System) move(hot map[uint32]uint32) error {
	leaving, arriving := missing(h.hot, hot), missing(hot, h.hot)
	if err := h.demote(leaving); err != nil {
		return err
	}
	if err := h.promote(arriving); err != nil {
		return err
	}
	h.hot = hot
	h.counts.demoted += int64(len(leaving))
	h.counts.promoted += int64(len(arriving))
	return nil
}

// demote writes rows back from GPU 0 to host memory.
func (h *System) demote(rows []place) error {
	if len(rows) == 0 {
		return nil
	}
	h.cluster.Launch(0, "collect hot rows", 0, h.cluster.Cost.RowMove(len(rows)), func(*parts.GPU) error { return nil })
	if err := h.cluster.Wait(); err != nil {
		return err
	}
	_, copied := h.s.Copies.Acquire("hot rows to host", h.moveTime(len(rows)))
	_, end := h.s.CPU.AcquireAt("scatter rows", copied, h.cpuTime(len(rows)))
	if err := h.s.Kernel.RunTo(end); err != nil {
		return err
	}
	row := make([]float32, h.model.Dim)
	for _, r := range rows {
		table, index := h.ids.row(r.id)
		if err := h.Row(table, index, row); err != nil {
			return err
		}
		if err := h.tables.Write(table, index, row); err != nil {
			return err
		}
	}
	return nil
}

// promote copies rows from host memory to all GPUs and poisons what stays
// behind.
func (h *System) promote(rows []place) error {
	if len(rows) == 0 {
		return nil
	}
	_, collected := h.s.CPU.Acquire("collect rows", h.cpuTime(len(rows)))
	for g := range h.gpu {
		_, copied := h.s.Copies.AcquireAt("hot rows to GPUs", collected, h.moveTime(len(rows)))
		h.cluster.Launch(g, "scatter hot rows", copied, h.cluster.Cost.RowMove(len(rows)), func(*parts.GPU) error {
			for _, r := range rows {
				table, index := h.ids.row(r.id)
				if err := h.tables.Read(table, index, h.row); err != nil {
					return err
				}
				if err := h.writeHot(g, r.block, h.row); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := h.cluster.Wait(); err != nil {
		return err
	}
	poison := make([]float32, h.model.Dim)
	for i := range poison {
		poison[i] = math.Float32frombits(0xffffffff)
	}
	for _, r := range rows {
		table, index := h.ids.row(r.id)
		if err := h.tables.Write(table, index, poison); err != nil {
			return err
		}
	}
	return nil
}

func (h *System) moveTime(rows int) node.Time {
	return h.s.Config.Machine.PinnedCopyTime(rows * h.cluster.Cost.RowBytes())
}

func (h *System) cpuTime(rows int) node.Time {
	return h.s.Config.Machine.CPUGatherTime(rows, h.cluster.Cost.RowBytes(), node.Optimised)
}
