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
