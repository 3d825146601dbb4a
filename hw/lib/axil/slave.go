package axil

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Slave is an AXI4-Lite slave with AddrWidth address bits. All its bus outputs are registered. It
// accepts a write every cycle and a read every other cycle. Writes and reads do not wait for each
// other.
type Slave struct {
	AddrWidth int `doc:"byte address" unit:"bits"`
}

// Ports are the bus, with the prefix s_axil, and the register interface.
type Ports struct {
	Bus    Bus `hw:"in,name=s_axil" doc:"AXI4-Lite"`
	Access `hw:"out"`
}

// ModuleName returns the name of the module.
func (Slave) ModuleName() string { return "axil_slave" }

// Build describes the slave.
func (p Slave) Build(m *hw.Module) Ports {
	m.Doc("AXI4-Lite slave in front of a register file.")
	io := hw.Ports[Ports](m)
	m.Unused(io.Bus.AW.Data.Prot, io.Bus.AR.Data.Prot)
	p.writes(m, io)
	p.reads(m, io)
	return io
}

// writes joins the address and data channels, which may arrive in any order.
func (p Slave) writes(m *hw.Module, io Ports) {
	addr := p.address(m, "aw", io.Bus.AW)
	entry := hw.Inst(m, "w", skid.Skid[WriteData]{Of: hw.Of[WriteData](p)})
	entry.Push.Connect(io.Bus.W)
	data, answer := entry.Pop, io.Bus.B
	answered, resp := m.Reg("answered", 1, 0), hw.Data[Answer](m, "write")

	free := answered.Not().Or(answer.Ready)
	write := addr.Valid.And(data.Valid).And(free).As("do_write")
	addr.Ready.Set(write)
	data.Ready.Set(write)
	io.Write.Set(write)
	io.WriteAddr.Set(addr.Data)
	io.WriteData.Set(data.Data.Data)
	io.WriteStrb.Set(data.Data.Strb)

	m.When(write, func() {
		answered.Set(hw.K(1))
		resp.Resp.Set(response(m, io.WriteError))
	}).ElseWhen(answer.Ready, func() {
		answered.Set(hw.K(0))
	})
	answer.Valid.Set(answered)
	hw.Set(answer.Data, resp)
}

// reads processes one read at a time. The registers answer one cycle after a request, and a
// register holds the answer until the master takes it.
func (p Slave) reads(m *hw.Module, io Ports) {
	addr, answer := p.address(m, "ar", io.Bus.AR), io.Bus.R
	asked, valid := m.Reg("asked", 1, 0), m.Reg("read_valid", 1, 0)
	word := hw.Data[ReadData](m, "read_word")

	read := addr.Valid.And(asked.Not()).And(valid.Not().Or(answer.Ready)).As("do_read")
	addr.Ready.Set(read)
	io.Read.Set(read)
	io.ReadAddr.Set(addr.Data)

	asked.Set(read)
	m.When(asked, func() {
		valid.Set(hw.K(1))
		word.Data.Set(hw.Mux(io.ReadError, hw.K(0), io.ReadData))
		word.Resp.Set(response(m, io.ReadError))
	}).ElseWhen(answer.Ready, func() {
		valid.Set(hw.K(0))
	})
	answer.Valid.Set(valid)
	hw.Set(answer.Data, word)
}

// address adds a skid register to an address channel and drops prot.
func (p Slave) address(m *hw.Module, name string, from hw.Stream[Address]) hw.Stream[hw.Bits] {
	reg := hw.Inst(m, name, skid.Skid[hw.Bits]{Of: hw.Width(p.AddrWidth)})
	reg.Push.Connect(hw.Stream[hw.Bits]{Valid: from.Valid, Ready: from.Ready, Data: from.Data.Addr})
	return reg.Pop
}

func response(m *hw.Module, failed hw.Bits) hw.Enum[Response] {
	return hw.Mux(failed, hw.Value(m, SLVERR), hw.Value(m, OKAY))
}
