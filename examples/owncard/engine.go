package owncard

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/regbank"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// Sizes of the engine.
const (
	MaxBytes = 4096 // of a copy
	ID       = 0x434F5059

	beatBits  = 128
	beatBytes = beatBits / 8
	beats     = MaxBytes / beatBytes
	addrBits  = 6
	lenBits   = 13
	shift     = 4 // log2 of beatBytes
	indexBits = 8 // of a beat
)

// registers are the fields visible to software.
type registers struct {
	ID     hw.Bits `reg:"0x00,ro,31:0" doc:"434F5059 (\"COPY\")"`
	Bytes  hw.Bits `reg:"0x04,rw,12:0" doc:"size of the copy: a multiple of 16, up to 4096"`
	Source hw.Bits `reg:"0x08,rw,63:0" doc:"address to read, a multiple of 4"`
	Target hw.Bits `reg:"0x10,rw,63:0" doc:"address to write, a multiple of 4"`
	Start  hw.Bits `reg:"0x18,pulse,0" doc:"begins the copy"`
	Status struct {
		Busy  hw.Bits `reg:"ro,0" doc:"a copy is in progress"`
		Error hw.Bits `reg:"ro,7:4" doc:"DMA error of the latest copy, or 0"`
	} `reg:"0x1c"`
	Sum hw.Bits `reg:"0x20,ro,31:0" doc:"sum of the 32-bit words of the latest copy"`
}

// Registers is the register map.
var Registers = regmap.New[registers]("copy", "Registers of the copy engine.")

// Card is an Engine with a function-level reset.
type Card struct{}

// Engine copies up to 4 KiB from one address of the host to another, and sums its words.
type Engine struct{}

// Desc is a descriptor of a read or a write.
type Desc struct {
	Addr hw.Bits `hw:"64,name=dma_addr" doc:"of the first byte"`
	Len  hw.Bits `hw:"13" doc:"bytes"`
	Tag  hw.Bits `hw:"4" doc:"always 0"`
}

// Beat is a beat of data.
type Beat struct {
	Data hw.Bits `hw:"128,name=tdata"`
	Keep hw.Bits `hw:"16,name=tkeep"`
	Tag  hw.Bits `hw:"4,name=tid"`
	Last hw.Bits `hw:"name=tlast"`
}

// Status is the end of a descriptor.
type Status struct {
	Valid hw.Bits
	Tag   hw.Bits `hw:"4"`
	Error hw.Bits `hw:"4" doc:"0 if it succeeded"`
}

// Boundary contains the ports without the reset, with the names of verilog-pcie.
type Boundary struct {
	Bus         axil.Bus          `hw:"in,name=s_axil" doc:"registers"`
	ReadDesc    hw.Stream[Desc]   `hw:"out,name=m_axis_read_desc"`
	ReadData    axis.Stream[Beat] `hw:"in,name=s_axis_read_data"`
	ReadStatus  Status            `hw:"in,name=s_axis_read_desc_status"`
	WriteDesc   hw.Stream[Desc]   `hw:"out,name=m_axis_write_desc"`
	WriteData   axis.Stream[Beat] `hw:"out,name=m_axis_write_data"`
	WriteStatus Status            `hw:"in,name=s_axis_write_desc_status"`
	IRQReq      hw.Bits           `hw:"out" doc:"requests an interrupt"`
	IRQAck      hw.Bits           `hw:"in" doc:"the interrupt is accepted"`
}

// Ports are the ports of Card.
type Ports struct {
	Boundary
	FLR hw.Bits `hw:"in,name=cfg_flr" doc:"function-level reset"`
}

// AddrWidth returns the number of address bits of the bus.
func (Card) AddrWidth() int { return addrBits }

// Build adds the function-level reset to an engine.
func (Card) Build(m *hw.Module) Ports {
	m.Doc("PCIe card with a copy engine.")
	io := hw.Ports[Ports](m)
	e := hw.InstReset(m, "engine", Engine{}, io.FLR)
	hw.Connect(e.Bus, io.Bus)
	hw.Connect(io.ReadDesc, e.ReadDesc)
	hw.Connect(e.ReadData, io.ReadData)
	hw.Connect(e.ReadStatus, io.ReadStatus)
	hw.Connect(io.WriteDesc, e.WriteDesc)
	hw.Connect(io.WriteData, e.WriteData)
	hw.Connect(e.WriteStatus, io.WriteStatus)
	io.IRQReq.Set(e.IRQReq)
	e.IRQAck.Set(io.IRQAck)
	return io
}

// AddrWidth returns the number of address bits of the bus.
func (Engine) AddrWidth() int { return addrBits }

// Build describes the engine. It stores the data until the read has ended, because a failed read
// must not change the target.
func (Engine) Build(m *hw.Module) Boundary {
	m.Doc("Copies data from one address of the host to another, and sums its words.")
	io := hw.Ports[Boundary](m)
	slave := hw.Inst(m, "slave", axil.Slave{AddrWidth: addrBits})
	hw.Connect(slave.Bus, io.Bus)
	r := regbank.New[registers](m, "registers", Registers, slave.Access).Fields
	m.Unused(io.ReadData.Data.Keep, io.ReadData.Data.Tag, io.ReadData.Data.Last, io.ReadStatus.Tag, io.WriteStatus.Tag)

	st := hw.FSM[struct{ Idle, Read, Fill, Write, Drain, End, Interrupt hw.State }](m, "state")
	errs, sum := m.Reg("error", 4, 0), m.Reg("sum", 32, 0)
	at := m.Reg("at", indexBits, 0)
	data := m.Mem("data", beats, beatBits)
	word := data.Port("word")
	taken := io.WriteData.Fire()
	m.When(st.Write.Is().Or(taken), func() { word.Read(hw.Mux(taken, at.Inc(), at)) })
	last := m.Wire("last", 1)
	last.Set(at.Eq(r.Bytes.Slice(lenBits-1, shift).Dec().Trunc(indexBits)))

	r.ID.Set(hw.K(ID))
	r.Status.Busy.Set(st.Idle.Is().Not())
	r.Status.Error.Set(errs)
	r.Sum.Set(sum)

	for _, d := range []struct {
		desc hw.Stream[Desc]
		addr hw.Bits
		in   hw.State
	}{{io.ReadDesc, r.Source, st.Read}, {io.WriteDesc, r.Target, st.Write}} {
		d.desc.Valid.Set(d.in.Is())
		d.desc.Data.Addr.Set(d.addr)
		d.desc.Data.Len.Set(r.Bytes)
		d.desc.Data.Tag.Set(hw.K(0))
	}
	io.ReadData.Ready.Set(st.Fill.Is())
	io.WriteData.Valid.Set(st.Drain.Is())
	io.WriteData.Data.Data.Set(word.Data)
	io.WriteData.Data.Keep.Set(hw.K(1<<beatBytes - 1))
	io.WriteData.Data.Tag.Set(hw.K(0))
	io.WriteData.Data.Last.Set(last)
	io.IRQReq.Set(st.Interrupt.Is())

	end := func(status Status, next hw.State) {
		m.When(status.Valid, func() {
			errs.Set(status.Error)
			at.Set(hw.K(0))
			m.When(status.Error.Eq(hw.K(0)), next.Next).Else(st.Interrupt.Next)
		})
	}
	st.Idle.Do(func() {
		m.When(r.Start, func() {
			sum.Set(hw.K(0))
			st.Read.Next()
		})
	})
	st.Read.Do(func() { m.When(io.ReadDesc.Ready, st.Fill.Next) })
	st.Fill.Do(func() {
		m.When(io.ReadData.Valid, func() {
			data.Write(at, io.ReadData.Data.Data)
			at.Set(at.Inc())
			sum.Set(total(sum, io.ReadData.Data.Data))
		})
		end(io.ReadStatus, st.Write)
	})
	st.Write.Do(func() { m.When(io.WriteDesc.Ready, st.Drain.Next) })
	st.Drain.Do(func() {
		m.When(io.WriteData.Ready, func() {
			at.Set(at.Inc())
			m.When(last, st.End.Next)
		})
	})
	st.End.Do(func() { end(io.WriteStatus, st.Interrupt) })
	st.Interrupt.Do(func() { m.When(io.IRQAck, st.Idle.Next) })
	return io
}

// total adds the words of a beat to a sum.
func total(sum, beat hw.Bits) hw.Bits {
	for i := range beatBits / 32 {
		sum = sum.Add(beat.Slice(32*i+31, 32*i))
	}
	return sum
}
