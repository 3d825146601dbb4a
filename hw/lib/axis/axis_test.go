package axis_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/axis"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func portNames(d *ir.Design) []string {
	var out []string
	for _, p := range d.Top.Ports {
		out = append(out, fmt.Sprintf("%s %s %d", p.Kind, p.Name, p.Type.Width))
	}
	return out
}

func TestPorts(t *testing.T) {
	d, err := hw.Elaborate(axis.Slice{Width: 512, ID: 8, User: 1})
	require.NoError(t, err)
	require.Equal(t, []string{
		"input s_axis_tdata 512", "input s_axis_tkeep 64", "input s_axis_tid 8", "input s_axis_tuser 1",
		"input s_axis_tlast 1", "input s_axis_tvalid 1", "output s_axis_tready 1",
		"output m_axis_tdata 512", "output m_axis_tkeep 64", "output m_axis_tid 8", "output m_axis_tuser 1",
		"output m_axis_tlast 1", "output m_axis_tvalid 1", "input m_axis_tready 1",
	}, portNames(d))

	d, err = hw.Elaborate(axis.Slice{Width: 8})
	require.NoError(t, err)
	require.Equal(t, []string{
		"input s_axis_tdata 8", "input s_axis_tkeep 1", "input s_axis_tlast 1", "input s_axis_tvalid 1", "output s_axis_tready 1",
		"output m_axis_tdata 8", "output m_axis_tkeep 1", "output m_axis_tlast 1", "output m_axis_tvalid 1", "input m_axis_tready 1",
	}, portNames(d))
}

func TestRejectsWidth(t *testing.T) {
	for _, width := range []int{0, 12, -8} {
		_, err := hw.Elaborate(axis.Slice{Width: width})
		require.ErrorContains(t, err, "want a multiple of 8")
	}
}

// chain is two slices behind each other, joined with Connect.
type chain struct{ Width, ID, User int }

func (p chain) Build(m *hw.Module) axis.SlicePorts {
	t := axis.Type(p)
	io := axis.SlicePorts{In: t.Sink(m, "s_axis"), Out: t.Source(m, "m_axis")}
	first, second := hw.Inst(m, "first", axis.Slice(p)), hw.Inst(m, "second", axis.Slice(p))
	middle := t.Channel(m, "middle")
	first.In.Connect(io.In)
	middle.Connect(first.Out)
	second.In.Connect(middle)
	io.Out.Connect(second.Out)
	return io
}

// check sends random beats through a part with these ports.
func check(d *ir.Design, t axis.Type) error {
	fields := func(prefix string) []string {
		out := []string{prefix + "_tdata", prefix + "_tkeep", prefix + "_tlast"}
		if t.ID > 0 {
			out = append(out, prefix+"_tid")
		}
		if t.User > 0 {
			out = append(out, prefix+"_tuser")
		}
		return out
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
	for _, shape := range []axis.Type{{Width: 8}, {Width: 64, ID: 5}, {Width: 128, User: 3}, {Width: 512, ID: 8, User: 1}} {
		d, err := hw.Elaborate(axis.Slice(shape))
		require.NoError(t, err)
		require.NoError(t, check(d, shape), d.Top.Name)
		d, err = hw.Elaborate(chain(shape))
		require.NoError(t, err)
		require.NoError(t, check(d, shape), d.Top.Name)
	}
}

type keep struct{ N int }

type keepPorts struct{ Count, Keep hw.Bits }

func (p keep) Build(m *hw.Module) keepPorts {
	io := keepPorts{m.In("count", hw.CountWidth(p.N)), m.Out("keep", p.N)}
	io.Keep.Set(axis.Keep(io.Count, p.N))
	return io
}

func TestKeep(t *testing.T) {
	for _, n := range []int{1, 4, 64, 128} {
		d, err := hw.Elaborate(keep{n})
		require.NoError(t, err)
		b, err := bench.New(d, 1)
		require.NoError(t, err)
		for count := range n + 1 {
			b.Pin("count").Set(uint64(count))
			keep := b.Pin("keep").Words()
			for i := range n {
				require.Equal(t, i < count, keep[i/64]>>(i%64)&1 != 0, "bit %d for %d of %d", i, count, n)
			}
		}
	}
}

func TestFaultsAreCaught(t *testing.T) {
	p := axis.Type{Width: 16, ID: 2, User: 1}
	d, err := hw.Elaborate(axis.Slice(p))
	require.NoError(t, err)
	survivors, tried := bench.Survivors(d, func() error { return check(d, p) })
	require.Empty(t, survivors)
	require.Greater(t, tried, 8)
}
