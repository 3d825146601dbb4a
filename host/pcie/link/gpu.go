package link

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// GPUConfig configures a GPU as its peers see it.
type GPUConfig struct {
	ID pcie.ID
	// Base is the bus address of the GPU's memory. The size of the window is the size of the
	// memory.
	Base uint64
	// Memory configures how the GPU completes reads and writes by peers.
	Memory MemoryConfig
}

// DefaultGPUConfig returns GPU i, with ID 10+i:00.0 (hexadecimal), base address 4 TiB + i * 128 GiB
// and the memory of a V100: 816.95 GB/s (ml_perf_model) and sectors of 32 bytes. The latency of 400
// ns is an assumption.
func DefaultGPUConfig(i int) GPUConfig {
	return GPUConfig{
		ID: pcie.NewID(0x10+i, 0, 0), Base: 1<<42 + uint64(i)<<37,
		Memory: MemoryConfig{
			Latency: 400 * des.Nanosecond, GBPerSecond: 816.95, Granule: 32,
			MPS: 256, RCB: deviceRCB, Policy: "max",
		},
	}
}

// GPU is an endpoint whose whole memory is accessible to peers, as with a large BAR. It sends no
// requests. Its address is fixed by its configuration, because it has no configuration space.
type GPU struct {
	cfg      GPUConfig
	mem      *des.Memory
	hbm      *des.Resource
	answer   *completer
	counters Counters
}

// NewGPU returns a GPU with the given memory.
func NewGPU(k *des.Kernel, cfg GPUConfig, mem *des.Memory) (*GPU, error) {
	g := &GPU{cfg: cfg, mem: mem, hbm: des.NewResource(k, "HBM "+cfg.ID.String(), 1)}
	var err error
	g.answer, err = newCompleter(k, cfg.Memory, cfg.ID, mem, cfg.Base, g.hbm, &g.counters, unreported)
	return g, err
}

// ID implements [Device].
func (g *GPU) ID() pcie.ID { return g.cfg.ID }

// Windows implements [Device].
func (g *GPU) Windows() []Window { return []Window{{g.cfg.Base, g.mem.Size()}} }

// Attached implements [Device]. A GPU has no registers that enable digests: it checks received
// digests and adds none.
func (g *GPU) Attached(p *Port) { p.SetECRC(false, true) }

// Memory returns the GPU's memory; address 0 is at Base on the bus.
func (g *GPU) Memory() *des.Memory { return g.mem }

// Base returns the bus address of the GPU's memory.
func (g *GPU) Base() uint64 { return g.cfg.Base }

// unreported discards errors of devices without a configuration space.
func unreported(config.Error, *pcie.TLP) {}

// Receive implements [Receiver].
func (g *GPU) Receive(p *Port, t *pcie.TLP) {
	switch t.Kind {
	case pcie.MRd, pcie.MWr:
		g.answer.request(p, t)
		return
	case pcie.Cpl, pcie.CplD:
		g.counters.Unexpected++
	case pcie.CfgRd0, pcie.CfgWr0, pcie.CfgRd1, pcie.CfgWr1:
		addr, n := t.Span()
		g.counters.Unsupported++
		p.Send(pcie.NewFailure(t, g.cfg.ID, addr, n, pcie.UR), nil)
	}
	p.Release(t)
}
