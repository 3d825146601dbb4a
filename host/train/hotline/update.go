package hotline

import (
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train/parts"
)

// update ends mini-batch m: gradients are summed over the GPUs, which update the
// dense parameters and the hot rows; the accelerator updates the cold rows,
// which nobody waits for here.
func (h *System) update(m int) (loss float32, err error) {
	sum, err := h.cluster.AllReduce(h.cluster.RowLists())
	if err != nil {
		return 0, err
	}
	h.ledger.Mark(partReduce)
	var hot, cold []rec.RowGrad
	for _, r := range sum.Rows {
		if _, ok := h.hot[h.ids.of(r.Table, r.Index)]; ok {
			hot = append(hot, r)
		} else {
			cold = append(cold, r)
		}
	}
	_, listed := h.s.Copies.Acquire("update list", h.listTime(len(cold)))
	if err := h.updateGPUs(sum, hot, cold); err != nil {
		return 0, err
	}
	if err := h.s.Kernel.RunTo(max(listed, h.s.Kernel.Now())); err != nil {
		return 0, err
	}
	if err := h.listCold(cold); err != nil {
		return 0, err
	}
	h.ledger.Mark(partOptimiser)
	h.cluster.Reset()
	h.counts.updated += int64(len(cold))
	return sum.Loss, h.updateCold(m, len(cold))
}

// updateGPUs updates each GPU's dense parameters and hot rows, and puts
// gradient k of the cold rows into the gradient area of GPU k mod G.
func (h *System) updateGPUs(sum parts.Sum, hot, cold []rec.RowGrad) error {
	for g := range h.gpu {
		cost := h.cluster.Cost
		d := cost.Optimiser() + cost.RowUpdate(len(hot)) + cost.RowMove(h.cluster.Share(len(cold), g))
		h.cluster.Launch(g, "updates", 0, d, func(gpu *parts.GPU) error {
			if err := gpu.Apply(sum); err != nil {
				return err
			}
			if err := h.updateHot(g, hot); err != nil {
				return err
			}
			for k := g; k < len(cold); k += len(h.gpu) {
				if err := h.gpu[g].grad.WriteFloat32s(k/len(h.gpu)*cost.RowBytes(), cold[k].Grad); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := h.cluster.Wait(); err != nil {
		return err
	}
	return h.checkReplicas(hot)
}

// updateHot updates rows in the hot table of GPU g.
func (h *System) updateHot(g int, rows []rec.RowGrad) error {
	for _, r := range rows {
		block := h.hot[h.ids.of(r.Table, r.Index)]
		if err := h.readHot(g, block, h.row); err != nil {
			return err
		}
		rec.UpdateRow(h.row, r.Grad, -h.model.LearningRate)
		if err := h.writeHot(g, block, h.row); err != nil {
			return err
		}
	}
	return nil
}

// checkReplicas checks that all GPUs hold the same in the rows that were just
// updated.
func (h *System) checkReplicas(rows []rec.RowGrad) error {
	want := make([]float32, h.model.Dim)
	for _, r := range rows {
		block := h.hot[h.ids.of(r.Table, r.Index)]
		if err := h.readHot(0, block, want); err != nil {
			return err
		}
		if err := h.checkHot(r.Table, r.Index, block, want); err != nil {
			return err
		}
	}
	return nil
}

// listTime is the time in which GPU 0 copies the list of n cold rows to host
// memory.
func (h *System) listTime(n int) node.Time {
	if n == 0 {
		return 0
	}
	return h.s.Config.Machine.PinnedCopyTime(n * listBytes)
}

// listCold writes the list for the accelerator.
func (h *System) listCold(cold []rec.RowGrad) error {
	list := make([]uint32, 0, 2*len(cold))
	for _, r := range cold {
		list = append(list, uint32(r.Table), r.Index)
	}
	return h.list.WriteUint32s(0, list)
}

// updateCold submits the update of the n listed rows, in as many commands as the
// eDRAM half asks for. Each counts its gradients from 0, so the accelerator's
// gradient registers move along.
func (h *System) updateCold(m, n int) error {
	gpus := len(h.gpu)
	most := h.drv.Geometry().HalfWords * wordBytes / listBytes / gpus * gpus
	for from := 0; from < n; from += most {
		if err := h.pointGradients(from / gpus * h.cluster.Cost.RowBytes()); err != nil {
			return err
		}
		list := h.list.Address() + uint64(from)*listBytes
		err := h.submit(driver.Update(m%2, list, min(most, n-from)), func(driver.Completion) { h.counts.lastUpdate = h.s.Kernel.Now() })
		if err != nil {
			return err
		}
	}
	return nil
}

// pointGradients sets the gradient registers to an offset in the areas.
func (h *System) pointGradients(offset int) error {
	if h.gradients == offset {
		return nil
	}
	h.gradients = offset
	for g, area := range h.gpu {
		if err := h.submit(driver.SWrite(driver.RegGrad+g, area.grad.Address()+uint64(offset)), nil); err != nil {
			return err
		}
	}
	return nil
}
