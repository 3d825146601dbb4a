package isa

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/crc"
)

// ISA is the command processor. The embedded geometry is visible in its registers.
type ISA struct {
	arch.Geometry
	RowsAheadBits int `doc:"number of rows ahead, and of reads in flight" unit:"bits"`
}

// Of returns the command processor of an accelerator.
func Of(p arch.Params) ISA { return ISA{p.Geometry(), dispatch.RowsAheadBits(p)} }

// Ports are the ports of the command processor.
type Ports struct {
	CSR axil.Access `hw:"in" doc:"register accesses; read data a cycle later"`

	// dma: reads of commands, writes of completions. WriteError is the code of the first write that
	// failed since Done. At that time, dispatch has no pending writes.
	CommandRead  hw.Stream[dma.CommandRead] `hw:"out" doc:"reads of commands"`
	Load         dma.Event[Beat]            `hw:"in" doc:"beats of commands"`
	End          dma.Event[dma.Ended]       `hw:"in,name=command_end" doc:"the read of a command has ended"`
	Packet       hw.Stream[dma.Packet]      `hw:"out" doc:"completions"`
	Data         hw.Stream[dma.DataBeat]    `hw:"out" doc:"completions"`
	WritePending hw.Bits                    `hw:"in" doc:"a write has no status yet"`
	WriteError   hw.Enum[arch.DMAError]     `hw:"in" doc:"of the first write that failed since done"`

	// dispatch: Done pulses with the outcome. Sum is the checksum of the written data.
	Command hw.Stream[dispatch.Command] `hw:"out" doc:"to dispatch"`
	Done    hw.Bits                     `hw:"in" doc:"pulse: the command has ended, with the next four"`
	Status  hw.Enum[arch.Status]        `hw:"in" doc:"of the command"`
	Value0  hw.Bits                     `hw:"in,32" doc:"first result"`
	Value1  hw.Bits                     `hw:"in,32" doc:"second result"`
	Sum     hw.Bits                     `hw:"in,32" doc:"checksum of the written data"`

	// Interrupts: a completion has left; completions wait for the driver.
	Left    hw.Bits `hw:"out,name=completion_left" doc:"pulse: a completion has left for the link, or cannot be written"`
	Waiting hw.Bits `hw:"out,name=completions_waiting" doc:"completions wait for the driver"`

	ResetRequest hw.Bits `hw:"out" doc:"pulse: the driver begins a reset"`
	Shown        Shown   `hw:"in,inline" doc:"state and events that registers show"`
}

// AddrWidth returns the width of a register's byte address.
func (ISA) AddrWidth() int { return AddrBits }

// Stream returns the data width of the boundary.
func (p ISA) Stream() arch.Stream { return arch.Stream{StreamBits: p.StreamBits()} }

// StreamBits returns the data width of the boundary in bits.
func (p ISA) StreamBits() int { return 8 * p.StreamBytes }

// DestBits returns the width of a beat's position in the buffer of commands.
func (p ISA) DestBits() int { return Fetch{p.Stream()}.DestBits() }

// LookupBits returns the width of the number of lookups per cycle.
func (p ISA) LookupBits() int { return Registers(p).LookupBits() }

// Build describes the command processor.
func (p ISA) Build(m *hw.Module) Ports {
	m.Doc("Command processor: fetches, checks and issues commands, posts completions.")
	io := hw.Ports[Ports](m)
	regs := hw.Inst(m, "registers", Registers(p))
	hw.Connect(regs.CSR, io.CSR)
	hw.Set(regs.Shown, io.Shown)
	io.ResetRequest.Set(regs.ResetRequest)

	f := hw.Inst(m, "fetcher", Fetch{p.Stream()})
	halted := m.Wire("halted", 1)
	f.Enable.Set(regs.Enable.And(regs.RingsGiven).And(halted.Not()))
	f.Base.Set(regs.SQBase)
	f.Log2.Set(regs.SQLog2)
	f.Tail.Set(regs.SQTail)
	hw.Set(f.Load, io.Load)
	hw.Set(f.End, io.End)
	io.CommandRead.Connect(f.Read)
	regs.SQHead.Set(f.Head)
	regs.Overrun.Set(f.Overrun)
	regs.NoRings.Set(regs.RingsGiven.Not().And(regs.SQTail.Ne(f.Head)))

	c := hw.Inst(m, "completer", Completer{p.Stream()})
	c.Base.Set(regs.CQBase)
	c.Log2.Set(regs.CQLog2)
	c.Head.Set(regs.CQHead)
	c.Taken.Set(regs.CQTaken)
	c.WritePending.Set(io.WritePending)
	c.WriteError.Set(io.WriteError)
	halted.Set(c.Error.Is(arch.DMAOK).Not())
	regs.CQTail.Set(c.Tail)
	regs.Error.Set(c.Error)
	regs.Halted.Set(halted)
	io.Left.Set(c.Left)
	io.Waiting.Set(c.Waiting)
	io.Packet.Connect(c.Packet)
	io.Data.Connect(c.Data)

	executing := p.sequence(m, io, f, c, halted)
	regs.Busy.Set(executing.Or(f.Ahead).And(halted.Not()))
	return io
}

// result is the result of a command.
type result struct {
	Status hw.Enum[arch.Status]
	Value0 hw.Bits `hw:"32"`
	Value1 hw.Bits `hw:"32"`
	Sum    hw.Bits `hw:"32"`
}

// sequence passes commands one at a time through check, execution and completion, until a
// completion is lost. It reports whether a command is in progress.
func (p ISA) sequence(m *hw.Module, io Ports, f FetchPorts, c CompleterPorts, halted hw.Bits) (busy hw.Bits) {
	st := hw.FSM[struct{ Idle, Check, Issue, Run, Complete hw.State }](m, "state")
	fetched, outcome := hw.Data[Fetched](m, "command"), hw.Data[result](m, "outcome")
	command := fetched.Words
	intact := p.intact(m, command)
	id := hw.Mux(fetched.Lost, hw.Zeros(32), word(command, arch.CommandID/4, 1)).As("command_id")
	f.Command.Ready.Set(st.Idle.Is().And(halted.Not()))
	io.Command.Valid.Set(st.Issue.Is())
	hw.Set(io.Command.Data, decode(command))
	c.Outcome.Valid.Set(st.Complete.Is())
	hw.Set(c.Outcome.Data, Outcome{Sum: outcome.Sum, Head: f.Head, Value1: outcome.Value1, Value0: outcome.Value0, Status: outcome.Status, ID: id})
	refuse := func(s arch.Status) {
		hw.Set(outcome, hw.With(hw.Zero[result](m), result{Status: hw.Value(m, s)}))
		st.Complete.Next()
	}

	st.Idle.Do(func() {
		m.When(f.Command.Fire(), func() {
			hw.Set(fetched, f.Command.Data)
			st.Check.Next()
		})
	})
	st.Check.Do(func() {
		m.When(fetched.Lost, func() { refuse(arch.StatusFetch) }).
			ElseWhen(intact, st.Issue.Next).
			Else(func() { refuse(arch.StatusCRC) })
	})
	st.Issue.Do(func() { m.When(io.Command.Ready, st.Run.Next) })
	st.Run.Do(func() {
		m.When(io.Done, func() {
			hw.Set(outcome, result{io.Status, io.Value0, io.Value1, io.Sum})
			st.Complete.Next()
		})
	})
	st.Complete.Do(func() { m.When(c.Outcome.Ready, st.Idle.Next) })
	return st.Idle.Is().Not()
}

// intact reports whether the CRC of a command is correct.
func (p ISA) intact(m *hw.Module, command hw.Bits) hw.Bits {
	const words = arch.CommandCRC / 4
	sum := hw.Inst(m, "command_crc", crc.CRC32C{Bytes: 4 * words})
	sum.Data.Set(word(command, 0, words))
	return sum.Sum.Eq(word(command, words, 1)).As("intact")
}

// word returns n words of a command, starting at word i.
func word(command hw.Bits, i, n int) hw.Bits { return command.Slice(32*(i+n)-1, 32*i) }

// decode extracts the fields of a command for dispatch.
func decode(command hw.Bits) dispatch.Command {
	octet := func(at int) hw.Bits { return command.Slice(8*at+7, 8*at) }
	operand := func(i int) hw.Bits { return word(command, arch.CommandOperands/4+2*i, 2) }
	return dispatch.Command{Flags: octet(arch.CommandFlags), Opcode: hw.EnumOf[arch.Opcode](octet(arch.CommandOpcode)),
		Operand3: operand(2), Operand2: operand(1), Operand1: operand(0)}
}
