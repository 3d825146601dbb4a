package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// twoClocks has a counter in each of two clock domains; one of the clocks has no reset.
type twoClocks struct{}

type twoClocksPorts struct {
	Write hw.Clock `hw:"in,name=wr_clk,reset=wr_rst_n,low,async"`
	Read  hw.Clock `hw:"in,name=rd_clk"`
	Step  hw.Bits  `hw:"in,4,clock=Write"`
	Count hw.Bits  `hw:"out,4,clock=Write"`
	Last  hw.Bits  `hw:"out,4,clock=Read"`
}

func (twoClocks) Build(m *hw.Module) twoClocksPorts {
	io := hw.Ports[twoClocksPorts](m)
	m.Clocked(io.Write, func() {
		inner := hw.Inst(m, "inner", stepper{})
		inner.Step.Set(io.Step)
		io.Count.Set(inner.Count)
	})
	m.Clocked(io.Read, func() { io.Last.Set(m.Crossing("seen", io.Read, hw.CrossHeld, io.Count)) })
	return io
}

// stepper takes its clock from the module that instantiates it.
type stepper struct{}

type stepperPorts struct {
	Step  hw.Bits `hw:"in,4"`
	Count hw.Bits `hw:"out,4"`
}

func (stepper) Build(m *hw.Module) stepperPorts {
	io := hw.Ports[stepperPorts](m)
	n := m.Reg("n", 4, 3)
	n.Set(n.Add(io.Step))
	io.Count.Set(n)
	return io
}

// connected connects its clocks to an instance of twoClocks.
type connected struct{}

type connectedPorts struct {
	A    hw.Clock `hw:"in,reset=a_rst,async"`
	B    hw.Clock `hw:"in,reset=b_rst"`
	Last hw.Bits  `hw:"out,4,clock=B"`
}

func (connected) Build(m *hw.Module) connectedPorts {
	io := hw.Ports[connectedPorts](m)
	two := hw.Inst(m, "two", twoClocks{})
	two.Write.Set(io.A)
	two.Read.Set(io.B)
	two.Step.Set(hw.K(2))
	io.Last.Set(two.Last)
	return io
}

func TestClocks(t *testing.T) {
	d, err := hw.Elaborate(twoClocks{})
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	s, err := interp.New(d)
	require.NoError(t, err)
	io := sim.Bind[twoClocksPorts](s, twoClocks{})
	pin := func(name string) sim.Pin { return sim.Find(s, name) }
	step := func(write, read bool) (count, last uint64) {
		pin("wr_clk").SetBool(write)
		pin("rd_clk").SetBool(read)
		require.NoError(t, s.Step())
		return io.Count.Peek(), io.Last.Peek()
	}
	require.EqualValues(t, 3, io.Count.Peek(), "an asynchronous reset acts at once")
	pin("wr_rst_n").Set(1)
	require.EqualValues(t, 0, io.Count.Peek(), "without an edge it leaves nothing")
	pin("wr_rst_n").Set(0)
	step(false, false)
	pin("wr_rst_n").Set(1)
	io.Step.Poke(2)
	for i, want := range [][4]uint64{{1, 0, 5, 0}, {0, 1, 5, 5}, {1, 1, 7, 5}, {0, 0, 7, 5}, {0, 1, 7, 7}} {
		count, last := step(want[0] == 1, want[1] == 1)
		require.Equal(t, want[2:], []uint64{count, last}, "step %d", i)
	}
	require.EqualValues(t, 5, s.Cycle()-1)
}

// TestClocksOfInstances also covers a reset of the opposite polarity and an asynchronous stepper.
func TestClocksOfInstances(t *testing.T) {
	d, err := hw.Elaborate(connected{})
	require.NoError(t, err)
	var names []string
	for _, m := range d.Modules {
		names = append(names, m.Name)
	}
	require.Equal(t, []string{"stepper", "two_clocks", "connected"}, names)
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	var text string
	for _, f := range files {
		text += f.Text
	}
	for _, want := range []string{"always @(posedge clk or posedge rst) begin", "if (rst) begin", ".clk   (wr_clk),", ".rst   (!wr_rst_n),",
		"always @(posedge rd_clk) begin", `(* async_reg = "true" *)`, ".wr_clk   (a),", ".wr_rst_n (two_wr_rst_n),", "wire two_wr_rst_n = !a_rst;", ".rd_clk   (b),"} {
		require.Contains(t, text, want)
	}
}

// TestDefaultClock checks that the options name the clock and the reset of the whole design.
func TestDefaultClock(t *testing.T) {
	d, err := hw.Elaborate(stepper{}, hw.DefaultClock("aclk"), hw.DefaultReset("aresetn", hw.Low))
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	require.Contains(t, files[0].Text, "  input  wire       aclk,\n  input  wire       aresetn,\n")
	require.Contains(t, files[0].Text, "always @(posedge aclk) begin\n    if (!aresetn) begin\n")
}

// TestDefaultAsync checks that simulators see an asynchronous reset as a port.
func TestDefaultAsync(t *testing.T) {
	d, err := hw.Elaborate(counting{}, hw.DefaultClock("aclk"), hw.DefaultReset("aresetn", hw.Low, hw.Async))
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	require.Contains(t, files[0].Text, "always @(posedge aclk or negedge aresetn) begin\n    if (!aresetn) begin")
	require.Contains(t, files[1].Text, ".aresetn (aresetn),")
	s, err := interp.New(d)
	require.NoError(t, err)
	count := sim.Find(s, "count")
	require.EqualValues(t, 3, count.Get())
	require.NoError(t, s.Step())
	sim.Find(s, "aresetn").Set(1)
	require.EqualValues(t, 3, count.Get(), "no edge was needed")
	sim.Find(s, "aclk").Set(1)
	require.NoError(t, s.Step())
	require.EqualValues(t, 8, count.Get())
}

// counting has a register of its own and an instance.
type counting struct{}

func (counting) Build(m *hw.Module) struct{} {
	inner := hw.Inst(m, "inner", stepper{})
	five := m.Reg("five", 4, 5)
	five.Set(hw.K(5))
	inner.Step.Set(five)
	m.Out("count", 4).Set(inner.Count)
	return struct{}{}
}

func TestClockMistakes(t *testing.T) {
	clocks := func(m *hw.Module) (a, b hw.Clock) { return m.Clock("a", "a_rst"), m.Clock("b", "") }
	run(t, []mistake{
		{"crossing", func(m *hw.Module) {
			a, b := clocks(m)
			var tail hw.Bits
			m.Clocked(a, func() { // clkp
				tail = m.Reg("tail", 4, 0) // clka
				tail.Set(tail.Add(hw.K(1)))
			})
			empty := m.Wire("is_empty", 1) // clkb
			empty.Set(tail.Eq(hw.K(0)))
			m.Clocked(b, func() { // clkm
				seen := m.Data("seen", 1) // clkc
				seen.Set(empty)
			})
		}, []string{`{clkc} < {clkm}: bad: [domain] register "seen" of clock b depends on "tail" of clock a: tail ({clka} < {clkp}) -> is_empty ({clkb} < {build}); cross with a part of hw/lib/cdc`}},
		{"memory", func(m *hw.Module) {
			a, b := clocks(m)
			var mem hw.Mem[hw.Bits]
			m.Clocked(a, func() { // clkq
				mem = m.Mem("words", 4, 8) // clkd
				mem.Write(hw.Lit(2, 0), hw.Lit(8, 1))
			})
			m.Clocked(b, func() { // clkn
				at := m.Data("at", 2)
				at.Set(at.Not())
				word := m.Data("word", 8) // clke
				word.Set(mem.Read(at))
			})
		}, []string{`{clke} < {clkn}: bad: [domain] register "word" of clock b depends on memory "words" of clock a: words ({clkd} < {clkq}); a word may change while it is read; a queue between two clocks is cdc.FIFO of hw/lib`}},
		{"a memory of two clocks", func(m *hw.Module) {
			a, b := clocks(m)
			var mem hw.Mem[hw.Bits]
			m.Clocked(a, func() { mem = m.Mem("words", 4, 8) })
			m.Clocked(b, func() { // clks
				at := m.Data("at", 2) // clkt
				at.Set(at.Not())
				mem.Write(at, hw.Lit(8, 1)) // clku
			})
			m.Clocked(a, func() { m.Out("word", 8).Set(mem.Read(hw.Lit(2, 0))) })
		}, []string{`{clku} < {clks}: bad: [domain] memory "words" of clock a depends on "at" of clock b: at ({clkt} < {clks}); one clock writes a memory; cross before it with a part of hw/lib/cdc`}},
		{"crossings", func(m *hw.Module) {
			a, b := clocks(m)
			var x, y hw.Bits
			m.Clocked(a, func() { // clkv
				x, y = m.Data("x", 2), m.Data("y", 1) // clkw
				x.Set(hw.K(1))
				y.Set(x.Bit(0))
			})
			m.Crossing("wide", b, hw.CrossLevel, x)            // clkx
			m.Crossing("nowhere", hw.Clock{}, hw.CrossHeld, x) // clky
		}, []string{
			`{clkx} < {build}: bad: [width] crossing "wide" as a level has 2 bits, expected 1`,
			`{clky} < {build}: bad: [scope] a value that was never declared: a field not set, or a port that this configuration lacks`,
		}},
		{"no clock", func(m *hw.Module) {
			clocks(m)
			m.Data("n", 1).Set(hw.K(1)) // clkf
			m.In("x", 1)                // clkg
		}, []string{
			`{clkf} < {build}: bad: [domain] register "n" has no clock: the module has 2; describe it in Clocked`,
			`{clkg} < {build}: bad: [domain] port "x" has no clock: the module has 2; write clock= in its tag`,
		}},
		{"no reset", func(m *hw.Module) {
			_, b := clocks(m)
			m.Clocked(b, func() { // clko
				m.Reg("n", 1, 0).Set(hw.K(1))                    // clkh
				hw.Inst(m, "inner", stepper{}).Step.Set(hw.K(1)) // clki
			})
		}, []string{
			`{clkh} < {clko}: bad: [domain] register "n" follows clock "b", which has no reset; use Data`,
			`{clki} < {clko}: bad: [domain] instance "inner" has registers with a reset and follows clock "b", which has none`,
		}},
		{"condition", func(m *hw.Module) {
			a := m.Clock("a", "a_rst", hw.Async)
			hw.InstReset(m, "inner", stepper{}, hw.K(0)).Step.Set(hw.K(1)) // clkr
			m.Clocked(a, func() {})
		}, []string{`{clkr} < {build}: bad: [domain] instance "inner": a condition does not reset what has an asynchronous reset; the condition could glitch`}},
		{"connections", func(m *hw.Module) {
			a, b := clocks(m)
			two := hw.Inst(m, "two", twoClocks{})
			two.Step.Set(hw.K(0))
			two.Write.Set(a)        // clkj
			two.Read.Set(two.Write) // clkk
			other := hw.Inst(m, "other", twoClocks{})
			other.Step.Set(hw.K(0))
			other.Read.Set(a)
			other.Write.Set(b) // clkl
		}, []string{
			`{clkj} < {build}: bad: [domain] the reset of clock "wr_clk" of instance "two" is asynchronous, the reset of clock "a" is synchronous`,
			`{clkk} < {build}: bad: [domain] the clock is not a port of the module; connect the clock of an instance with Set`,
			`{clkl} < {build}: bad: [domain] clock "wr_clk" of instance "other" has a reset, clock "b" has none`,
		}},
	})
}
