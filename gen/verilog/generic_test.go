package verilog_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir/irgen"
)

// sized says in all ways how wide something is.
type sized struct {
	DataWidth int `hw:"parameter"`
}

func (p sized) Build(m *hw.Module) ports {
	m.Doc("numbers of one width")
	w := p.DataWidth
	a, b, sel, add := m.In("a", w), m.In("b", w), m.In("sel", 2), m.In("add", 1)
	four := m.InVec("four", 4, w)
	io := ports{In: []hw.Bits{a, b, sel, add}, InVec: []hw.Vec{four}}
	out := func(name string, x hw.Bits) { io.out(m, name, x) }

	count, most := m.Reg("count", w, 5), m.RegInit("most", hw.Ones(w))
	m.When(add, func() { count.Set(count.Inc()) }).ElseWhen(a.Eq(b), func() { count.Set(hw.K(0)) })
	m.When(add, func() { most.Set(a) })
	out("counted", count)
	out("most_seen", most)

	mem, word := m.Mem("mem", 8, 2*w+1), m.Data("word", 2*w+1)
	m.When(add, func() {
		mem.Write(a.Trunc(3), hw.Cat(a, add, b))
		word.Set(mem.Read(b.Trunc(3)))
	})
	out("upper", word.Slice(2*w, w+1))
	out("sign", word.Bit(w-1))
	out("extended", a.SExt(w+4).Add(b.Ext(w+4)))
	out("opposite", hw.Mux(a.Lt(b), hw.Ones(w), a.Xor(b)))

	out("chosen", four.Index(sel))
	swapped := m.WireVec("swapped", 4, w)
	m.For("lane", 4, func(i hw.Index) { swapped.At(i).Set(four.At(i.Times(-1).Plus(3))) })
	out("swapped_out", swapped.Pack())
	out("filled", add.Repeat(w).And(a))
	return io
}

// widths instantiates it.
type sizedOnes struct{}

func (sizedOnes) Build(m *hw.Module) ports {
	var of []hw.Generator[ports]
	for _, w := range []int{3, 8, 16, 33, 70} {
		of = append(of, sized{w})
	}
	return every(m, of, 5)
}

// deep has a parameter that is a depth, too.
type deep struct {
	Width int `hw:"parameter"`
}

func (p deep) Build(m *hw.Module) ports {
	at, x := m.In("at", hw.IndexWidth(p.Width)), m.In("x", p.Width)
	io := ports{In: []hw.Bits{at, x}}
	io.out(m, "y", x.Shr(at))
	return io
}

func TestWidthThatDecidesMore(t *testing.T) {
	d, err := hw.Elaborate(deep{9})
	require.NoError(t, err)
	_, err = verilog.Generate(d)
	require.ErrorContains(t, err, `: deep: [parameter] WIDTH decides more than widths: for 16 there is "input wire [3:0] at,", for 32 "input wire [4:0] at,"; `+
		`without hw:"parameter" in its tag each value has a module of its own`)
}

// What is printed with a parameter is what is printed for each value without.
func TestParametersFollow(t *testing.T) {
	for _, d := range designs {
		x, err := d.build()
		require.NoError(t, err)
		if n := verilogtest.Follows(t, x); d.name == "sized" {
			require.Equal(t, 4, n)
		}
	}
	compared := 0
	for seed := range uint64(100) {
		compared += verilogtest.Follows(t, irgen.Random(seed, irgen.Varied(seed)))
	}
	require.Greater(t, compared, 10, fmt.Sprint(compared))
}
