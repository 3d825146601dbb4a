package ram

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw"
)

// RAM is a single-port memory of Depth words of Width bits. Style is the
// ram_style attribute: block, ultra, distributed, or empty for the tool's
// choice.
type RAM struct {
	Depth, Width int
	Style        string
}

// RAMPorts are the ports of a RAM. In a cycle with Enable it writes WData to
// Addr if Write is 1, else RData is the word at Addr from the next cycle on; it
// stays until the next read.
type RAMPorts struct {
	Enable, Write, Addr, WData, RData hw.Bits
}

// Build describes the memory in the no-change form: a write leaves RData as it
// is, which every FPGA and SRAM compiler has.
func (p RAM) Build(m *hw.Module) RAMPorts {
	m.Doc("Single-port memory, synchronous read, no change on write.")
	io := RAMPorts{
		Enable: m.In("en", 1),
		Write:  m.In("we", 1),
		Addr:   m.In("addr", hw.IndexWidth(p.Depth)),
		WData:  m.In("wdata", p.Width),
		RData:  m.Out("rdata", p.Width),
	}
	mem := memory(m, p.Depth, p.Width, p.Style)
	rd := mem.Port("word")
	m.When(io.Enable, func() {
		m.When(io.Write, func() {
			mem.Write(io.Addr, io.WData)
		}).Else(func() {
			rd.Read(io.Addr)
		})
	})
	io.RData.Set(rd.Data)
	return io
}

// SimpleDual is a memory of Depth words of Width bits with a write port and a
// read port. Style is as in RAM.
type SimpleDual struct {
	Depth, Width int
	Style        string
}

// SimpleDualPorts are the ports of a SimpleDual. In a cycle with Write it
// writes WData to WAddr; in a cycle with Read, RData is the word at RAddr from
// the next cycle until the next read. A read of the word being written gives
// the old one.
type SimpleDualPorts struct {
	Write, WAddr, WData hw.Bits
	Read, RAddr, RData  hw.Bits
}

// Build describes the memory.
func (p SimpleDual) Build(m *hw.Module) SimpleDualPorts {
	m.Doc("Memory with one write and one synchronous read port; a collision reads the old word.")
	io := SimpleDualPorts{
		Write: m.In("we", 1),
		WAddr: m.In("waddr", hw.IndexWidth(p.Depth)),
		WData: m.In("wdata", p.Width),
		Read:  m.In("re", 1),
		RAddr: m.In("raddr", hw.IndexWidth(p.Depth)),
		RData: m.Out("rdata", p.Width),
	}
	mem := memory(m, p.Depth, p.Width, p.Style)
	rd := mem.Port("word")
	m.When(io.Write, func() { mem.Write(io.WAddr, io.WData) })
	m.When(io.Read, func() { rd.Read(io.RAddr) })
	io.RData.Set(rd.Data)
	return io
}

func memory(m *hw.Module, depth, width int, style string) hw.Mem[hw.Bits] {
	if !slices.Contains([]string{"", "block", "ultra", "distributed"}, style) {
		m.Errorf("style %q; want block, ultra, distributed or nothing", style)
	}
	return m.Mem("mem", depth, width).Style(style)
}
