package fault

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// places maps TLPs on the accelerator's link to places.
type places struct {
	endpoint  *link.Endpoint
	gpus      []link.Window
	rings     bool
	registers map[uint64]uint32   // last value written by the driver, by offset
	reads     [2]map[uint16]*read // by direction of the completion, and tag
}

func newPlaces(t Target) places {
	return places{
		endpoint: t.Endpoint, gpus: t.GPUs, rings: !t.Foreign, registers: map[uint64]uint32{},
		reads: [2]map[uint16]*read{link.Down: {}, link.Up: {}},
	}
}

// read is a read by the accelerator, or by the driver.
type read struct {
	place     Place
	completed bool // the first completion has arrived
	over      bool // any further completions are dropped
}

// of returns the place of a TLP, and whether the TLP counts there.
func (p *places) of(dir link.Direction, t *pcie.TLP) (Place, bool) {
	switch {
	case t.Class() == pcie.Completion:
		r := p.completes(dir, t)
		if r == nil || r.completed {
			return "", false
		}
		r.completed = true
		return r.place, true
	case dir == link.Down:
		return p.access(t)
	case t.Kind == pcie.MRd:
		p.reads[link.Down][t.Tag] = &read{place: p.source(t.Addr)}
	case t.Kind == pcie.MWr:
		return p.target(t), true
	}
	return "", false
}

// completes returns the read that a TLP completes, or nil. It returns nil for completions of
// configuration requests.
func (p *places) completes(dir link.Direction, t *pcie.TLP) *read {
	if t.Class() != pcie.Completion || dir == link.Down && t.Requester != p.endpoint.ID() {
		return nil
	}
	return p.reads[dir][t.Tag]
}

// access returns the place of a request by the host.
func (p *places) access(t *pcie.TLP) (Place, bool) {
	ours := p.endpoint.BAR().Contains(t.Addr)
	switch {
	case t.Kind == pcie.MRd && ours:
		p.reads[link.Up][t.Tag] = &read{place: Register}
	case t.Kind == pcie.MWr && ours:
		return p.register(t)
	case t.Class() == pcie.NonPosted:
		delete(p.reads[link.Up], t.Tag)
	}
	return "", false
}

// register records a register write. A write of a ring index is at place Doorbell.
func (p *places) register(t *pcie.TLP) (Place, bool) {
	offset := t.Addr - p.endpoint.BAR().Base
	if t.Length == 1 {
		p.registers[offset] = binary.LittleEndian.Uint32(t.Data)
	}
	return Doorbell, p.rings && (offset == arch.CSRSQTail || offset == arch.CSRCQHead)
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

func (p *places) target(t *pcie.TLP) Place {
	switch {
	case t.MSIX > 0:
		return Interrupt
	case p.ring(arch.CSRCQBaseLo, arch.CSRCQLog2, arch.CompletionBytes).Contains(t.Addr):
		return Completion
	case p.onGPU(t.Addr):
		return VectorWr
	}
	return DMAWrite
}

// ring returns the address window of a ring, as configured by its registers.
func (p *places) ring(base, log2 uint64, entry uint64) link.Window {
	if !p.rings {
		return link.Window{}
	}
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
