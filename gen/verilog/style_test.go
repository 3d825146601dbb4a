package verilog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
)

// pipeline has stages whose registers each have a statement of their own, with a
// memory that is written under the condition of a register.
type pipeline struct{}

func (pipeline) ModuleName() string { return "pipeline" }

func (pipeline) Build(m *hw.Module) ports {
	var io ports
	move, valid, x := m.In("move", 1), m.In("valid", 1), m.In("x", 8)
	io.In = []hw.Bits{move, valid, x}
	held := func(name string, when, v hw.Bits) hw.Bits {
		r := m.Data(name, v.Width())
		m.When(when, func() { r.Set(v) })
		return r
	}
	marked := func(name string, when, v hw.Bits) hw.Bits {
		r := m.Reg(name, v.Width(), 0)
		m.When(when, func() { r.Set(v) })
		return r
	}
	first := marked("first", move, valid)
	low := held("low", move.And(valid), x.Slice(3, 0))
	high := held("high", move.And(valid), x.Slice(7, 4))
	seen := marked("seen", move, valid)
	second := marked("second", move, first)
	sum := held("sum", move.And(first), low.Add(high))
	most := held("most", move.And(first), hw.Mux(low.Lt(high), high, low))
	words := m.Mem("words", 16, 4)
	m.When(move.And(first), func() { words.Write(low, high) })
	io.out(m, "sum_out", sum)
	io.out(m, "most_out", most)
	io.out(m, "second_out", second)
	io.out(m, "seen_out", seen)
	io.out(m, "word", words.Read(most))
	return io
}

// Registers of one guard share a block, unless one takes what another gives; a memory has
// its own.
func TestMerge(t *testing.T) {
	_, files := generate(t, of("pipeline", pipeline{}))
	text := files[0].Text
	require.Contains(t, text, `
    if (move && valid) begin
      low  <= x[3:0];
      high <= x[7:4];
    end
`)
	require.Contains(t, text, `
    if (move && first) begin
      sum  <= low + high;
      most <= (low < high) ? high : low;
    end
`)
	require.Contains(t, text, "    if (move && first) words[low] <= high;\n")
	require.Contains(t, text, "first <= 1'b0;\n      seen  <= 1'b0;\n", "with a block of another guard between")
	require.Contains(t, text, "second <= 1'b0;\n    end else if", "which takes first")
	require.Equal(t, 5, strings.Count(text, "always @(posedge clk)"))
}

// quads sends pairs of numbers through an instance of pairs.
type quads struct{}

type pair struct {
	Low  hw.Bits `hw:"4" doc:"the lower half"`
	High hw.Bits `hw:"4"`
}

type quadPorts struct {
	Ask   pair    `hw:"in" doc:"what is asked"`
	Alone hw.Bits `hw:"in"`
	Tell  pair    `hw:"out"`
	Words hw.Vec  `hw:"out,4,len=2" doc:"both"`
}

func (quads) ModuleName() string { return "quads" }

func (quads) Build(m *hw.Module) quadPorts {
	io := hw.Ports[quadPorts](m)
	held := hw.Of[pair](nil).Reg(m, "held")
	hw.Set(held, io.Ask)
	first, second := hw.Inst(m, "first", halves{}), hw.Inst(m, "second", halves{})
	first.In.Set(hw.Pack(held))
	second.In.Set(hw.Mux(io.Alone, first.Sum.Ext(8), first.Both))
	io.Tell.Low.Set(second.Sum)
	io.Tell.High.Set(second.Both.Slice(7, 4))
	io.Words.At(hw.At(0)).Set(second.Both.Slice(3, 0))
	io.Words.At(hw.At(1)).Set(held.Low.Xor(first.Sum))
	return io
}

type halves struct{}

func (halves) ModuleName() string { return "halves" }

type halfPorts struct {
	In   hw.Bits `hw:"in,8"`
	Sum  hw.Bits `hw:"out,4"`
	Both hw.Bits `hw:"out,8"`
}

func (halves) Build(m *hw.Module) halfPorts {
	io := hw.Ports[halfPorts](m)
	p := hw.Of[pair](nil).Unpack(m, io.In)
	io.Sum.Set(p.Low.Add(p.High))
	io.Both.Set(io.In.Not())
	return io
}
