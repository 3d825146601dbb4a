package simtest

import "github.com/hotline-rtl/hotline/hw"

// FIFO is a queue of Depth words; Depth must be a power of two.
type FIFO struct{ Width, Depth int }

// FIFOPorts contains the ports of a FIFO.
type FIFOPorts struct {
	Push, Pop hw.Stream[hw.Bits]
	Level     hw.Bits
}

// Build implements hw.Generator with a ring buffer in a memory with a combinational read.
func (p FIFO) Build(m *hw.Module) FIFOPorts {
	io := FIFOPorts{Push: m.Sink("push", p.Width), Pop: m.Source("pop", p.Width), Level: m.Out("level", hw.CountWidth(p.Depth))}
	mem := m.Mem("mem", p.Depth, p.Width)
	aw := hw.IndexWidth(p.Depth)
	head, tail := m.Reg("head", aw, 0), m.Reg("tail", aw, 0)
	count := m.Reg("count", hw.CountWidth(p.Depth), 0)
	push, pop := io.Push.Fire().As("do_push"), io.Pop.Fire().As("do_pop")
	io.Push.Ready.Set(count.Ne(hw.K(p.Depth)))
	io.Pop.Valid.Set(count.Ne(hw.K(0)))
	io.Pop.Data.Set(mem.Read(head))
	io.Level.Set(count)
	m.When(push, func() { mem.Write(tail, io.Push.Data); tail.Set(tail.Inc()) })
	m.When(pop, func() { head.Set(head.Inc()) })
	m.When(push.And(pop.Not()), func() { count.Set(count.Inc()) }).
		ElseWhen(pop.And(push.Not()), func() { count.Set(count.Dec()) })
	m.Assert(count.Le(hw.K(p.Depth)), "the level is at most the depth")
	return io
}

// FIFOArray contains Lanes parallel FIFOs.
type FIFOArray struct{ Lanes, Width, Depth int }

// FIFOArrayPorts contains the ports of a FIFOArray, with a bit or an element per lane.
type FIFOArrayPorts struct {
	PushValid, PushReady, PopValid, PopReady hw.Bits
	PushData, PopData                        hw.Vec
	Level                                    hw.Vec
}

// Build implements hw.Generator with a loop of instances.
func (p FIFOArray) Build(m *hw.Module) FIFOArrayPorts {
	io := FIFOArrayPorts{
		PushValid: m.In("push_valid", p.Lanes), PushReady: m.Out("push_ready", p.Lanes), PushData: m.InVec("push_data", p.Lanes, p.Width),
		PopValid: m.Out("pop_valid", p.Lanes), PopReady: m.In("pop_ready", p.Lanes), PopData: m.OutVec("pop_data", p.Lanes, p.Width),
		Level: m.OutVec("level", p.Lanes, hw.CountWidth(p.Depth)),
	}
	ready, valid := m.WireVec("ready_lane", p.Lanes, 1), m.WireVec("valid_lane", p.Lanes, 1)
	m.For("lane", p.Lanes, func(i hw.Index) {
		f := hw.Inst(m, "fifo", FIFO{p.Width, p.Depth})
		f.Push.Valid.Set(io.PushValid.Unpack(1).At(i))
		f.Push.Data.Set(io.PushData.At(i))
		f.Pop.Ready.Set(io.PopReady.Unpack(1).At(i))
		ready.At(i).Set(f.Push.Ready)
		valid.At(i).Set(f.Pop.Valid)
		io.PopData.At(i).Set(f.Pop.Data)
		io.Level.At(i).Set(f.Level)
	})
	io.PushReady.Set(ready.Pack())
	io.PopValid.Set(valid.Pack())
	return io
}

// Memory has two write ports, a combinational read port and a synchronous read port.
type Memory struct{ Depth, Width int }

// MemoryPorts contains the ports of a Memory.
type MemoryPorts struct{ WriteA, WriteB, AddrA, AddrB, DataA, DataB, ReadAddr, Now, Later hw.Bits }

// Build implements hw.Generator. Write port B takes precedence over write port A.
func (p Memory) Build(m *hw.Module) MemoryPorts {
	aw := hw.IndexWidth(p.Depth)
	io := MemoryPorts{
		WriteA: m.In("write_a", 1), WriteB: m.In("write_b", 1), AddrA: m.In("addr_a", aw), AddrB: m.In("addr_b", aw),
		DataA: m.In("data_a", p.Width), DataB: m.In("data_b", p.Width), ReadAddr: m.In("read_addr", aw),
		Now: m.Out("now", p.Width), Later: m.Out("later", p.Width),
	}
	mem := m.Mem("mem", p.Depth, p.Width)
	later := m.Data("later_q", p.Width)
	m.When(io.WriteA, func() { mem.Write(io.AddrA, io.DataA) })
	m.When(io.WriteB, func() { mem.Write(io.AddrB, io.DataB) })
	later.Set(mem.Read(io.ReadAddr))
	io.Now.Set(mem.Read(io.ReadAddr))
	io.Later.Set(later)
	return io
}
