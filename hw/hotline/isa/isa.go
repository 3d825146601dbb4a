package isa

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/crc"
)

// ISA is the command processor.
type ISA struct{ arch.Params }

// Ports of the command processor.
type Ports struct {
	Bus axil.Bundle

	// dma: commands come, completions go. FetchPending is 1 as long as a read of
	// a command may be under way.
	FetchReq                      hw.Stream // of dma.Request
	LoadValid, LoadDest, LoadData hw.Bits
	FetchPending                  hw.Bits
	Packet, Data                  hw.Stream // of dma.Packet, dma.DataBeat
	WritePending                  hw.Bits

	// dispatch: Done pulses with the outcome.
	Command                      hw.Stream // of dispatch.Command
	Done, Status, Value0, Value1 hw.Bits

	IRQReq, IRQAck hw.Bits

	// Registers, see there.
	Ready                            hw.Bits
	Lookups, CacheHits, LookupActive hw.Bits
	RowRead, RowWritten              hw.Bits
}

// ModuleName names the module.
func (ISA) ModuleName() string { return "isa" }

// Build describes the command processor.
func (p ISA) Build(m *hw.Module) Ports {
	m.Doc("Command processor: fetches, checks and issues commands, posts completions.")
	io := p.ports(m)
	regs := p.registers(m, io)
	f := hw.Inst(m, "fetcher", Fetch(p))
	f.Enable.Set(regs.Enable)
	f.Base.Set(regs.SQBase)
	f.Log2.Set(regs.SQLog2)
	f.Tail.Set(regs.SQTail)
	f.LoadValid.Set(io.LoadValid)
	f.LoadDest.Set(io.LoadDest)
	f.LoadData.Set(io.LoadData)
	f.Pending.Set(io.FetchPending)
	io.FetchReq.Connect(f.Req)
	regs.SQHead.Set(f.Head)

	c := hw.Inst(m, "completer", Completer(p))
	c.Base.Set(regs.CQBase)
	c.Log2.Set(regs.CQLog2)
	c.Head.Set(regs.CQHead)
	c.WritePending.Set(io.WritePending)
	c.IRQAck.Set(io.IRQAck)
	io.IRQReq.Set(c.IRQReq)
	io.Packet.Connect(c.Packet)
	io.Data.Connect(c.Data)

	regs.Busy.Set(p.sequence(m, io, f, c))
	return io
}

func (p ISA) ports(m *hw.Module) Ports {
	lookupBits := hw.CountWidth(p.Engines)
	return Ports{
		Bus:          axil.SlavePorts(m, "s_axil", AddrBits),
		FetchReq:     m.Source("fetch_req", dma.RequestBits),
		LoadValid:    m.In("load_valid", 1),
		LoadDest:     m.In("load_dest", Fetch(p).destBits()),
		LoadData:     m.In("load_data", p.StreamBits),
		FetchPending: m.In("fetch_pending", 1),
		Packet:       m.Source("packet", dma.PacketBits),
		Data:         m.Source("data", dma.DataBits(p.Params)),
		WritePending: m.In("write_pending", 1),
		Command:      m.Source("command", dispatch.CommandBits),
		Done:         m.In("done", 1),
		Status:       m.In("status", 8),
		Value0:       m.In("value0", 32),
		Value1:       m.In("value1", 32),
		IRQReq:       m.Out("irq_req", 1),
		IRQAck:       m.In("irq_ack", 1),
		Ready:        m.In("ready", 1),
		Lookups:      m.In("lookups", lookupBits),
		CacheHits:    m.In("cache_hits", lookupBits),
		LookupActive: m.In("lookup_active", 1),
		RowRead:      m.In("row_read", 1),
		RowWritten:   m.In("row_written", 1),
	}
}

func (p ISA) registers(m *hw.Module, io Ports) RegisterPorts {
	regs := hw.Inst(m, "registers", Registers(p))
	regs.Bus.Connect(io.Bus)
	regs.Ready.Set(io.Ready)
	regs.Lookups.Set(io.Lookups)
	regs.CacheHits.Set(io.CacheHits)
	regs.LookupActive.Set(io.LookupActive)
	regs.RowRead.Set(io.RowRead)
	regs.RowWritten.Set(io.RowWritten)
	return regs
}

// sequence takes the commands one at a time through check, execution and
// completion. It gives that it has one.
func (p ISA) sequence(m *hw.Module, io Ports, f FetchPorts, c CompleterPorts) (busy hw.Bits) {
	_, st := m.FSM("state", "Idle", "Check", "Issue", "Run", "Complete")
	idle, check, issue, run, complete := st[0], st[1], st[2], st[3], st[4]
	command := m.Data("command_words", commandBits)
	intact := p.intact(m, command)
	f.Command.Ready.Set(idle.Is())
	io.Command.Valid.Set(issue.Is())
	io.Command.Data.Set(decode(command))
	status, value0, value1 := m.Data("outcome_status", 8), m.Data("outcome_value0", 32), m.Data("outcome_value1", 32)
	c.Outcome.Valid.Set(complete.Is())
	c.Outcome.Data.Set(Outcome{Head: f.Head, Value1: value1, Value0: value0, Status: status, ID: word(command, 1, 1)}.Pack())
	end := func(s, v0, v1 hw.Bits) {
		status.Set(s)
		value0.Set(v0)
		value1.Set(v1)
		complete.Next()
	}

	idle.Do(func() {
		m.When(f.Command.Valid, func() {
			command.Set(f.Command.Data)
			check.Next()
		})
	})
	check.Do(func() {
		m.When(intact, issue.Next).Else(func() { end(hw.K(arch.StatusCRC), hw.K(0), hw.K(0)) })
	})
	issue.Do(func() { m.When(io.Command.Ready, run.Next) })
	run.Do(func() { m.When(io.Done, func() { end(io.Status, io.Value0, io.Value1) }) })
	complete.Do(func() { m.When(c.Outcome.Ready, idle.Next) })
	return idle.Is().Not()
}

// intact tells whether a command has the CRC that it should have.
func (p ISA) intact(m *hw.Module, command hw.Bits) hw.Bits {
	const words = arch.CommandBytes/4 - 1
	sum := hw.Inst(m, "command_crc", crc.CRC32C{Bytes: 4 * words})
	sum.Data.Set(word(command, 0, words))
	return sum.Sum.Eq(word(command, words, 1)).As("intact")
}

// word is n words of a command from word i on.
func word(command hw.Bits, i, n int) hw.Bits { return command.Slice(32*(i+n)-1, 32*i) }

// decode takes a command apart for dispatch.
func decode(command hw.Bits) hw.Bits {
	return dispatch.Command{Flags: command.Slice(15, 8), Opcode: command.Slice(7, 0),
		Operand3: word(command, 6, 2), Operand2: word(command, 4, 2), Operand1: word(command, 2, 2)}.Pack()
}
