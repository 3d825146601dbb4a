package isa

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
)

// AddrBits is the width of a CSR byte address.
const AddrBits = 12

// Registers are the control and status registers behind AXI4-Lite.
type Registers struct{ arch.Params }

// RegisterPorts: what the driver wrote, and what it can read. The counters add
// their input every cycle.
type RegisterPorts struct {
	Bus                              axil.Bundle
	Enable                           hw.Bits
	SQBase, SQLog2, SQTail           hw.Bits
	CQBase, CQLog2, CQHead           hw.Bits
	Busy, Ready, SQHead              hw.Bits
	Lookups, CacheHits, LookupActive hw.Bits
	RowRead, RowWritten              hw.Bits
}

// ModuleName names the module.
func (Registers) ModuleName() string { return "control_registers" }

// csr is a register: what is read, and if it can be written the storage.
type csr struct {
	offset int
	value  hw.Bits
	store  hw.Bits // zero Bits for a read-only register
}

// Build describes the registers.
func (p Registers) Build(m *hw.Module) RegisterPorts {
	m.Doc("Control and status registers.")
	lookupBits := hw.CountWidth(p.Engines)
	io := RegisterPorts{
		Bus:    axil.SlavePorts(m, "s_axil", AddrBits),
		Enable: m.Out("enable", 1),
		SQBase: m.Out("sq_base", 64), SQLog2: m.Out("sq_log2", 4), SQTail: m.Out("sq_tail", 16),
		CQBase: m.Out("cq_base", 64), CQLog2: m.Out("cq_log2", 4), CQHead: m.Out("cq_head", 16),
		Busy: m.In("busy", 1), Ready: m.In("ready", 1), SQHead: m.In("sq_head", 16),
		Lookups: m.In("lookups", lookupBits), CacheHits: m.In("cache_hits", lookupBits), LookupActive: m.In("lookup_active", 1),
		RowRead: m.In("row_read", 1), RowWritten: m.In("row_written", 1),
	}
	slave := hw.Inst(m, "slave", axil.Slave{AddrWidth: AddrBits})
	slave.Bus.Connect(io.Bus)
	regs := p.list(m, io)
	p.write(m, slave, regs)
	p.read(m, slave, regs)
	return io
}

func (p Registers) list(m *hw.Module, io RegisterPorts) []csr {
	var regs []csr
	fixed := func(offset int, v uint64) { regs = append(regs, csr{offset: offset, value: hw.Lit(32, v)}) }
	status := func(offset int, v hw.Bits) { regs = append(regs, csr{offset: offset, value: v.Ext(32)}) }
	control := func(offset int, name string, width int) hw.Bits {
		r := m.Reg(name, width, 0)
		regs = append(regs, csr{offset: offset, value: r.Ext(32), store: r})
		return r
	}
	counter := func(offset int, name string, add hw.Bits) {
		r := m.Reg(name, 32, 0)
		m.When(add.Any(), func() { r.Set(r.Add(add.Ext(32))) })
		status(offset, r)
	}
	log := func(n int) uint64 { return uint64(arch.Log2(n)) }
	fixed(arch.CSRID, arch.ID)
	fixed(arch.CSRVersion, arch.Version)
	fixed(arch.CSRCaps0, log(p.Engines)|log(p.Banks)<<8|log(p.Blocks)<<16|log(p.Ways)<<24)
	fixed(arch.CSRCaps1, uint64(p.StreamBytes())|uint64(p.Tags)<<16)
	fixed(arch.CSRCaps2, uint64(p.HalfWords()))
	fixed(arch.CSRCaps3, uint64(p.Slots)|uint64(p.Tables)<<16)
	fixed(arch.CSRCaps4, uint64(p.IDBits())|uint64(p.GPUs)<<8|uint64(p.VectorValues)<<16)
	io.Enable.Set(control(arch.CSRControl, "enable_q", 1))
	status(arch.CSRStatus, hw.Cat(io.Ready, io.Busy))
	sqLo := control(arch.CSRSQBaseLo, "sq_base_lo", 32)
	io.SQBase.Set(hw.Cat(control(arch.CSRSQBaseHi, "sq_base_hi", 32), sqLo))
	io.SQLog2.Set(control(arch.CSRSQLog2, "sq_log2_q", 4))
	io.SQTail.Set(control(arch.CSRSQTail, "sq_tail_q", 16))
	status(arch.CSRSQHead, io.SQHead)
	cqLo := control(arch.CSRCQBaseLo, "cq_base_lo", 32)
	io.CQBase.Set(hw.Cat(control(arch.CSRCQBaseHi, "cq_base_hi", 32), cqLo))
	io.CQLog2.Set(control(arch.CSRCQLog2, "cq_log2_q", 4))
	io.CQHead.Set(control(arch.CSRCQHead, "cq_head_q", 16))
	counter(arch.CSRLookups, "lookups_q", io.Lookups)
	counter(arch.CSRCacheHits, "cache_hits_q", io.CacheHits)
	counter(arch.CSRLookupCycles, "lookup_cycles_q", io.LookupActive)
	counter(arch.CSRRowsRead, "rows_read_q", io.RowRead)
	counter(arch.CSRRowsWritten, "rows_written_q", io.RowWritten)
	return regs
}

// write takes 32-bit writes; a register keeps its value if not all its bytes
// are enabled.
func (p Registers) write(m *hw.Module, slave axil.Ports, regs []csr) {
	slave.WriteError.Set(hw.K(1))
	whole := slave.Write.And(slave.WriteStrb.All()).As("write_whole")
	word := slave.WriteAddr.Slice(AddrBits-1, 2).As("write_word")
	sw := m.Switch(word)
	for _, r := range regs {
		if r.store.Width() == 0 {
			continue
		}
		sw = sw.Case(hw.K(r.offset>>2), func() {
			slave.WriteError.Set(hw.K(0))
			m.When(whole, func() { r.store.Set(slave.WriteData.Trunc(r.store.Width())) })
		})
	}
	sw.Default(func() {})
}

func (p Registers) read(m *hw.Module, slave axil.Ports, regs []csr) {
	data, failed := m.Data("read_value", 32), m.Data("read_unmapped", 1)
	m.When(slave.Read, func() {
		failed.Set(hw.K(1))
		sw := m.Switch(slave.ReadAddr.Slice(AddrBits-1, 2))
		for _, r := range regs {
			sw = sw.Case(hw.K(r.offset>>2), func() {
				data.Set(r.value)
				failed.Set(hw.K(0))
			})
		}
		sw.Default(func() {})
	})
	slave.ReadData.Set(data)
	slave.ReadError.Set(failed)
}
