package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Pair is a record in a record.
type Pair struct {
	Low  hw.Bits `hw:"4"`
	High hw.Bits `hw:"4"`
}

// Grouped has signals inside and outside of records.
type Grouped struct{}

type groupedPorts struct {
	Ask  hw.Stream[Pair]   `hw:"in" doc:"what the host asks"`
	Deep struct{ In Pair } `hw:"in"`
	Stop hw.Bits           `hw:"in"`
	Word hw.Bits           `hw:"in,8"`
	Sum  hw.Bits           `hw:"out,4"`
}

func (Grouped) Build(m *hw.Module) groupedPorts {
	io := hw.Ports[groupedPorts](m)
	var last hw.Bits
	m.Scope("rise", func() {
		kept := hw.Of[Pair](nil).Data(m, "kept")
		hw.Set(kept, io.Ask.Data)
		last = m.Reg("last", 4, 0)
		last.Set(kept.Low.Add(kept.High))
	})
	way := m.Channel("way", 4)
	way.Valid.Set(io.Ask.Valid)
	way.Data.Set(io.Deep.In.Low.Xor(io.Deep.In.High).Xor(last))
	way.Ready.Set(io.Stop.Not())
	io.Ask.Ready.Set(way.Ready)
	io.Sum.Set(hw.Mux(way.Fire(), way.Data, hw.Of[Pair](nil).Unpack(m, io.Word).Low))
	return io
}

// TestGroups: the signals of a record, a stream or a Scope form a group, named by the outermost of
// them. An unpacked word documents its layout.
func TestGroups(t *testing.T) {
	d, err := hw.Elaborate(Grouped{})
	require.NoError(t, err)
	groups := map[string]string{}
	d.Top.Body.Walk(func(s *ir.Scope) {
		for _, g := range s.Signals {
			groups[g.Name] = g.Group
		}
	})
	ask := "ask: what the host asks"
	require.Equal(t, map[string]string{
		"ask_valid": ask, "ask_ready": ask, "ask_low": ask, "ask_high": ask,
		"deep_in_low": "deep", "deep_in_high": "deep", "stop": "", "word": "", "sum": "",
		"rise_kept_low": "rise_kept", "rise_kept_high": "rise_kept", "rise_last": "rise",
		"way_valid": "way", "way_ready": "way", "way_data": "way",
	}, groups)
	require.Equal(t, "{low 4, high 4}", d.Top.Port("word").Doc)
	again, err := ir.Parse("grouped.ir", d.String())
	require.NoError(t, err)
	require.Equal(t, ir.Hash(d), ir.Hash(again))
}
