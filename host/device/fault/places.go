package fault

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// places maps TLPs on the accelerator's link to places.
type places struct {
	function   pcie.ID
	bar        link.Window
	interrupts link.Window
	gpus       []link.Window
	registers  map[uint64]uint32 // last value written by the driver, by offset
	reads      map[uint16]*read  // by tag
}

// read is a read by the accelerator.
type read struct {
	place     Place
	completed bool // the first completion has arrived
	over      bool // any further completions are dropped
}

// of returns the place of a TLP, and whether the TLP counts there.
func (p *places) of(dir link.Direction, t *pcie.TLP) (Place, bool) {
	switch {
	case dir == link.Down && t.Kind == pcie.MWr && p.bar.Contains(t.Addr):
		return p.register(t)
	case dir == link.Down:
		r := p.completes(dir, t)
		if r == nil || r.completed {
			return "", false
		}
		r.completed = true
		return r.place, true
	case t.Kind == pcie.MRd:
		p.reads[t.Tag] = &read{place: p.source(t.Addr)}
	case t.Kind == pcie.MWr:
		return p.target(t.Addr), true
	}
	return "", false
}

// completes returns the accelerator's read that a TLP completes, or nil.
func (p *places) completes(dir link.Direction, t *pcie.TLP) *read {
	if dir == link.Down && t.Class() == pcie.Completion && t.Requester == p.function {
		return p.reads[t.Tag]
	}
	return nil
}

// register records a register write. A write of a ring index is at place Doorbell.
func (p *places) register(t *pcie.TLP) (Place, bool) {
	offset := t.Addr - p.bar.Base
	if t.Length == 1 {
		p.registers[offset] = binary.LittleEndian.Uint32(t.Data)
	}
	return Doorbell, offset == arch.CSRSQTail || offset == arch.CSRCQHead
}

func (p *places) source(addr uint64) Place {
	switch {
	case p.ring(arch.CSRSQBaseLo, arch.CSRSQLog2, arch.CommandBytes).Contains(addr):
		return Command
	case p.onGPU(addr):
		return GPURead
	}
	return DMARead
}

func (p *places) target(addr uint64) Place {
	switch {
	case p.interrupts.Contains(addr):
		return Interrupt
	case p.ring(arch.CSRCQBaseLo, arch.CSRCQLog2, arch.CompletionBytes).Contains(addr):
		return Completion
	case p.onGPU(addr):
		return VectorWr
	}
	return DMAWrite
}

// ring returns the address window of a ring, as configured by its registers.
func (p *places) ring(base, log2 uint64, entry uint64) link.Window {
	return link.Window{Base: uint64(p.registers[base+4])<<32 | uint64(p.registers[base]), Size: entry << p.registers[log2]}
}

func (p *places) onGPU(addr uint64) bool {
	for _, w := range p.gpus {
		if w.Contains(addr) {
			return true
		}
	}
	return false
}
