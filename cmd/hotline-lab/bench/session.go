package bench

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/sim"
)

// load is the work of a session. setUps is the number of times that the registers are written,
// which mainly exercises the command processor. The other numbers are inputs: to learn from, in
// each of two classified mini-batches, and to gather and update from the first mini-batch. learn
// should be small, because banks wait for each other during learning.
type load struct{ setUps, learn, classify, gather int }

// host makes the accelerator do every kind of work in turn, without the idle times of a training.
type host struct {
	*server.Server
	driver *driver.Driver
	model  dlrm.Config
	failed error // first error of a command or a memory access
}

// work connects an accelerator of the configuration to a host over PCIe and runs the load.
func work(cfg *configs.Config, accelerator sim.Simulator, l load) error {
	clicks, err := gen.New(cfg.Clicks(), math.MaxInt64)
	if err != nil {
		return err
	}
	inputs, err := first(clicks, max(l.learn, 2*l.classify))
	if err != nil {
		return err
	}
	machine := server.DefaultConfig()
	machine.Period = cfg.Period()
	h := &host{model: cfg.For(clicks.Shape())}
	if h.Server, err = server.New(machine); err != nil {
		return err
	}
	c, err := cycle.New(h.Kernel, accelerator, machine.Period, machine.Endpoint)
	if err != nil {
		return err
	}
	device, err := h.Insert(c)
	if err != nil {
		return err
	}
	if h.driver, err = driver.Open(device, driver.DefaultOptions()); err != nil {
		return err
	}
	h.commands(inputs, l)
	return h.failed
}

// first returns the first n inputs of a source.
func first(s data.Source, n int) (inputs dlrm.Batch, err error) {
	r, err := s.Open(0)
	if err != nil {
		return inputs, err
	}
	defer r.Close()
	return inputs, r.Read(&inputs, n)
}

// commands runs the commands of the load.
func (h *host) commands(inputs dlrm.Batch, l load) {
	list := h.registers(max(l.learn, l.classify))
	for range l.setUps {
		h.submit(list)
	}
	h.do(driver.Learn(0, h.words(inputs.Slice(0, l.learn)), l.learn))
	if l.classify == 0 {
		return
	}
	first := inputs.Slice(0, l.classify)
	bitmap := h.alloc(h.Host, l.classify).Address()
	h.do(driver.Classify(0, h.words(first), l.classify, bitmap))
	h.do(driver.Classify(1, h.words(inputs.Slice(l.classify, 2*l.classify)), l.classify, bitmap))
	h.do(driver.Gather(0, l.gather))
	h.do(driver.Update(0, h.rows(first.Slice(0, l.gather)), l.gather))
}

// words stores the lookups of a mini-batch in memory.
func (h *host) words(inputs dlrm.Batch) (addr uint64) {
	r := h.alloc(h.Host, 4*len(inputs.Sparse))
	h.keep(r.WriteUint32s(0, inputs.Sparse))
	return r.Address()
}

// rows stores an update list with one row of each input in memory.
func (h *host) rows(inputs dlrm.Batch) (addr uint64) {
	r := h.alloc(h.Host, 8*inputs.Len())
	for i := range inputs.Len() {
		table := i % len(h.model.Tables)
		h.keep(r.WriteUint32s(8*i, []uint32{uint32(table), inputs.At(i).Sparse[table]}))
	}
	return r.Address()
}

// registers returns the commands that configure the accelerator for mini-batches of this size.
func (h *host) registers(batch int) (list []arch.Command) {
	set := func(register int, v uint64) { list = append(list, driver.SWrite(register, v)) }
	rowBytes, first, slot := 4*h.model.Dim, 0, 0
	for t, table := range h.model.Tables {
		set(arch.RegTable+t, h.filled(h.Host, table.Rows, rowBytes).Address())
		for i := range table.Lookups {
			set(arch.RegSlot+slot, arch.Slot{Base: uint32(first), Table: t, First: i == 0, Last: i == table.Lookups-1}.Bits())
			slot++
		}
		first += table.Rows
	}
	for g, gpu := range h.GPUs {
		set(arch.RegHot+g, h.filled(gpu.Memory, h.driver.Geometry().Blocks, rowBytes).Address())
		set(arch.RegGrad+g, h.filled(gpu.Memory, batch, rowBytes).Address())
		set(arch.RegPooled+g, h.alloc(gpu.Memory, batch*len(h.model.Tables)*rowBytes).Address())
		set(arch.RegMailbox+g, h.alloc(gpu.Memory, batch).Address())
	}
	set(arch.RegSlots, uint64(slot))
	set(arch.RegTables, uint64(len(h.model.Tables)))
	set(arch.RegRowLog2, uint64(math.Log2(float64(rowBytes))))
	set(arch.RegGPUs, uint64(len(h.GPUs)))
	set(arch.RegScale, uint64(math.Float32bits(-h.model.LearningRate)))
	return list
}

// submit submits commands without waiting between them.
func (h *host) submit(list []arch.Command) {
	for _, c := range list {
		if h.failed == nil {
			h.keep(h.driver.Submit(c, func(_ driver.Completion, err error) { h.keep(err) }))
		}
	}
	if h.failed == nil {
		h.keep(h.driver.Drain())
	}
}

func (h *host) do(c arch.Command) {
	if h.failed == nil {
		_, err := h.driver.Do(c)
		h.keep(err)
	}
}

func (h *host) keep(err error) {
	if h.failed == nil {
		h.failed = err
	}
}

func (h *host) alloc(from *server.Space, bytes int) *server.Region {
	return from.Alloc("session", bytes)
}

// filled allocates n rows and fills them with random numbers from -0.5 to 0.5.
func (h *host) filled(from *server.Space, n, rowBytes int) *server.Region {
	return from.AllocRows("rows", n, rowBytes, func(row int, p []byte) {
		random := rand.New(rand.NewPCG(uint64(row), 1))
		for i := 0; i+4 <= len(p); i += 4 {
			binary.LittleEndian.PutUint32(p[i:], math.Float32bits(random.Float32()-0.5))
		}
	})
}
