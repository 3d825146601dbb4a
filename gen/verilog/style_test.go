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

// TestMerge: registers with the same condition share a block, unless one reads the other. A memory
// has its own block.
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
	kept := hw.Of[pair](nil).Mem(m, "kept", 4).Doc("what was held")
	turn := m.Reg("turn", 2, 0).Doc("the next\nto go")
	turn.Set(turn.Inc())
	kept.Write(turn, held)
	first, second := hw.Inst(m, "first", halves{}), hw.Inst(m, "second", halves{})
	third := hw.Inst(m, "third", halves{}) // behind those that read it
	third.In.Set(hw.Pack(io.Ask))
	first.In.Set(hw.Pack(held).Xor(third.Both))
	second.In.Set(hw.Mux(io.Alone, first.Sum.Ext(8), first.Both))
	io.Tell.Low.Set(second.Sum)
	io.Tell.High.Set(second.Both.Slice(7, 4))
	io.Words.At(hw.At(0)).Set(second.Both.Slice(3, 0))
	io.Words.At(hw.At(1)).Set(kept.Read(turn).Low.Xor(first.Sum))
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

// numbers chooses among numbers of several sizes.
type numbers struct{}

func (numbers) ModuleName() string { return "numbers" }

func (numbers) Build(m *hw.Module) ports {
	var io ports
	at, size := m.In("at", 16), m.In("size", 27)
	io.In = []hw.Bits{at, size}
	value, kind := m.Out("value", 16), m.Out("kind", 8)
	m.Switch(at).Case(hw.K(0x1f40), func() { value.Set(hw.K(5)); kind.Set(hw.K(1)) }).
		Case(hw.K(960), func() { value.Set(hw.K(0x7f4a)); kind.Set(hw.K(1)) }).
		Case(hw.K(7), func() { value.Set(hw.K(5)); kind.Set(hw.K(1)) }).
		Default(func() { value.Set(hw.K(0)); kind.Set(hw.K(255)) })
	io.Out = append(io.Out, value, kind)
	words := m.Mem("words", 6656, 4)
	m.When(at.Slice(12, 0).Ne(hw.K(9)), func() { words.Write(at.Slice(12, 0), size.Slice(3, 0)) })
	io.out(m, "word", words.Read(size.Slice(12, 0)))
	wide := m.In("wide", 300)
	io.In = append(io.In, wide)
	mask := hw.Cat(hw.Lit(44, 7), hw.Lit(64, 1<<63), hw.Lit(64, 2), hw.Lit(64, 3), hw.Lit(64, 4))
	io.out(m, "parity", wide.And(mask).Parity())
	places := size.Slice(14, 0).Add(hw.K(7))
	io.out(m, "some", size.Ge(hw.K(2)).And(size.Le(hw.K(16384))))
	io.out(m, "middle", places.Slice(10, 3))
	io.out(m, "top", size.Slice(26, 20).Inc().Slice(6, 2))
	io.out(m, "odd", size.Slice(20, 3).Inc().Slice(6, 2))
	return io
}

// TestNumbers: numbers that are compared have the same radix, and numbers of words are decimal.
// Names of slices state the end of the value, but no bit numbers. Wide numbers have their own
// lines.
func TestNumbers(t *testing.T) {
	_, files := generate(t, of("numbers", numbers{}))
	text := files[0].Text
	for _, line := range []string{
		"16'h1f40, 16'h0007: begin\n", "16'h03c0: begin\n",
		"value = 16'h0005;\n", "value = 16'h7f4a;\n", "value = 16'd0;\n",
		"kind  = 8'h01;\n", "kind  = 8'hff;\n",
		"at[12:0] != 13'd9 && at[12:0] < 13'd6656",
		"= size >= 27'd2 && size <= 27'd16384;",
		"wire [14:0] size_low_plus_7 ", "wire [6:0] size_high_plus_1 ", "wire [17:0] size_bits_plus_1 ",
	} {
		require.Contains(t, text, line)
	}
	for _, line := range strings.Split(text, "\n") {
		require.LessOrEqual(t, len(line), 100, line)
	}
}
