package link

import (
	"encoding/binary"
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// RootConfig configures a root complex and the host memory behind it.
type RootConfig struct {
	// Latency is the time that a TLP spends in the root complex, on the way to memory or to another
	// port, in picoseconds.
	Latency des.Time
	// CompletionTimeout is the timeout of reads by the CPU, in picoseconds.
	CompletionTimeout des.Time
	// Memory configures accesses to host memory.
	Memory MemoryConfig
	// Interrupts is the window in which writes are interrupts.
	Interrupts Window
	// Devices is the window from which enumeration assigns addresses to BARs.
	Devices Window
}

// DefaultRootConfig returns a server of the papers. DDR4 streams 51 GB/s in lines of 64 bytes,
// completions are split for MPS 256 and RCB 64, and interrupts have the x86 addresses. With
// [DefaultConfig], a 64-byte read takes 0.7 us. The latencies are assumptions; pcie-bench (SIGCOMM
// 2018) measured a total of 0.5 to 1 us.
func DefaultRootConfig() RootConfig {
	return RootConfig{
		Latency:           200 * des.Nanosecond,
		CompletionTimeout: 10 * des.Millisecond,
		Memory: MemoryConfig{
			Latency: 180 * des.Nanosecond, GBPerSecond: 51, Granule: 64,
			MPS: 256, RCB: 64, Policy: "rcb",
		},
		Interrupts: Window{0xfee00000, 0x100000},
		Devices:    Window{0xfe000000, 0x800000},
	}
}

// RootComplex connects the CPU, host memory and the devices below its ports.
//
// An address is routed to the device that claims it, otherwise to the interrupt window, and
// otherwise to host memory. Host memory uses the addresses of the store; memory behind a window is
// unreachable.
type RootComplex struct {
	hub
	cfg        RootConfig
	memory     *completer
	ram        *des.Resource
	reads      requester
	waiting    des.FIFO[*cpuRead]
	interrupt  func(addr uint64, data uint32)
	messages   uint64
	rootErrors RootErrors
	assigned   map[pcie.ID]Window // by Enumerate
}

// NewRootComplex returns a root complex with ID 00:00.0 in front of host memory.
func NewRootComplex(k *des.Kernel, cfg RootConfig, memory Store) (*RootComplex, error) {
	if cfg.Latency < 0 || cfg.CompletionTimeout <= 0 {
		return nil, fmt.Errorf("link: root complex latency %v, completion timeout %v, expected a latency of 0 or more and a timeout above 0",
			cfg.Latency, cfg.CompletionTimeout)
	}
	rc := &RootComplex{cfg: cfg, ram: des.NewResource(k, "host memory", 1), assigned: map[pcie.ID]Window{}}
	rc.init(k, pcie.NewID(0, 0, 0), cfg.Latency)
	rc.local = rc.arrive
	rc.tell = func(s config.Severity) { rc.rootErrors.note(s, rc.id) }
	rc.reads.init(k, rc.id, cfg.CompletionTimeout, &rc.counters, rc.report, rc.issue)
	rc.reads.setTags(256)
	k.Watch("root complex", rc.reads.state)
	var err error
	rc.memory, err = newCompleter(k, cfg.Memory, rc.id, memory, 0, rc.ram, &rc.counters, rc.report)
	return rc, err
}

// Attach attaches a device or a switch below a new root port. It fails if the ID or an address is
// taken, or if the configuration is out of range.
func (rc *RootComplex) Attach(cfg Config, d Device) (*Link, error) { return rc.attach(rc, cfg, d) }

// ID returns the requester ID of the CPU, which is also the completer ID of host memory.
func (rc *RootComplex) ID() pcie.ID { return rc.id }

// OnInterrupt sets the handler of writes to the interrupt window. When it is called, all earlier
// writes of the device are in memory.
func (rc *RootComplex) OnInterrupt(f func(addr uint64, data uint32)) { rc.interrupt = f }

// arrive processes a TLP that no device claims.
func (rc *RootComplex) arrive(p *Port, t *pcie.TLP) {
	switch t.Kind {
	case pcie.Cpl, pcie.CplD:
		if t.Requester == rc.id {
			rc.reads.completion(t)
		} else {
			rc.counters.Unexpected++
			rc.report(config.UnexpectedCompletion, t)
		}
	case pcie.Msg, pcie.MsgD:
		rc.messages++
		rc.rootErrors.message(t)
	default:
		if !rc.cfg.Interrupts.Contains(t.Addr) {
			rc.memory.request(p, t) // releases t
			return
		}
		if t.Kind != pcie.MWr || t.Length != 1 {
			rc.refuse(p, t)
			return
		}
		if t.EP {
			rc.counters.Poisoned++
			rc.report(config.PoisonedTLP, t)
		} else if rc.interrupt != nil {
			rc.interrupt(t.Addr, binary.LittleEndian.Uint32(t.Data))
		}
	}
	p.Release(t)
}

// linkDown ends the CPU's reads through a port whose link went down.
func (rc *RootComplex) linkDown(p *Port) { rc.reads.retireAll(p, UnsupportedRequest) }
