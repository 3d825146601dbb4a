package docs_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClocks: the bridge of the page transfers and counts words, and elaboration
// rejects illegal crossings.
func TestClocks(t *testing.T) {
	dir := module(t, map[string]string{"bridge/bridge.go": example(t, "clocks"), "main.go": `package main

import (
	"fmt"

	. "example.com/mine/bridge"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

type Mixed struct{}

func (Mixed) Build(m *hw.Module) Ports {
	io := hw.Ports[Ports](m)
	bridge := hw.Inst(m, "bridge", Bridge{})
	bridge.Write.Set(io.Write)
	bridge.Read.Set(io.Read)
	bridge.Push.Connect(io.Push)
	io.Pop.Connect(bridge.Pop)
	m.Clocked(io.Read, func() {
		late := m.Data("late", 16)
		late.Set(bridge.Waited)
		io.Waited.Set(bridge.Waited.And(late))
	})
	return io
}

func main() {
	d, err := hw.Elaborate(Bridge{})
	if err != nil {
		panic(err)
	}
	s, _ := interp.New(d)
	x, _ := sim.NewSchedule(s, sim.Beat{Clock: "wr_clk", Period: 3}, sim.Beat{Clock: "rd_clk", Period: 5})
	tb := sim.Bind[Ports](s, Bridge{})
	rst := func(on uint64) { sim.Find(s, "wr_rst_n").Set(1 - on); sim.Find(s, "rd_rst").Set(on) }
	rst(1)
	for x.Time() < 30 {
		_ = x.Step()
	}
	rst(0)
	tb.Push.Valid.Poke(1)
	tb.Push.Data.Poke(7)
	for x.Time() < 90 {
		_ = x.Step()
	}
	fmt.Println(tb.Pop.Valid.Peek(), tb.Pop.Data.Peek(), tb.Waited.Peek() > 5)
	_, err = hw.Elaborate(Mixed{})
	fmt.Println(err)
}
`})
	out, ok := golang(t, dir, "run", ".")
	require.True(t, ok, out)
	require.Regexp(t, `^1 7 true\n`, out)
	require.Contains(t, out, "[domain] register \"late\" of clock rd_clk depends on \"bridge.waited\" of clock wr_clk: bridge.waited (")
	require.Contains(t, out, "[domain] output \"waits\" of clock wr_clk depends on \"late\" of clock rd_clk: late (")
}
