package hotline

import (
	"math"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// areas is the memory that the training loop shares with the accelerator.
type areas struct {
	words   [2]*server.Region // of a mini-batch, per eDRAM half
	bitmap  [2]*server.Region
	list    *server.Region // rows to update
	entries *server.Region // entries of the hot set
	gpu     []gpuAreas
	// gradients is the byte offset of the accelerator's gradient registers from the start of the
	// GPUs' gradient areas.
	gradients int
}

type gpuAreas struct{ hot, pooled, grad, mailbox *server.Region }

// newAreas allocates the memory for mini-batches of at most batch inputs.
func newAreas(s *server.Server, g arch.Geometry, model dlrm.Config, batch int) areas {
	var a areas
	lookups, rowBytes, gpus := batch*model.Lookups(), 4*model.Dim, len(s.GPUs)
	bitmap := g.BitmapBytes(batch)
	for half := range a.words {
		a.words[half] = s.Host.Alloc("mini-batch", lookups*arch.WordBytes)
		a.bitmap[half] = s.Host.Alloc("popularity bitmap", bitmap)
	}
	a.list = s.Host.Alloc("update list", lookups*arch.UpdateBytes)
	a.entries = s.Host.Alloc("hot set", arch.HotSetBytes(g.Blocks))
	perGPU := func(n int) int { return (n + gpus - 1) / gpus }
	for _, gpu := range s.GPUs {
		cluster.ReserveRowStates(gpu.Memory, "optimiser states of hot rows", model, g.Blocks)
		a.gpu = append(a.gpu, gpuAreas{
			hot:     gpu.Memory.AllocRows("hot table", g.Blocks, rowBytes, func(int, []byte) {}),
			pooled:  gpu.Memory.Alloc("pooled vectors", perGPU(batch)*len(model.Bags())*rowBytes),
			grad:    gpu.Memory.Alloc("gradients", perGPU(lookups)*rowBytes),
			mailbox: gpu.Memory.Alloc("mailbox", bitmap),
		})
	}
	return a
}

// configure writes the accelerator's address registers.
func (h *System) configure() error {
	var failed error
	set := func(register int, value uint64) {
		if err := h.submit(driver.SWrite(register, value), nil); err != nil && failed == nil {
			failed = err
		}
	}
	// A table of the accelerator is a bag of the model. Bags of one table have the same address.
	for b, bag := range h.model.Bags() {
		set(arch.RegTable+b, h.Tables.Address(bag.Table))
	}
	h.eachSlot(func(slot, bag, table int, first, last bool) {
		set(arch.RegSlot+slot, arch.Slot{Base: h.ids[table], Table: bag, First: first, Last: last}.Bits())
	})
	for g, area := range h.gpu {
		set(arch.RegHot+g, area.hot.Address())
		set(arch.RegPooled+g, area.pooled.Address())
		set(arch.RegGrad+g, area.grad.Address())
		set(arch.RegMailbox+g, area.mailbox.Address())
	}
	set(arch.RegSlots, uint64(h.model.Lookups()))
	set(arch.RegTables, uint64(len(h.model.Bags())))
	set(arch.RegRowLog2, uint64(math.Log2(float64(h.rowBytes()))))
	set(arch.RegGPUs, uint64(len(h.gpu)))
	set(arch.RegScale, uint64(math.Float32bits(-h.model.LearningRate)))
	h.gradients = 0
	if failed != nil {
		return failed
	}
	return h.drain()
}

// eachSlot visits the lookups of an input.
func (h *System) eachSlot(f func(slot, bag, table int, first, last bool)) {
	slot := 0
	for b, bag := range h.model.Bags() {
		for i := range bag.Lookups {
			f(slot, b, bag.Table, i == 0, i == bag.Lookups-1)
			slot++
		}
	}
}
