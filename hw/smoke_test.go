package hw_test

import (
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir/flat"
	"github.com/hotline-rtl/hotline/hw/ir/net"
)

type FIFO struct{ Width, Depth int }
type FIFOPorts struct {
	Push, Pop hw.Stream
	Level     hw.Bits
}

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
	m.When(push.And(pop.Not()), func() { count.Set(count.Inc()) }).ElseWhen(pop.And(push.Not()), func() { count.Set(count.Dec()) })
	return io
}

type Top struct{ N int }
type TopPorts struct {
	V   hw.Bits
	D   hw.Vec
	Q   hw.Vec
	Any hw.Bits
}

func (p Top) Build(m *hw.Module) TopPorts {
	io := TopPorts{V: m.In("v", p.N), D: m.InVec("d", p.N, 8), Q: m.OutVec("q", p.N, 8), Any: m.Out("any", 1)}
	val := m.WireVec("val", p.N, 1)
	m.For("lane", p.N, func(i hw.Index) {
		f := hw.Inst(m, "fifo", FIFO{8, 4})
		f.Push.Valid.Set(io.V.Unpack(1).At(i))
		f.Push.Data.Set(io.D.At(i).Add(i.Bits(8)))
		f.Pop.Ready.Set(hw.K(1))
		val.At(i).Set(f.Pop.Valid)
		io.Q.At(i).Set(f.Pop.Data)
	})
	io.Any.Set(val.Pack().Any())
	return io
}

func TestSmoke(t *testing.T) {
	d, err := hw.Elaborate(Top{4})
	if err != nil {
		t.Fatal(err)
	}
	l, _ := net.Lower(d)
	f, p := flat.FlattenAll(l)
	fmt.Println(len(f.Ops), len(f.Regs), p)
	_, err = hw.Elaborate(bad{})
	fmt.Println(err)
}

type bad struct{}

func (bad) Build(m *hw.Module) struct{ A, O hw.Bits } {
	a, o := m.In("a", 4), m.Out("o", 4)
	x, y := m.Wire("x", 4), m.Wire("y", 4)
	x.Set(y.Inc())
	y.Set(x.Add(a))
	o.Set(x)
	return struct{ A, O hw.Bits }{a, o}
}
