package lib_test

import (
	"fmt"
	"go/build"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/cdc"
	"github.com/hotline-rtl/hotline/hw/lib/crc"
	"github.com/hotline-rtl/hotline/hw/lib/div"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/hw/lib/fp32"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
	"github.com/hotline-rtl/hotline/hw/lib/regbank"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
	"github.com/hotline-rtl/hotline/hw/lib/xbar"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// designs returns all components, at the limits and in the middle of their parameters.
func designs(t *testing.T) []*ir.Design {
	var out []*ir.Design
	add := func(d *ir.Design, err error) {
		require.NoError(t, err)
		out = append(out, d)
	}
	for _, depth := range []int{1, 2, 5, 16} {
		add(hw.Elaborate(fifo.FIFO[hw.Bits]{Of: hw.Width(8), Depth: depth}))
	}
	for _, depth := range []int{2, 5, 16} {
		add(hw.Elaborate(fifo.BlockFIFO[hw.Bits]{Of: hw.Width(72), Depth: depth, Style: "block"}))
	}
	for _, low := range []bool{false, true} {
		add(hw.Elaborate(crossings{low, low}))
	}
	for _, width := range []int{1, 577} {
		add(hw.Elaborate(skid.Skid[hw.Bits]{Of: hw.Width(width)}))
		add(hw.Elaborate(skid.Stage[hw.Bits]{Of: hw.Width(width)}))
	}
	add(hw.Elaborate(streams{}))
	for _, n := range []int{1, 2, 3, 64} {
		add(hw.Elaborate(arb.RoundRobin{N: n}))
	}
	for _, n := range []int{1, 2, 5} {
		add(hw.Elaborate(arb.Mux[hw.Bits]{Of: hw.Width(32), N: n}))
	}
	for _, p := range []xbar.Xbar[hw.Bits]{
		{Of: hw.Width(8), Sources: 1, Dests: 1, Groups: 1, Depth: 2},
		{Of: hw.Width(20), Sources: 6, Dests: 5, Groups: 3, Depth: 4},
		{Of: hw.Width(28), Sources: 8, Dests: 8, Groups: 4, Depth: 4},
		{Of: hw.Width(65), Sources: 4, Dests: 4, Groups: 4, Depth: 2},
	} {
		add(hw.Elaborate(p))
	}
	add(hw.Elaborate(axis.Slice[hw.Bits]{Of: hw.Width(8)}))
	add(hw.Elaborate(axis.Slice[hw.Bits]{Of: hw.Width(577)}))
	add(hw.Elaborate(axil.Slave{AddrWidth: 2}))
	add(hw.Elaborate(axil.Slave{AddrWidth: 16}))
	for _, width := range []int{7, 32} {
		add(hw.Elaborate(bank{width}))
	}
	add(hw.Elaborate(fp32.Add{}))
	add(hw.Elaborate(fp32.Mul{}))
	for _, width := range []int{1, 32, 65} {
		add(hw.Elaborate(div.Divider{Width: width}))
	}
	for _, bytes := range []int{4, 60, 64} {
		add(hw.Elaborate(crc.CRC32C{Bytes: bytes}))
	}
	for _, depth := range []int{1, 100, 2048} {
		add(hw.Elaborate(ram.RAM[hw.Bits]{Of: hw.Width(256), Depth: depth, Style: "block"}))
		add(hw.Elaborate(ram.SimpleDual[hw.Bits]{Of: hw.Width(1), Depth: depth}))
	}
	return out
}

// bank is a register bank behind a slave.
type bank struct{ AddrWidth int }

type registers struct {
	First  hw.Bits `reg:"0x00,rw,31:1"`
	Events struct {
		Late hw.Bits `reg:"w1c,4"`
		Lost hw.Bits `reg:"rc,31:8"`
	} `reg:"0x04"`
	Total hw.Bits `reg:"0x78,count,63:0"`
}

func (p bank) Build(m *hw.Module) (bus axil.Bus) {
	io := hw.Ports[struct {
		Bus  axil.Bus `hw:"in,name=s_axil"`
		Late hw.Bits  `hw:"in"`
	}](m)
	slave := hw.Inst(m, "slave", axil.Slave(p))
	hw.Connect(slave.Bus, io.Bus)
	r := regbank.New[registers](m, "bank", regmap.New[registers]("bank", ""), slave.Access).Fields
	m.When(io.Late, func() {
		r.Events.Late.Set(r.First.Bit(0))
		r.Events.Lost.Set(r.Events.Lost.Inc())
		r.Total.Set(r.Total.Inc())
	})
	return io.Bus
}

// streams widens and narrows a stream, twice.
type streams struct{}

func (streams) Build(m *hw.Module) struct{} {
	of := hw.Width(8)
	words := stream.Map(m.Sink("push", 8), func(x hw.Bits) arb.Word[hw.Bits] { return arb.Word[hw.Bits]{Data: x, Last: x.Bit(0)} })
	for i, wide := range stream.Fork(m, "copies", stream.Widen(m, "widen", of, 5, words), 2) {
		name := fmt.Sprint("narrow", i)
		m.Source(fmt.Sprint("pop", i), 8).Connect(stream.Map(stream.Narrow(m, name, of, 5, wide), func(w arb.Word[hw.Bits]) hw.Bits { return w.Data }))
	}
	return struct{}{}
}

// crossings contains all components of cdc.
type crossings struct{ Low, Async bool }

func (p crossings) Build(m *hw.Module) struct{} {
	var kind []hw.ResetKind
	if p.Low {
		kind = append(kind, hw.Low)
	}
	if p.Async {
		kind = append(kind, hw.Async)
	}
	a, b := m.Clock("a", "a_rst", kind...), m.Clock("b", "b_rst", kind...)
	in := func(name string, width int) (x hw.Bits) {
		m.Clocked(a, func() { x = m.In(name, width) })
		return x
	}
	m.Clocked(b, func() {
		m.Out("level", 1).Set(cdc.TwoFlop(m, "two_flop", b, in("level_in", 1)))
		m.Out("number", 9).Set(cdc.Gray(m, "gray", a, b, in("number_in", 9)))
		m.Out("happens", 1).Set(cdc.Pulse(m, "pulse", a, b, in("happens_in", 1)))
	})
	stream := func(name string, push, pop hw.Stream[hw.Bits]) {
		m.Clocked(a, func() { push.Connect(m.Sink(name+"_in", push.Data.Width())) })
		m.Clocked(b, func() { m.Source(name+"_out", pop.Data.Width()).Connect(pop) })
	}
	push, pop := cdc.Handshake(m, "handshake", a, b, hw.Width(5))
	stream("handshake", push, pop)
	push, pop = cdc.FIFO(m, "fifo", a, b, hw.Width(33), 8)
	stream("fifo", push, pop)
	return struct{}{}
}

// TestEveryPartIsListed checks that the package comment lists every component, and that designs
// contains each component that has modules.
func TestEveryPartIsListed(t *testing.T) {
	comment, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	var listed, folders []string
	for _, m := range regexp.MustCompile(`(?m)^//\t([a-z0-9]+) `).FindAllStringSubmatch(string(comment), -1) {
		listed = append(listed, m[1])
	}
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	here, err := build.ImportDir(".", 0)
	require.NoError(t, err)
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		folders = append(folders, e.Name())
		require.Contains(t, here.XTestImports, "github.com/hotline-rtl/hotline/hw/lib/"+e.Name())
	}
	require.ElementsMatch(t, folders, listed)
}

// TestPortsHaveComments: each port of a component has a comment in the Verilog.
func TestPortsHaveComments(t *testing.T) {
	checked := map[string]bool{}
	for _, d := range designs(t) {
		for _, m := range d.Modules {
			switch d.Top.Name {
			case "bank", "streams", "crossings": // ports of this test
				if m == d.Top {
					continue
				}
			}
			checked[m.Name] = true
			require.Empty(t, verilogtest.Unexplained(m))
		}
	}
	require.Greater(t, len(checked), 15)

	d, err := hw.Elaborate(bank{7})
	require.NoError(t, err)
	require.Equal(t, []string{"bank.late"}, verilogtest.Unexplained(d.Top)[len(d.Top.Ports)-1:])
}

// TestParametersFollow: Verilog parameters affect only widths.
func TestParametersFollow(t *testing.T) {
	compared := 0
	for _, d := range designs(t) {
		compared += verilogtest.Follows(t, d)
	}
	require.Greater(t, compared, 30)
}

// TestVerilogToolsAreSilent: the three Verilog tools report nothing about any component.
func TestVerilogToolsAreSilent(t *testing.T) {
	for _, d := range designs(t) {
		t.Run(d.Top.Name, func(t *testing.T) {
			t.Parallel()
			verilogtest.Silent(t, d)
		})
	}
}
