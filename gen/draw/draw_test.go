package draw_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/draw"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
)

// line is a FIFO that follows another, with a counter that has no stream.
type line struct{ Cut bool }

type linePorts struct {
	In    hw.Stream[hw.Bits] `hw:"in,8"`
	Out   hw.Stream[hw.Bits] `hw:"out,8"`
	Total hw.Bits            `hw:"out,4"`
}

func (p line) Build(m *hw.Module) linePorts {
	io := hw.Ports[linePorts](m)
	first := hw.Inst(m, "first", fifo.FIFO[hw.Bits]{Of: hw.Width(8), Depth: 4})
	second := hw.Inst(m, "second", fifo.FIFO[hw.Bits]{Of: hw.Width(8), Depth: 4})
	count := hw.Inst(m, "count", counter{})
	first.Push.Connect(io.In)
	if p.Cut {
		io.Out.Connect(first.Pop)
		second.Push.Valid.Set(hw.Lit(1, 0))
		second.Push.Data.Set(hw.Lit(8, 0))
		second.Pop.Ready.Set(hw.Lit(1, 1))
	} else {
		held := m.Wire("held", 1)
		held.Set(first.Pop.Valid)
		second.Push.Valid.Set(held)
		second.Push.Data.Set(first.Pop.Data)
		first.Pop.Ready.Set(second.Push.Ready)
		io.Out.Connect(second.Pop)
	}
	count.Seen.Set(first.Pop.Valid)
	io.Total.Set(count.Total)
	return io
}

type counter struct{}

type counterPorts struct {
	Seen  hw.Bits `hw:"in"`
	Total hw.Bits `hw:"out,4"`
}

func (counter) Build(m *hw.Module) counterPorts {
	io := hw.Ports[counterPorts](m)
	total := m.Reg("total_q", 4, 0)
	m.When(io.Seen, func() { total.Set(total.Inc()) })
	io.Total.Set(total)
	return io
}

func drawn[P any](t *testing.T, g hw.Generator[P]) (*ir.Design, string) {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d, draw.SVG(d.Top, nil)
}

// TestConnections: streams are traced through wires from instance to instance. Removing a
// connection removes it from the picture.
func TestConnections(t *testing.T) {
	_, svg := drawn(t, line{})
	for _, want := range []string{"in to first: push", "first to second: push", "second to out: out"} {
		require.Contains(t, svg, "<title>"+want+"</title>")
	}
	for _, want := range []string{"→ in", "out →", "to total"} {
		require.Regexp(t, ">"+want+"</text>", svg)
	}
	require.NotContains(t, svg, "first to out")

	_, svg = drawn(t, line{Cut: true})
	require.NotContains(t, svg, "first to second")
	require.Contains(t, svg, "<title>first to out: out</title>")
}

// TestNames: boxes have the Go packages of their modules, and other names only where the caller
// gives them.
func TestNames(t *testing.T) {
	d, svg := drawn(t, line{})
	require.Equal(t, 2, strings.Count(svg, ">hw/lib/fifo<"))
	require.Equal(t, 1, strings.Count(svg, ">gen/draw_test<"))
	require.NotContains(t, svg, "Tally")
	svg = draw.SVG(d.Top, map[string]string{"counter": "Tally\nFigure 1", "other": "Figure 2"})
	require.Equal(t, 1, strings.Count(svg, ">Tally<"))
	require.NotContains(t, svg, "Figure 2")
}

// TestSVG: a picture is well-formed, and equal designs give equal pictures.
func TestSVG(t *testing.T) {
	d, svg := drawn(t, line{})
	for range 5 {
		require.Equal(t, svg, draw.SVG(d.Top, nil))
	}
	for x := xml.NewDecoder(strings.NewReader(svg)); ; {
		_, err := x.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	for _, m := range d.Modules {
		require.Contains(t, draw.SVG(m, nil), m.Name)
	}
}
