package ram

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw"
)

// RAM is a single-port memory of Depth words. Style is the ram_style attribute: block, ultra,
// distributed, or empty for the tool's choice.
type RAM[T any] struct {
	Of    hw.Shape[T] `hw:"parameter" doc:"word"`
	Depth int         `doc:"words of the memory"`
	Style string      `doc:"attribute ram_style of the memory"`
}

// Ports are the ports of a RAM. In a cycle with Enable, the RAM writes WData to Addr if Write is
// 1. Otherwise it reads the word at Addr; RData has this value from the next cycle until the next
// read.
type Ports[T any] struct {
	Enable hw.Bits `hw:"in,name=en" doc:"reads, or writes with we"`
	Write  hw.Bits `hw:"in,name=we" doc:"writes, with en"`
	Addr   hw.Bits `hw:"in,AddrBits" doc:"of the word"`
	WData  T       `hw:"in,of=Of,name=wdata" doc:"word to write"`
	RData  T       `hw:"out,of=Of,name=rdata" doc:"the word, a cycle after the read and until the next"`
}

// AddrBits returns the width of an address.
func (p RAM[T]) AddrBits() int { return hw.IndexWidth(p.Depth) }

// Build describes the memory in no-change mode: a write does not change RData. Every FPGA and
// every SRAM compiler supports this mode.
func (p RAM[T]) Build(m *hw.Module) Ports[T] {
	m.Doc("Single-port memory, synchronous read, no change on write.")
	io := hw.Ports[Ports[T]](m)
	mem := memory(m, p.Of, p.Depth, p.Style)
	rd := mem.Port("word")
	m.When(io.Enable, func() {
		m.When(io.Write, func() {
			mem.Write(io.Addr, io.WData)
		}).Else(func() {
			rd.Read(io.Addr)
		})
	})
	hw.Set(io.RData, rd.Data)
	return io
}

// SimpleDual is a memory of Depth words with a write port and a read port. Style has the same
// meaning as in RAM.
type SimpleDual[T any] struct {
	Of    hw.Shape[T] `hw:"parameter" doc:"word"`
	Depth int         `doc:"words of the memory"`
	Style string      `doc:"attribute ram_style of the memory"`
}

// SimpleDualPorts are the ports of a SimpleDual. In a cycle with Write, it writes WData to WAddr.
// In a cycle with Read, it reads the word at RAddr; RData has this value from the next cycle until
// the next read. A read of a word that is being written returns the old word.
type SimpleDualPorts[T any] struct {
	Write hw.Bits `hw:"in,name=we" doc:"writes wdata to waddr"`
	WAddr hw.Bits `hw:"in,AddrBits,name=waddr" doc:"of the word to write"`
	WData T       `hw:"in,of=Of,name=wdata" doc:"word to write"`
	Read  hw.Bits `hw:"in,name=re" doc:"reads the word at raddr"`
	RAddr hw.Bits `hw:"in,AddrBits,name=raddr" doc:"of the word to read"`
	RData T       `hw:"out,of=Of,name=rdata" doc:"the word, a cycle after the read and until the next"`
}

// AddrBits returns the width of an address.
func (p SimpleDual[T]) AddrBits() int { return hw.IndexWidth(p.Depth) }

// Build describes the memory.
func (p SimpleDual[T]) Build(m *hw.Module) SimpleDualPorts[T] {
	m.Doc("Memory with one write and one synchronous read port; a collision reads the old word.")
	io := hw.Ports[SimpleDualPorts[T]](m)
	mem := memory(m, p.Of, p.Depth, p.Style)
	rd := mem.Port("word")
	m.When(io.Write, func() { mem.Write(io.WAddr, io.WData) })
	m.When(io.Read, func() { rd.Read(io.RAddr) })
	hw.Set(io.RData, rd.Data)
	return io
}

func memory[T any](m *hw.Module, of hw.Shape[T], depth int, style string) hw.Mem[T] {
	if !slices.Contains([]string{"", "block", "ultra", "distributed"}, style) {
		m.Errorf("style is %q; expected block, ultra, distributed or nothing", style)
	}
	return of.Mem(m, "mem", depth).Style(style)
}
