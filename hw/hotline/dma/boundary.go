package dma

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
)

// ReadDescPorts declares the sending end of the read descriptors.
func ReadDescPorts(m *hw.Module, p arch.Params) Desc {
	d := descPorts(m, p, "m_axis_read_desc")
	d.Class = m.Out("m_axis_read_desc_cls", 1)
	return d
}

// WriteDescPorts declares the sending end of the write descriptors.
func WriteDescPorts(m *hw.Module, p arch.Params) Desc {
	return descPorts(m, p, "m_axis_write_desc")
}

// ReadStatusPorts and WriteStatusPorts declare the receiving end of statuses.
func ReadStatusPorts(m *hw.Module, p arch.Params) Status {
	return statusPorts(m, p, "s_axis_read_desc_status")
}

// WriteStatusPorts declares the receiving end of the write statuses.
func WriteStatusPorts(m *hw.Module, p arch.Params) Status {
	return statusPorts(m, p, "s_axis_write_desc_status")
}

// ReadDataPorts declares the receiving end of the read data.
func ReadDataPorts(m *hw.Module, p arch.Params) axis.Bundle {
	return axis.Type{Width: p.StreamBits, ID: tagBits(p), User: 1}.Sink(m, "s_axis_read_data")
}

// WriteDataPorts declares the sending end of the write data.
func WriteDataPorts(m *hw.Module, p arch.Params) axis.Bundle {
	return axis.Type{Width: p.StreamBits, ID: tagBits(p)}.Source(m, "m_axis_write_data")
}

// Connect makes d, ports of the module around an engine, send what the
// engine's descriptor stream from sends.
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

// Connect makes s receive what the outer ports receive.
func (s Status) Connect(outer Status) {
	s.Tag.Set(outer.Tag)
	s.Error.Set(outer.Error)
	s.Valid.Set(outer.Valid)
}
