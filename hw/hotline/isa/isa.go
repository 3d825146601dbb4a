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
	Bus                              axil.Bundle
	FetchReq                         hw.Stream // dma.Request
	LoadValid, LoadDest, LoadData    hw.Bits   // beats of commands
	Command                          hw.Stream // dispatch.Command
	Done, Status, Value0, Value1     hw.Bits
	Packet, Data                     hw.Stream // completions: dma.Packet, dma.DataBeat
	WritePending                     hw.Bits
	IRQReq, IRQAck                   hw.Bits
	Ready                            hw.Bits // the EAL is cleared
	Lookups, CacheHits, LookupActive hw.Bits // for the counters
	RowRead, RowWritten              hw.Bits
}

// ModuleName names the module.
func (ISA) ModuleName() string { return "isa" }

// prefetch is how many commands are fetched ahead: enough to hide the read
// latency behind short commands.
const prefetch = 4

// Build describes the command processor.
func (p ISA) Build(m *hw.Module) Ports {
	m.Doc("Command processor: fetches, checks and issues commands, posts completions.")
	lookupBits := hw.CountWidth(p.Engines)
	io := Ports{
		Bus:       axil.SlavePorts(m, "s_axil", AddrBits),
		FetchReq:  m.Source("fetch_req", dma.RequestBits),
		LoadValid: m.In("load_valid", 1), LoadDest: m.In("load_dest", p.destBits()), LoadData: m.In("load_data", p.StreamBits),
		Command: m.Source("command", dispatch.CommandBits),
		Done:    m.In("done", 1), Status: m.In("status", 8), Value0: m.In("value0", 32), Value1: m.In("value1", 32),
		Packet: m.Source("packet", dma.PacketBits), Data: m.Source("data", dma.DataBits(p.Params)), WritePending: m.In("write_pending", 1),
		IRQReq: m.Out("irq_req", 1), IRQAck: m.In("irq_ack", 1), Ready: m.In("ready", 1),
		Lookups: m.In("lookups", lookupBits), CacheHits: m.In("cache_hits", lookupBits), LookupActive: m.In("lookup_active", 1),
		RowRead: m.In("row_read", 1), RowWritten: m.In("row_written", 1),
	}
	regs := hw.Inst(m, "registers", Registers{p.Params})
	regs.Bus.Connect(io.Bus)
	regs.Ready.Set(io.Ready)
	regs.Lookups.Set(io.Lookups)
	regs.CacheHits.Set(io.CacheHits)
	regs.LookupActive.Set(io.LookupActive)
	regs.RowRead.Set(io.RowRead)
	regs.RowWritten.Set(io.RowWritten)

	f := p.fetch(m, io, regs)
	p.sequence(m, io, regs, f)
	return io
}

func (p ISA) beats() int    { return arch.CommandBytes / p.StreamBytes() }
func (p ISA) destBits() int { return arch.Log2(prefetch * p.beats()) }

// place is where in the buffer the first beat of command n goes.
func (p ISA) place(n hw.Bits) hw.Bits {
	entry := n.Trunc(arch.Log2(prefetch))
	if p.beats() == 1 {
		return entry
	}
	return hw.Cat(entry, hw.Zeros(arch.Log2(p.beats())))
}

// fetched is the command at the head of the buffer.
type fetched struct {
	valid, words, take, head hw.Bits
}

// fetch keeps the buffer filled. Entry i of the buffer holds command i modulo
// prefetch; its beats may arrive interleaved with those of others.
func (p ISA) fetch(m *hw.Module, io Ports, regs RegisterPorts) fetched {
	asked, head := m.Reg("asked", 16, 0), m.Reg("head", 16, 0) // free-running command numbers
	mask := hw.Lit(16, 1).Shl(regs.SQLog2).Dec().As("sq_mask")
	ahead := asked.Sub(head).As("ahead")
	ask := regs.Enable.And(asked.Ne(regs.SQTail)).And(ahead.Lt(hw.K(prefetch))).As("ask")
	addr := regs.SQBase.Add(asked.And(mask).Ext(64).Shl(hw.Lit(3, 6))).As("command_addr")
	io.FetchReq.Valid.Set(ask)
	io.FetchReq.Data.Set(dma.Request{Peer: hw.Lit(1, 0), Addr: addr, Len: hw.Lit(dma.LenBits, arch.CommandBytes), Kind: hw.Lit(2, uint64(dma.Command)),
		Dest: p.place(asked).Ext(24)}.Pack())
	m.When(io.FetchReq.Fire(), func() { asked.Set(asked.Inc()) })

	beats := p.beats()
	buffer := m.DataVec("buffer", prefetch*beats, p.StreamBits)
	arrived := m.Reg("arrived", prefetch*beats, 0)
	take := m.Wire("take", 1)
	current := head.Trunc(arch.Log2(prefetch)).As("current")
	drop := current.Decode(prefetch).And(take.Repeat(prefetch)).As("drop")
	clear := make([]hw.Bits, prefetch*beats)
	for i := range clear {
		clear[len(clear)-1-i] = drop.Bit(i / beats)
	}
	land := io.LoadDest.Decode(prefetch * beats).And(io.LoadValid.Repeat(prefetch * beats)).As("land")
	m.When(io.LoadValid, func() { buffer.Index(io.LoadDest).Set(io.LoadData) })
	m.When(io.LoadValid.Or(take), func() { arrived.Set(arrived.Or(land).And(hw.Cat(clear...).Not())) })
	m.When(take, func() { head.Set(head.Inc()) })

	commands := buffer.Pack().Unpack(8 * arch.CommandBytes)
	return fetched{
		valid: arrived.Unpack(beats).Index(current).All().As("head_arrived"),
		words: commands.Index(current).As("head_command"),
		take:  take, head: head,
	}
}

// sequence runs the commands one at a time.
func (p ISA) sequence(m *hw.Module, io Ports, regs RegisterPorts, f fetched) {
	_, st := m.FSM("state", "Idle", "Check", "Issue", "Run", "Room", "Announce", "Post", "Flush")
	idle, check, issue, run := st[0], st[1], st[2], st[3]
	room, announce, post, flush := st[4], st[5], st[6], st[7]

	command := m.Data("command_q", 8*arch.CommandBytes)
	sum := hw.Inst(m, "command_crc", crc.CRC32C{Bytes: arch.CommandBytes - 4})
	sum.Data.Set(command.Trunc(8 * (arch.CommandBytes - 4)))
	word := func(i, n int) hw.Bits { return command.Slice(32*(i+n)-1, 32*i) }
	intact := sum.Sum.Eq(command.Slice(8*arch.CommandBytes-1, 8*arch.CommandBytes-32)).As("intact")

	io.Command.Valid.Set(issue.Is())
	io.Command.Data.Set(dispatch.Command{Flags: word(0, 1).Slice(15, 8), Opcode: word(0, 1).Slice(7, 0),
		Operand3: word(6, 2), Operand2: word(4, 2), Operand1: word(2, 2)}.Pack())

	status := m.Data("status_q", 8)
	value0, value1 := m.Data("value0_q", 32), m.Data("value1_q", 32)
	tail := m.Reg("cq_tail", 16, 0)
	cqSize := hw.Lit(16, 1).Shl(regs.CQLog2).As("cq_size")
	phase := tail.And(cqSize).IsZero().As("phase")
	entry := hw.Cat(hw.Zeros(64), f.head.Ext(32), value1, value0, hw.Cat(hw.Zeros(15), phase, hw.Zeros(8), status), word(1, 1)).As("completion")
	check32 := hw.Inst(m, "completion_crc", crc.CRC32C{Bytes: arch.CompletionBytes - 4})
	check32.Data.Set(entry)
	full := hw.Cat(check32.Sum, entry).As("completion_entry")
	beat := p.completion(m, io, full, announce, post, func() {
		tail.Set(tail.Inc())
		flush.Next()
	})
	io.Packet.Valid.Set(announce.Is())
	io.Packet.Data.Set(dma.Packet{Addr: regs.CQBase.Add(tail.And(cqSize.Dec()).Ext(64).Shl(hw.Lit(3, 5))), Len: hw.Lit(dma.LenBits, arch.CompletionBytes)}.Pack())

	request := m.Reg("irq_q", 1, 0)
	m.When(io.IRQAck, func() { request.Set(hw.K(0)) })
	io.IRQReq.Set(request)
	f.take.Set(idle.Is().And(f.valid))
	regs.Busy.Set(idle.Is().Not())
	regs.SQHead.Set(f.head)

	idle.Do(func() {
		m.When(f.valid, func() {
			command.Set(f.words)
			check.Next()
		})
	})
	check.Do(func() {
		m.When(intact, issue.Next).Else(func() {
			status.Set(hw.K(arch.StatusCRC))
			value0.Set(hw.K(0))
			value1.Set(hw.K(0))
			room.Next()
		})
	})
	issue.Do(func() { m.When(io.Command.Ready, run.Next) })
	run.Do(func() {
		m.When(io.Done, func() {
			status.Set(io.Status)
			value0.Set(io.Value0)
			value1.Set(io.Value1)
			room.Next()
		})
	})
	room.Do(func() { m.When(tail.Sub(regs.CQHead).Ne(cqSize), announce.Next) })
	announce.Do(func() { m.When(io.Packet.Ready, post.Next) })
	post.Do(beat)
	// The interrupt must not overtake the completion.
	flush.Do(func() {
		m.When(io.WritePending.Not(), func() {
			request.Set(hw.K(1))
			idle.Next()
		})
	})
}

// completion sends an entry in one or two beats; done runs with the last one.
func (p ISA) completion(m *hw.Module, io Ports, entry hw.Bits, announce, post hw.State, done func()) func() {
	bits := 8 * arch.CompletionBytes
	io.Data.Valid.Set(post.Is())
	if p.StreamBits >= bits {
		keep := hw.Ones(arch.CompletionBytes).Ext(p.StreamBytes())
		if p.StreamBits > bits {
			entry = entry.Ext(p.StreamBits)
		}
		io.Data.Data.Set(dma.DataBeat{Last: hw.Lit(1, 1), Keep: keep, Data: entry}.Pack())
		return func() { m.When(io.Data.Ready, done) }
	}
	second := m.Reg("second_beat", 1, 0)
	data := hw.Mux(second, entry.Slice(bits-1, p.StreamBits), entry.Trunc(p.StreamBits))
	io.Data.Data.Set(dma.DataBeat{Last: second, Keep: hw.Ones(p.StreamBytes()), Data: data}.Pack())
	return func() {
		m.When(io.Data.Ready, func() {
			second.Set(second.Not())
			m.When(second, done)
		})
	}
}
