package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// lanes echoes its inputs: a stream of two lanes, a response one cycle after the request, and
// control.
type lanes struct{ Wrong string }

func (p lanes) Build(m *hw.Module) struct{} {
	wrong := func(name string, on hw.Bits, x hw.Bits) hw.Bits {
		if p.Wrong == name {
			return hw.Mux(on, x.Not(), x)
		}
		return x
	}
	valid, data, ask := m.In("in_valid", 2), m.In("in_data", 6), m.In("ask", 1)
	m.Out("out_valid", 2).Set(valid)
	m.Out("out_data", 6).Set(hw.Cat(wrong("invalid", valid.Bit(1).Not(), data.Slice(5, 3)), wrong("valid", valid.Bit(0), data.Trunc(3))))
	late := m.Data("late", 1)
	late.Set(ask)
	m.Out("answer", 6).Set(wrong("unasked", late.Not(), wrong("asked", late, data)))
	m.Out("level", 6).Set(wrong("control", ask, data))
	m.Out("quiet", 6).Set(wrong("off", ask, wrong("on", ask.Not(), data)))
	return struct{}{}
}

func TestPayload(t *testing.T) {
	for wrong, path := range map[string]string{"": "", "invalid": "", "unasked": "", "valid": "out_data", "asked": "answer", "control": "level", "off": "", "on": "quiet"} {
		var engines [2]sim.Batch
		var d [2]*ir.Design
		for i, p := range []lanes{{}, {wrong}} {
			var err error
			d[i], err = hw.Elaborate(p)
			require.NoError(t, err)
			s, err := interp.New(d[i])
			require.NoError(t, err)
			engines[i] = sim.NewBlocks(s)
		}
		rules := sim.StreamPayload(engines[0].Ports(), sim.Payload{"answer": sim.Delayed("ask", 1), "quiet": sim.Unless("ask")})
		require.Equal(t, sim.Payload{"out_data": "out_valid", "answer": "'ask", "quiet": "!ask"}, rules)
		report, err := sim.Verification{Design: d[0], A: sim.NamedBatch{Name: "right", Batch: engines[0]}, B: sim.NamedBatch{Name: "wrong", Batch: engines[1]},
			Stimulus: sim.Random(sim.NewFormat(engines[0].Ports()), 1), Cycles: 500, Payload: rules}.Run()
		require.NoError(t, err)
		if path == "" {
			require.Nil(t, report.First, wrong)
			continue
		}
		require.NotNil(t, report.First, wrong)
		require.Equal(t, path, report.First.Path)
		require.Positive(t, report.First.Cycle, "nothing counts before the reset")
	}
}
