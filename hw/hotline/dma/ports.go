package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Desc is a descriptor stream of the boundary. Class is absent (zero) on the
// write side.
type Desc struct{ Addr, Len, Tag, Class, Valid, Ready hw.Bits }

// descPorts declares the sending end of a descriptor stream.
func descPorts(m *hw.Module, p arch.Params, prefix string) Desc {
	return Desc{
		Addr:  m.Out(prefix+"_dma_addr", addrBits),
		Len:   m.Out(prefix+"_len", LenBits),
		Tag:   m.Out(prefix+"_tag", tagBits(p)),
		Valid: m.Out(prefix+"_valid", 1),
		Ready: m.In(prefix+"_ready", 1),
	}
}

// Fire is 1 when a descriptor moves.
func (d Desc) Fire() hw.Bits { return d.Valid.And(d.Ready) }

// send drives the descriptor from a register stage that holds {class, addr,
// len, tag}, the class only if the descriptor has one.
func (d Desc) send(reg skid.Ports) {
	f := fields{reg.Pop.Data}
	d.Tag.Set(f.take(d.Tag.Width()))
	d.Len.Set(f.take(LenBits))
	d.Addr.Set(f.take(addrBits))
	if d.Class.Width() > 0 {
		d.Class.Set(f.take(1))
	}
	d.Valid.Set(reg.Pop.Valid)
	reg.Pop.Ready.Set(d.Ready)
}

// Status is how the boundary reports the end of a descriptor; there is no
// ready.
type Status struct{ Tag, Error, Valid hw.Bits }

func statusPorts(m *hw.Module, p arch.Params, prefix string) Status {
	return Status{Tag: m.In(prefix+"_tag", tagBits(p)), Error: m.In(prefix+"_error", codeBits), Valid: m.In(prefix+"_valid", 1)}
}

// registered is s one cycle later.
func (s Status) registered(m *hw.Module) Status {
	r := Status{Tag: m.Data("status_tag", s.Tag.Width()), Error: m.Data("status_error", codeBits), Valid: m.Reg("status_valid", 1, 0)}
	r.Valid.Set(s.Valid)
	m.When(s.Valid, func() {
		r.Tag.Set(s.Tag)
		r.Error.Set(s.Error)
	})
	return r
}

func tagBits(p arch.Params) int { return hw.IndexWidth(p.Tags) }

// sticky keeps the first code other than 0 that arrives after clear.
func sticky(m *hw.Module, arrives, code, clear hw.Bits) hw.Bits {
	first := m.Reg("first_error", codeBits, 0)
	m.When(clear.Or(first.IsZero()), func() { first.Set(hw.Mux(arrives, code, hw.K(0))) })
	return first
}

// pick is bit i of x.
func pick(x, i hw.Bits) hw.Bits { return x.Shr(i).Bit(0) }
