package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Desc is a descriptor stream of the boundary. Class is absent (zero) on the
// write side.
type Desc struct{ Addr, Len, Tag, Class, Valid, Ready hw.Bits }

// ReadDescPorts declares m_axis_read_desc, the sending end of read descriptors.
func ReadDescPorts(m *hw.Module, p arch.Params) Desc {
	return descPorts(m, readTagBits(p), "m_axis_read_desc", true)
}

// WriteDescPorts declares m_axis_write_desc, the sending end of write
// descriptors.
func WriteDescPorts(m *hw.Module, p arch.Params) Desc {
	return descPorts(m, tagBits(p), "m_axis_write_desc", false)
}

func descPorts(m *hw.Module, tag int, prefix string, class bool) Desc {
	d := Desc{
		Addr: m.Out(prefix+"_dma_addr", addrBits),
		Len:  m.Out(prefix+"_len", LenBits),
		Tag:  m.Out(prefix+"_tag", tag),
	}
	if class {
		d.Class = m.Out(prefix+"_cls", 1)
	}
	d.Valid, d.Ready = m.Out(prefix+"_valid", 1), m.In(prefix+"_ready", 1)
	return d
}

// Connect makes d the receiver of what from sends.
func (d Desc) Connect(from Desc) {
	d.Addr.Set(from.Addr)
	d.Len.Set(from.Len)
	d.Tag.Set(from.Tag)
	if d.Class.Width() > 0 {
		d.Class.Set(from.Class)
	}
	d.Valid.Set(from.Valid)
	from.Ready.Set(d.Ready)
}

// Fire is 1 when a descriptor moves.
func (d Desc) Fire() hw.Bits { return d.Valid.And(d.Ready) }

// send drives the descriptor from a register stage that holds {class, addr,
// len, tag}, the class only if the descriptor has one.
func (d Desc) send(reg skid.Ports[hw.Bits]) {
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

// ReadStatusPorts declares s_axis_read_desc_status, the receiving end.
func ReadStatusPorts(m *hw.Module, p arch.Params) Status {
	return statusPorts(m, readTagBits(p), "s_axis_read_desc_status")
}

// WriteStatusPorts declares s_axis_write_desc_status, the receiving end.
func WriteStatusPorts(m *hw.Module, p arch.Params) Status {
	return statusPorts(m, tagBits(p), "s_axis_write_desc_status")
}

func statusPorts(m *hw.Module, tag int, prefix string) Status {
	return Status{Tag: m.In(prefix+"_tag", tag), Error: m.In(prefix+"_error", ErrorBits), Valid: m.In(prefix+"_valid", 1)}
}

// Connect makes s the receiver of what from sends.
func (s Status) Connect(from Status) {
	s.Tag.Set(from.Tag)
	s.Error.Set(from.Error)
	s.Valid.Set(from.Valid)
}

// ReadDataPorts declares s_axis_read_data, the receiving end; tuser marks
// poisoned data.
func ReadDataPorts(m *hw.Module, p arch.Params) axis.Bundle {
	return axis.Type{Width: p.StreamBits, ID: readTagBits(p), User: 1}.Sink(m, "s_axis_read_data")
}

// WriteDataPorts declares m_axis_write_data, the sending end.
func WriteDataPorts(m *hw.Module, p arch.Params) axis.Bundle {
	return writeStream(p).Source(m, "m_axis_write_data")
}

func writeStream(p arch.Params) axis.Type {
	return axis.Type{Width: p.StreamBits, ID: tagBits(p)}
}

// registered is s one cycle later.
func (s Status) registered(m *hw.Module) Status {
	r := Status{Tag: m.Data("status_tag", s.Tag.Width()), Error: m.Data("status_error", ErrorBits), Valid: m.Reg("status_valid", 1, 0)}
	r.Valid.Set(s.Valid)
	m.When(s.Valid, func() {
		r.Tag.Set(s.Tag)
		r.Error.Set(s.Error)
	})
	return r
}

// tagBits is the width of the tag of a write, or of the read of a row or load.
func tagBits(p arch.Params) int { return hw.IndexWidth(p.Tags) }

// readTagBits is the width of any read's tag: the top bit is that of commands.
func readTagBits(p arch.Params) int { return tagBits(p) + 1 }
