package hotline

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// update ends mini-batch m. The GPUs sum their gradients and update the dense parameters and the
// hot rows; the accelerator updates the cold rows.
func (h *System) update(m int) (loss float32, err error) {
	sum, err := h.Cluster.AllReduce()
	if err != nil {
		return 0, err
	}
	defer h.Cluster.Reset()
	var hot []hotGrad
	var cold []dlrm.RowGrad
	for _, r := range sum.Rows {
		if block, ok := h.hot[h.ids.of(r.Table, r.Index)]; ok {
			hot = append(hot, hotGrad{r, block})
		} else {
			cold = append(cold, r)
		}
	}
	if err := h.updateGPUs(sum, hot, cold); err != nil {
		return 0, err
	}
	if err := h.listCold(cold); err != nil {
		return 0, err
	}
	h.counts.updated += int64(len(cold))
	h.work.HotRows, h.work.ColdRows, h.work.Listed = len(hot), len(cold), sum.Listed
	before, err := h.save(cold)
	if err != nil {
		return 0, err
	}
	again := false
	return sum.Loss, h.persist(func() error {
		if again {
			if err := before.restore(0, len(cold)); err != nil {
				return err
			}
		}
		again = true
		return h.updateCold(m, before)
	})
}

// hotGrad is the step of a hot row, with the row's block.
type hotGrad struct {
	dlrm.RowGrad
	block uint32
}

// updateGPUs updates each GPU's dense parameters and hot rows. It writes gradient k of the cold
// rows to the gradient area of GPU k mod G, where G is the number of GPUs.
func (h *System) updateGPUs(sum cluster.Sum, hot []hotGrad, cold []dlrm.RowGrad) error {
	if err := h.Cluster.Apply(sum); err != nil {
		return err
	}
	for k, r := range cold {
		area := h.gpu[k%len(h.gpu)].grad
		if err := area.WriteFloat32s(k/len(h.gpu)*h.rowBytes(), r.Grad); err != nil {
			return err
		}
	}
	return h.updateHot(hot)
}

// updateHot updates rows in the hot tables of all GPUs, and then checks that the tables are equal.
func (h *System) updateHot(rows []hotGrad) error {
	row := make([]float32, h.model.Dim)
	for _, r := range rows {
		for g := range h.gpu {
			if err := h.readHot(g, r.block, row); err != nil {
				return err
			}
			dlrm.UpdateRow(row, r.Grad, -h.model.LearningRate)
			if err := h.writeHot(g, r.block, row); err != nil {
				return err
			}
		}
		if err := h.inspectHot(0, r.block, row); err != nil {
			return err
		}
		if err := h.checkHot(r.Table, r.Index, r.block, row); err != nil {
			return err
		}
	}
	return nil
}

// listCold writes the list of rows to update for the accelerator.
func (h *System) listCold(cold []dlrm.RowGrad) error {
	list := make([]uint32, 0, 2*len(cold))
	for _, r := range cold {
		list = append(list, uint32(r.Table), r.Index)
	}
	return h.list.WriteUint32s(0, list)
}

// updateCold updates cold rows with as many commands as the size of an eDRAM half requires. Each
// command counts its gradients from 0, so the accelerator's gradient registers move along.
func (h *System) updateCold(m int, cold saved) error {
	gpus, all := len(h.gpu), len(cold.rows)
	most := h.drv.Geometry().HalfWords * arch.WordBytes / arch.UpdateBytes / gpus * gpus
	for from := 0; from < all; from += most {
		if err := h.pointGradients(from / gpus * h.rowBytes()); err != nil {
			return err
		}
		n := min(most, all-from)
		err := h.submit(driver.Update(m%2, h.list.Address()+uint64(from)*arch.UpdateBytes, n), func(got driver.Completion, took des.Time) {
			h.work.commands.Update += took
			if !h.Cluster.Valueless() {
				undo := func() error { return cold.restore(from, n) }
				h.claims = append(h.claims, claim{got, h.rows(cold.rows[from:][:n]), undo})
			}
		})
		if err != nil {
			return err
		}
		if err := h.drain(); err != nil {
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
		if err := h.submit(driver.SWrite(arch.RegGrad+g, area.grad.Address()+uint64(offset)), nil); err != nil {
			return err
		}
	}
	return h.drain() // the next command must not use a stale register
}
