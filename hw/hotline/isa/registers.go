package isa

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
)

// AddrBits is the width of a CSR byte address.
const AddrBits = 12

// Registers are the control and status registers behind AXI4-Lite.
type Registers struct{ arch.Params }

// RegisterPorts: what the driver wrote, and what it can read. ResetRequest
// pulses when it asks for a reset.
type RegisterPorts struct {
	CSR          axil.Access `hw:"in"`
	Enable       hw.Bits     `hw:"out"`
	ResetRequest hw.Bits     `hw:"out"`
	SQBase       hw.Bits     `hw:"out,64"`
	SQLog2       hw.Bits     `hw:"out,4"`
	SQTail       hw.Bits     `hw:"out,16"`
	CQBase       hw.Bits     `hw:"out,64"`
	CQLog2       hw.Bits     `hw:"out,4"`
	CQHead       hw.Bits     `hw:"out,16"`

	Busy    hw.Bits                `hw:"in"`
	Halted  hw.Bits                `hw:"in"`
	Overrun hw.Bits                `hw:"in"`
	SQHead  hw.Bits                `hw:"in,16"`
	CQTail  hw.Bits                `hw:"in,16"`
	Error   hw.Enum[arch.DMAError] `hw:"in"`
	Shown   Shown                  `hw:"in,inline"`
}

// Shown is what the registers show of other blocks. The last ones count: their
// registers add them every cycle.
type Shown struct {
	Resetting hw.Bits
	Ready     hw.Bits
	RowsAhead hw.Bits `hw:"RowsAheadBits"`
	Dropped   hw.Bits `hw:"16"`

	Lookups      hw.Bits `hw:"LookupBits"`
	CacheHits    hw.Bits `hw:"LookupBits"`
	LookupActive hw.Bits
	RowRead      hw.Bits
	RowWritten   hw.Bits
}

// ModuleName names the module.
func (Registers) ModuleName() string { return "control_registers" }

// AddrWidth is that of a register's byte address.
func (Registers) AddrWidth() int { return AddrBits }

// LookupBits is the width of the number of lookups in a cycle.
func (p Registers) LookupBits() int { return hw.CountWidth(p.Engines) }

// RowsAheadBits is the width of the number of rows ahead.
func (p Registers) RowsAheadBits() int { return dispatch.RowsAheadBits(p.Params) }

// csr is a register: what is read, and if it can be written the storage, of
// bits low and up.
type csr struct {
	offset int
	value  hw.Bits
	store  hw.Bits // zero Bits for a read-only register
	low    int
}

// Build describes the registers.
func (p Registers) Build(m *hw.Module) RegisterPorts {
	m.Doc("Control and status registers.")
	io := hw.Ports[RegisterPorts](m)
	regs := p.list(m, io)
	p.write(m, io, regs)
	p.read(m, io.CSR, regs)
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
	aligned := func(offset int, name string, unit int) hw.Bits {
		low := arch.Log2(unit)
		r := m.Reg(name, 32-low, 0)
		v := hw.Cat(r, hw.Zeros(low))
		regs = append(regs, csr{offset: offset, value: v, store: r, low: low})
		return v
	}
	counter := func(offset int, name string, add hw.Bits) {
		r := m.Reg(name, 32, 0)
		m.When(add.Any(), func() { r.Set(r.Add(add.Ext(32))) })
		status(offset, r)
	}
	fixed(arch.CSRID, arch.ID)
	fixed(arch.CSRVersion, arch.Version)
	for i, v := range p.Geometry().Caps() {
		fixed(arch.CSRCaps0+4*i, uint64(v))
	}
	enable := m.Reg("enable_q", 1, 0)
	io.Enable.Set(enable)
	regs = append(regs, csr{offset: arch.CSRControl, value: hw.Cat(io.Shown.Resetting, enable.And(io.Shown.Resetting.Not())).Ext(32), store: enable})
	status(arch.CSRStatus, hw.Cat(io.Overrun, io.Halted, io.Shown.Ready, io.Busy))
	sqLo := aligned(arch.CSRSQBaseLo, "sq_base_lo", arch.CommandBytes)
	io.SQBase.Set(hw.Cat(control(arch.CSRSQBaseHi, "sq_base_hi", 32), sqLo))
	io.SQLog2.Set(control(arch.CSRSQLog2, "sq_log2_q", 4))
	io.SQTail.Set(control(arch.CSRSQTail, "sq_tail_q", 16))
	status(arch.CSRSQHead, io.SQHead)
	cqLo := aligned(arch.CSRCQBaseLo, "cq_base_lo", arch.CompletionBytes)
	io.CQBase.Set(hw.Cat(control(arch.CSRCQBaseHi, "cq_base_hi", 32), cqLo))
	io.CQLog2.Set(control(arch.CSRCQLog2, "cq_log2_q", 4))
	io.CQHead.Set(control(arch.CSRCQHead, "cq_head_q", 16))
	status(arch.CSRCQTail, io.CQTail)
	status(arch.CSRError, io.Error.Bits())
	status(arch.CSRRowsAhead, io.Shown.RowsAhead)
	counter(arch.CSRLookups, "lookups_q", io.Shown.Lookups)
	counter(arch.CSRCacheHits, "cache_hits_q", io.Shown.CacheHits)
	counter(arch.CSRLookupCycles, "lookup_cycles_q", io.Shown.LookupActive)
	counter(arch.CSRRowsRead, "rows_read_q", io.Shown.RowRead)
	counter(arch.CSRRowsWritten, "rows_written_q", io.Shown.RowWritten)
	status(arch.CSRDropped, io.Shown.Dropped)
	return regs
}

// write takes whole words only.
func (p Registers) write(m *hw.Module, io RegisterPorts, regs []csr) {
	whole := io.CSR.WriteStrb.All().And(isAligned(io.CSR.WriteAddr)).As("write_whole")
	io.CSR.WriteError.Set(hw.K(1))
	io.ResetRequest.Set(hw.K(0))
	m.When(whole, func() {
		sw := m.Switch(io.CSR.WriteAddr.Slice(AddrBits-1, 2))
		for _, r := range regs {
			if r.store.Width() == 0 {
				continue
			}
			sw = sw.Case(hw.K(r.offset>>2), func() {
				io.CSR.WriteError.Set(hw.K(0))
				m.When(io.CSR.Write, func() {
					r.store.Set(io.CSR.WriteData.Slice(r.low+r.store.Width()-1, r.low))
					if r.offset == arch.CSRControl {
						io.ResetRequest.Set(io.CSR.WriteData.Bit(arch.ControlResetBit))
					}
				})
			})
		}
		sw.Default(func() {})
	})
}

func (p Registers) read(m *hw.Module, io axil.Access, regs []csr) {
	data, failed := m.Data("read_value", 32), m.Data("read_unmapped", 1)
	m.When(io.Read, func() {
		data.Set(hw.K(0))
		failed.Set(hw.K(1))
		m.When(isAligned(io.ReadAddr), func() {
			sw := m.Switch(io.ReadAddr.Slice(AddrBits-1, 2))
			for _, r := range regs {
				sw = sw.Case(hw.K(r.offset>>2), func() {
					data.Set(r.value)
					failed.Set(hw.K(0))
				})
			}
			sw.Default(func() {})
		})
	})
	io.ReadData.Set(data)
	io.ReadError.Set(failed)
}

// isAligned tells whether an address is that of a word.
func isAligned(address hw.Bits) hw.Bits { return address.Trunc(2).IsZero() }
