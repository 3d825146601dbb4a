package axil

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// Slave is an AXI4-Lite slave of AddrWidth address bits. All its bus outputs
// come from registers. It takes a write every cycle and a read every other
// cycle; writes and reads do not wait for each other.
type Slave struct{ AddrWidth int }

// Ports are the bus, with the prefix s_axil, and the registers' side.
type Ports struct {
	Bus Bundle
	Access
}

// ModuleName tells it from other slaves.
func (p Slave) ModuleName() string { return fmt.Sprintf("axil_slave_a%d", p.AddrWidth) }

// Build describes the slave.
func (p Slave) Build(m *hw.Module) Ports {
	m.Doc("AXI4-Lite slave in front of a register file.")
	io := Ports{Bus: SlavePorts(m, "s_axil", p.AddrWidth), Access: access(m.Out, m.In, p.AddrWidth)}
	p.writes(m, io)
	p.reads(m, io)
	return io
}

// entry puts a skid register behind a channel from the master.
func entry(m *hw.Module, name string, valid, ready, data hw.Bits) hw.Stream[hw.Bits] {
	reg := hw.Inst(m, name, skid.Skid[hw.Bits]{Of: hw.Width(data.Width())})
	reg.Push.Connect(hw.Stream[hw.Bits]{Valid: valid, Ready: ready, Data: data})
	return reg.Pop
}

// writes joins the address and data channels, which arrive in any order.
func (p Slave) writes(m *hw.Module, io Ports) {
	bus := io.Bus
	addr := entry(m, "aw", bus.AWValid, bus.AWReady, bus.AWAddr)
	data := entry(m, "w", bus.WValid, bus.WReady, hw.Cat(bus.WStrb, bus.WData))
	answered, resp := m.Reg("answered", 1, 0), m.Data("write_resp", 2)

	free := answered.Not().Or(bus.BReady)
	write := addr.Valid.And(data.Valid).And(free).As("do_write")
	addr.Ready.Set(write)
	data.Ready.Set(write)
	io.Write.Set(write)
	io.WriteAddr.Set(addr.Data)
	io.WriteData.Set(data.Data.Trunc(DataWidth))
	io.WriteStrb.Set(data.Data.Slice(DataWidth+DataWidth/8-1, DataWidth))

	m.When(write, func() {
		answered.Set(hw.K(1))
		resp.Set(response(io.WriteError))
	}).ElseWhen(bus.BReady, func() {
		answered.Set(hw.K(0))
	})
	bus.BValid.Set(answered)
	bus.BResp.Set(resp)
}

// reads has one read under way: the registers answer a cycle after they are
// asked, and the answer waits for the master in a register.
func (p Slave) reads(m *hw.Module, io Ports) {
	bus := io.Bus
	addr := entry(m, "ar", bus.ARValid, bus.ARReady, bus.ARAddr)
	asked, valid := m.Reg("asked", 1, 0), m.Reg("read_valid", 1, 0)
	data, resp := m.Data("read_word", DataWidth), m.Data("read_resp", 2)

	read := addr.Valid.And(asked.Not()).And(valid.Not().Or(bus.RReady)).As("do_read")
	addr.Ready.Set(read)
	io.Read.Set(read)
	io.ReadAddr.Set(addr.Data)

	asked.Set(read)
	m.When(asked, func() {
		valid.Set(hw.K(1))
		data.Set(hw.Mux(io.ReadError, hw.K(0), io.ReadData))
		resp.Set(response(io.ReadError))
	}).ElseWhen(bus.RReady, func() {
		valid.Set(hw.K(0))
	})
	bus.RValid.Set(valid)
	bus.RData.Set(data)
	bus.RResp.Set(resp)
}

func response(failed hw.Bits) hw.Bits {
	return hw.Mux(failed, hw.Lit(2, SLVERR), hw.Lit(2, OKAY))
}
