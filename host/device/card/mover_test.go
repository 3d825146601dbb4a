package card_test

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/regbank"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// mover copies a burst by an AXI4 master. A write has the same strobes in each beat.
type mover struct{}

type moverRegisters struct {
	Source hw.Bits `reg:"0x00,rw,63:0"`
	Target hw.Bits `reg:"0x08,rw,63:0"`
	Len    hw.Bits `reg:"0x10,rw,7:0" doc:"beats of a burst, less one"`
	Strobe hw.Bits `reg:"0x14,rw,7:0"`
	Size   hw.Bits `reg:"0x18,rw,2:0" doc:"log2 of the bytes of a beat"`
	Start  hw.Bits `reg:"0x1c,pulse,0"`
	Resp   hw.Bits `reg:"0x20,ro,3:0" doc:"of the read and the write"`
}

var moverMap = regmap.New[moverRegisters]("mover", "Registers of the mover.")

type moverPorts struct {
	Bus     axil.Bus `hw:"in,name=s_axil"`
	ARValid hw.Bits  `hw:"out,name=m_axi_arvalid"`
	ARReady hw.Bits  `hw:"in,name=m_axi_arready"`
	ARAddr  hw.Bits  `hw:"out,64,name=m_axi_araddr"`
	ARID    hw.Bits  `hw:"out,2,name=m_axi_arid"`
	ARLen   hw.Bits  `hw:"out,8,name=m_axi_arlen"`
	ARSize  hw.Bits  `hw:"out,3,name=m_axi_arsize"`
	ARBurst hw.Bits  `hw:"out,2,name=m_axi_arburst"`
	RValid  hw.Bits  `hw:"in,name=m_axi_rvalid"`
	RReady  hw.Bits  `hw:"out,name=m_axi_rready"`
	RData   hw.Bits  `hw:"in,64,name=m_axi_rdata"`
	RID     hw.Bits  `hw:"in,2,name=m_axi_rid"`
	RResp   hw.Bits  `hw:"in,2,name=m_axi_rresp"`
	RLast   hw.Bits  `hw:"in,name=m_axi_rlast"`
	AWValid hw.Bits  `hw:"out,name=m_axi_awvalid"`
	AWReady hw.Bits  `hw:"in,name=m_axi_awready"`
	AWAddr  hw.Bits  `hw:"out,64,name=m_axi_awaddr"`
	AWID    hw.Bits  `hw:"out,2,name=m_axi_awid"`
	AWLen   hw.Bits  `hw:"out,8,name=m_axi_awlen"`
	AWSize  hw.Bits  `hw:"out,3,name=m_axi_awsize"`
	AWBurst hw.Bits  `hw:"out,2,name=m_axi_awburst"`
	WValid  hw.Bits  `hw:"out,name=m_axi_wvalid"`
	WReady  hw.Bits  `hw:"in,name=m_axi_wready"`
	WData   hw.Bits  `hw:"out,64,name=m_axi_wdata"`
	WStrb   hw.Bits  `hw:"out,8,name=m_axi_wstrb"`
	WLast   hw.Bits  `hw:"out,name=m_axi_wlast"`
	BValid  hw.Bits  `hw:"in,name=m_axi_bvalid"`
	BReady  hw.Bits  `hw:"out,name=m_axi_bready"`
	BID     hw.Bits  `hw:"in,2,name=m_axi_bid"`
	BResp   hw.Bits  `hw:"in,2,name=m_axi_bresp"`
	Done    hw.Bits  `hw:"out" doc:"level: the copy has ended"`
	ResetN  hw.Bits  `hw:"in"`
}

func (mover) AddrWidth() int { return 6 }

func (mover) Build(m *hw.Module) moverPorts {
	io := hw.Ports[moverPorts](m)
	slave := hw.InstReset(m, "slave", axil.Slave{AddrWidth: 6}, io.ResetN.Not())
	hw.Connect(slave.Bus, io.Bus)
	r := regbank.New[moverRegisters](m, "registers", moverMap, slave.Access).Fields
	m.Unused(io.RID, io.RLast, io.BID)
	st := hw.FSM[struct{ Idle, Ask, Read, Write, Beats, Answer hw.State }](m, "state")
	at, resp, done := m.Reg("at", 8, 0), m.Reg("resp", 4, 0), m.Reg("ended", 1, 0)
	data := m.Mem("data", 256, 64)
	r.Resp.Set(resp)
	io.Done.Set(done)
	for _, a := range []struct {
		addr, id, len, size, burst, valid, from hw.Bits
		in                                      hw.State
	}{
		{io.ARAddr, io.ARID, io.ARLen, io.ARSize, io.ARBurst, io.ARValid, r.Source, st.Ask},
		{io.AWAddr, io.AWID, io.AWLen, io.AWSize, io.AWBurst, io.AWValid, r.Target, st.Write},
	} {
		a.addr.Set(a.from)
		a.id.Set(hw.K(2))
		a.len.Set(r.Len)
		a.size.Set(r.Size)
		a.burst.Set(hw.K(1))
		a.valid.Set(a.in.Is())
	}
	io.RReady.Set(st.Read.Is())
	io.WValid.Set(st.Beats.Is())
	io.WData.Set(data.Read(at))
	io.WStrb.Set(r.Strobe)
	io.WLast.Set(at.Eq(r.Len))
	io.BReady.Set(st.Answer.Is())
	st.Idle.Do(func() {
		m.When(r.Start, func() {
			done.Set(hw.K(0))
			resp.Set(hw.K(0))
			st.Ask.Next()
		})
	})
	st.Ask.Do(func() { m.When(io.ARReady, st.Read.Next) })
	st.Read.Do(func() {
		m.When(io.RValid, func() {
			data.Write(at, io.RData)
			resp.Set(resp.Or(io.RResp.Resize(4)))
			at.Set(at.Inc())
			m.When(at.Eq(r.Len), func() {
				at.Set(hw.K(0))
				st.Write.Next()
			})
		})
	})
	st.Write.Do(func() { m.When(io.AWReady, st.Beats.Next) })
	st.Beats.Do(func() {
		m.When(io.WReady, func() {
			at.Set(at.Inc())
			m.When(at.Eq(r.Len), st.Answer.Next)
		})
	})
	st.Answer.Do(func() {
		m.When(io.BValid, func() {
			resp.Set(hw.Cat(io.BResp, resp.Trunc(2)))
			at.Set(hw.K(0))
			done.Set(hw.K(1))
			st.Idle.Next()
		})
	})
	return io
}
