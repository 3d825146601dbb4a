package axis_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// sizes are the widths of a beat.
type sizes struct{ Bytes, ID int }

func (p sizes) Bits() int { return 8 * p.Bytes }

type beat struct {
	Data hw.Bits `hw:"Bits,name=tdata"`
	Keep hw.Bits `hw:"Bytes,name=tkeep"`
	ID   hw.Bits `hw:"ID,name=tid"`
	Last hw.Bits `hw:"name=tlast"`
}

func slice(p sizes) axis.Slice[beat] { return axis.Slice[beat]{Of: hw.Of[beat](p)} }

func TestPorts(t *testing.T) {
	d, err := hw.Elaborate(slice(sizes{64, 8}))
	require.NoError(t, err)
	require.Equal(t, "axis_slice", d.Top.Name)
	var ports []string
	for _, p := range d.Top.Ports {
		ports = append(ports, fmt.Sprintf("%s %s %d", p.Kind, p.Name, p.Type.Width))
	}
	require.Equal(t, []string{
		"input s_axis_tvalid 1", "output s_axis_tready 1", "input s_axis_tdata 512", "input s_axis_tkeep 64", "input s_axis_tid 8", "input s_axis_tlast 1",
		"output m_axis_tvalid 1", "input m_axis_tready 1", "output m_axis_tdata 512", "output m_axis_tkeep 64", "output m_axis_tid 8", "output m_axis_tlast 1",
	}, ports)
}

// chain is two slices in series, joined with Connect.
type chain struct{ Of hw.Shape[beat] }

func (p chain) Build(m *hw.Module) axis.SlicePorts[beat] {
	io := hw.Ports[axis.SlicePorts[beat]](m)
	first, second := hw.Inst(m, "first", axis.Slice[beat](p)), hw.Inst(m, "second", axis.Slice[beat](p))
	hw.Connect(first.In, io.In)
	hw.Connect(second.In, first.Out)
	hw.Connect(io.Out, second.Out)
	return io
}

// check sends random beats through a module with these ports.
func check(d *ir.Design) error {
	fields := func(prefix string) []string {
		return []string{prefix + "_tdata", prefix + "_tkeep", prefix + "_tid", prefix + "_tlast"}
	}
	b, err := bench.New(d, 1)
	if err != nil {
		return err
	}
	in := b.Source("s_axis_tvalid", "s_axis_tready", fields("s_axis")...)
	out := b.Sink("m_axis_tvalid", "m_axis_tready", fields("m_axis")...)
	var sent []bench.Item
	for _, rates := range [][2]float64{{1, 1}, {0.5, 0.5}, {1, 0.3}, {0.3, 1}} {
		in.Rate, out.Rate = rates[0], rates[1]
		for range 50 {
			sent = append(sent, in.Random())
			in.Send(0, sent[len(sent)-1])
		}
		if err := b.Drain(len(sent), 1000); err != nil {
			return err
		}
	}
	if !reflect.DeepEqual(sent, out.Got[0]) {
		return fmt.Errorf("got %x, want %x", out.Got[0], sent)
	}
	return nil
}

func TestSliceKeepsBeats(t *testing.T) {
	for _, p := range []sizes{{1, 1}, {8, 5}, {64, 8}} {
		d, err := hw.Elaborate(slice(p))
		require.NoError(t, err)
		require.NoError(t, check(d), d.Top.Name)
		d, err = hw.Elaborate(chain(slice(p)))
		require.NoError(t, err)
		require.NoError(t, check(d), d.Top.Name)
	}
}

func TestFaultsAreCaught(t *testing.T) {
	d, err := hw.Elaborate(slice(sizes{2, 2}))
	require.NoError(t, err)
	survivors, tried := bench.Survivors(d, func() error { return check(d) })
	require.Empty(t, survivors)
	require.Greater(t, tried, 8)
}
