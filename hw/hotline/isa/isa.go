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
	axil.Access

	// dma: commands come, completions go. WriteError is the code of the first
	// write that failed since Done; dispatch has no write under way then.
	CommandRead                           hw.Stream[hw.Bits] // of dma.CommandRead
	LoadValid, LoadDest, LoadData         hw.Bits
	CommandEnd, CommandTag, CommandFailed hw.Bits
	Packet, Data                          hw.Stream[hw.Bits] // of dma.Packet, dma.DataBeat
	WritePending, WriteError              hw.Bits

	// dispatch: Done pulses with the outcome. Sum is that of what was written.
	Command                           hw.Stream[hw.Bits] // of dispatch.Command
	Done, Status, Value0, Value1, Sum hw.Bits

	IRQReq, IRQAck hw.Bits

	// Registers, see there.
	ResetRequest, Resetting, Ready   hw.Bits
	RowsAhead, Dropped               hw.Bits
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
	halted := m.Wire("halted", 1)
	f.Enable.Set(regs.Enable.And(halted.Not()))
	f.Base.Set(regs.SQBase)
	f.Log2.Set(regs.SQLog2)
	f.Tail.Set(regs.SQTail)
	f.LoadValid.Set(io.LoadValid)
	f.LoadDest.Set(io.LoadDest)
	f.LoadData.Set(io.LoadData)
	f.End.Set(io.CommandEnd)
	f.EndEntry.Set(io.CommandTag)
	f.EndFailed.Set(io.CommandFailed)
	io.CommandRead.Connect(f.Read)
	regs.SQHead.Set(f.Head)
	regs.Overrun.Set(f.Overrun)

	c := hw.Inst(m, "completer", Completer(p))
	c.Base.Set(regs.CQBase)
	c.Log2.Set(regs.CQLog2)
	c.Head.Set(regs.CQHead)
	c.WritePending.Set(io.WritePending)
	c.WriteError.Set(io.WriteError)
	halted.Set(c.Error.Any())
	regs.CQTail.Set(c.Tail)
	regs.Error.Set(c.Error)
	regs.Halted.Set(halted)
	c.IRQAck.Set(io.IRQAck)
	io.IRQReq.Set(c.IRQReq)
	io.Packet.Connect(c.Packet)
	io.Data.Connect(c.Data)

	executing := p.sequence(m, io, f, c, halted)
	regs.Busy.Set(executing.Or(f.Ahead).And(halted.Not()))
	return io
}

func (p ISA) ports(m *hw.Module) Ports {
	lookupBits := hw.CountWidth(p.Engines)
	return Ports{
		Access:        axil.RegisterPorts(m, "csr", AddrBits),
		CommandRead:   m.Source("command_read", dma.CommandReadBits),
		LoadValid:     m.In("load_valid", 1),
		LoadDest:      m.In("load_dest", Fetch(p).destBits()),
		LoadData:      m.In("load_data", p.StreamBits),
		CommandEnd:    m.In("command_end", 1),
		CommandTag:    m.In("command_tag", entryBits),
		CommandFailed: m.In("command_failed", 1),
		Packet:        m.Source("packet", dma.PacketBits),
		Data:          m.Source("data", dma.DataBits(p.Params)),
		WritePending:  m.In("write_pending", 1),
		WriteError:    m.In("write_error", dma.ErrorBits),
		Command:       m.Source("command", dispatch.CommandBits),
		Done:          m.In("done", 1),
		Status:        m.In("status", 8),
		Value0:        m.In("value0", 32),
		Value1:        m.In("value1", 32),
		Sum:           m.In("sum", 32),
		IRQReq:        m.Out("irq_req", 1),
		IRQAck:        m.In("irq_ack", 1),
		ResetRequest:  m.Out("reset_request", 1),
		Resetting:     m.In("resetting", 1),
		Ready:         m.In("ready", 1),
		RowsAhead:     m.In("rows_ahead", dispatch.RowsAheadBits(p.Params)),
		Dropped:       m.In("dropped", dma.DroppedBits),
		Lookups:       m.In("lookups", lookupBits),
		CacheHits:     m.In("cache_hits", lookupBits),
		LookupActive:  m.In("lookup_active", 1),
		RowRead:       m.In("row_read", 1),
		RowWritten:    m.In("row_written", 1),
	}
}

func (p ISA) registers(m *hw.Module, io Ports) RegisterPorts {
	regs := hw.Inst(m, "registers", Registers(p))
	regs.Access.Connect(io.Access)
	io.ResetRequest.Set(regs.ResetRequest)
	regs.Resetting.Set(io.Resetting)
	regs.Ready.Set(io.Ready)
	regs.RowsAhead.Set(io.RowsAhead)
	regs.Dropped.Set(io.Dropped)
	regs.Lookups.Set(io.Lookups)
	regs.CacheHits.Set(io.CacheHits)
	regs.LookupActive.Set(io.LookupActive)
	regs.RowRead.Set(io.RowRead)
	regs.RowWritten.Set(io.RowWritten)
	return regs
}

// sequence takes the commands one at a time through check, execution and
// completion, until a completion is lost. It gives that it has one.
func (p ISA) sequence(m *hw.Module, io Ports, f FetchPorts, c CompleterPorts, halted hw.Bits) (busy hw.Bits) {
	st := hw.FSM[struct{ Idle, Check, Issue, Run, Complete hw.State }](m, "state")
	command, unread := m.Data("command_words", commandBits), m.Data("command_lost", 1)
	intact := p.intact(m, command)
	id := hw.Mux(unread, hw.Zeros(32), word(command, 1, 1)).As("command_id")
	f.Command.Ready.Set(st.Idle.Is().And(halted.Not()))
	io.Command.Valid.Set(st.Issue.Is())
	io.Command.Data.Set(decode(command))
	status, value0, value1 := m.Data("outcome_status", 8), m.Data("outcome_value0", 32), m.Data("outcome_value1", 32)
	sum := m.Data("outcome_sum", 32)
	c.Outcome.Valid.Set(st.Complete.Is())
	c.Outcome.Data.Set(Outcome{Sum: sum, Head: f.Head, Value1: value1, Value0: value0, Status: status, ID: id}.Pack())
	end := func(s, v0, v1, written hw.Bits) {
		status.Set(s)
		value0.Set(v0)
		value1.Set(v1)
		sum.Set(written)
		st.Complete.Next()
	}

	st.Idle.Do(func() {
		m.When(f.Command.Fire(), func() {
			unread.Set(f.Command.Data.Bit(commandBits))
			command.Set(f.Command.Data.Trunc(commandBits))
			st.Check.Next()
		})
	})
	st.Check.Do(func() {
		m.When(unread, func() { end(hw.K(arch.StatusFetch), hw.K(0), hw.K(0), hw.K(0)) }).
			ElseWhen(intact, st.Issue.Next).
			Else(func() { end(hw.K(arch.StatusCRC), hw.K(0), hw.K(0), hw.K(0)) })
	})
	st.Issue.Do(func() { m.When(io.Command.Ready, st.Run.Next) })
	st.Run.Do(func() { m.When(io.Done, func() { end(io.Status, io.Value0, io.Value1, io.Sum) }) })
	st.Complete.Do(func() { m.When(c.Outcome.Ready, st.Idle.Next) })
	return st.Idle.Is().Not()
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
