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

// load is the work of a session: how often the registers are written, which is
// the command processor's share of it; in inputs, how many are learned, how many
// each of two mini-batches has that are classified, and how many of the first are
// gathered and updated. What is learned should be little, as banks wait for each
// other while they learn.
type load struct{ setUps, learn, classify, gather int }

// host gives the accelerator every kind of work in turn, with none of the waiting
// in between that a training run has.
type host struct {
	*server.Server
	driver *driver.Driver
	model  dlrm.Config
	failed error // of a command or an access to memory
}

// work lets a host behind PCIe work with an accelerator of the configuration.
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

// first are the first n inputs of a source.
func first(s data.Source, n int) (inputs dlrm.Batch, err error) {
	r, err := s.Open(0)
	if err != nil {
		return inputs, err
	}
	defer r.Close()
	return inputs, r.Read(&inputs, n)
}

// commands does the work.
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

// words puts a mini-batch into memory.
func (h *host) words(inputs dlrm.Batch) (addr uint64) {
	r := h.alloc(h.Host, 4*len(inputs.Sparse))
	h.keep(r.WriteUint32s(0, inputs.Sparse))
	return r.Address()
}

// rows puts a list of rows for an update into memory, one of each input.
func (h *host) rows(inputs dlrm.Batch) (addr uint64) {
	r := h.alloc(h.Host, 8*inputs.Len())
	for i := range inputs.Len() {
		table := i % len(h.model.Tables)
		h.keep(r.WriteUint32s(8*i, []uint32{uint32(table), inputs.At(i).Sparse[table]}))
	}
	return r.Address()
}

// registers are the commands that set the accelerator up, for mini-batches of a
// size.
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

// submit does not wait between commands.
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

// filled is n rows with numbers around zero in them.
func (h *host) filled(from *server.Space, n, rowBytes int) *server.Region {
	return from.AllocRows("rows", n, rowBytes, func(row int, p []byte) {
		random := rand.New(rand.NewPCG(uint64(row), 1))
		for i := 0; i+4 <= len(p); i += 4 {
			binary.LittleEndian.PutUint32(p[i:], math.Float32bits(random.Float32()-0.5))
		}
	})
}
