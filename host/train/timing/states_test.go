package timing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

// TestStates: time and bytes grow with the states of the optimiser. A row of rm2 has 16 values.
func TestStates(t *testing.T) {
	for _, c := range []struct {
		optimiser    dlrm.Optimiser
		tables, row  int     // arrays; bytes of a row with its states
		dense, moved float64 // values per dense parameter and per value of a row in an update on a GPU
	}{
		{dlrm.SGD, 1, 64, 3, 3},
		{dlrm.Momentum, 2, 128, 8, 8},
		{dlrm.Adagrad, 2, 128, 11, 11},
		{dlrm.RowwiseAdagrad, 2, 68, 11, 8 + 9.0/16},
		{dlrm.Adam, 3, 192, 18, 18},
	} {
		p := timingtest.Plan(t, "hotline-2024-a", "rm2", 1)
		p.Model.Optimiser = c.optimiser
		var s *timing.Schedule
		_, err := timing.Time(func(got *timing.Schedule, _ []timing.Work) { s = got }, p, nil)
		require.NoError(t, err)
		require.Equal(t, []int{c.tables, c.row}, []int{s.Tables(), s.StoredBytes()}, c.optimiser.Rule)
		require.Equal(t, timing.Bytes{Most: 10 * c.row, All: 10 * c.row, Data: 640}, s.WithStates(s.Rows(10)))
		require.Equal(t, 100*des.Microsecond*des.Time(c.row-64)/64, s.States(100*des.Microsecond))

		values := s.DenseBytes() / 4
		require.InEpsilon(t, timingtest.Elementwise(0, 4*c.dense*float64(values)), 1e3*s.Optimiser()[0].Kernels.Seconds(), 1e-3, c.optimiser.Rule)
		require.InEpsilon(t, timingtest.Elementwise(0, 4*c.moved*16000), 1e3*s.RowUpdate(1000)[0].Kernels.Seconds(), 1e-3, c.optimiser.Rule)
		extra := 0.0
		for _, op := range s.RowStates(1000, 1) {
			extra += 1e3 * op.Kernels.Seconds()
		}
		require.InDelta(t, timingtest.Elementwise(0, 4*(c.moved-3)*16000), extra, 1e-6, c.optimiser.Rule)
		require.GreaterOrEqual(t, c.moved, 3+2*float64(c.row-64)/64, "reads and writes each state")

		decaying := p.Model.Optimiser
		decaying.WeightDecay = 0.1
		s.Model.Optimiser = decaying
		require.Equal(t, "weight decay", s.Optimiser()[0].Label)
	}
}

// TestStatesOfColdRows: Hotline's CPU updates the states of cold rows, and no states with SGD.
func TestStatesOfColdRows(t *testing.T) {
	work := timing.Work{Inputs: 1024, Popular: 500, ColdRows: 1000, Listed: 1000, Own: hotline.Work{Classify: 9, Gather: 9, Update: 9}}
	for optimiser, bytes := range map[dlrm.Optimiser]int64{dlrm.SGD: 0, dlrm.Adagrad: 2 * 64, dlrm.RowwiseAdagrad: 2 * 4, dlrm.Adam: 2 * 128} {
		p := timingtest.Plan(t, "hotline-2024-a", "rm2", 1)
		p.Model.Optimiser = optimiser
		_, line, err := timing.Trace(hotline.Order, p, []timing.Work{work}, timingtest.All)
		require.NoError(t, err)
		total := int64(0)
		for _, e := range line.Events() {
			if e.Label == "states of cold rows" {
				total += e.Bytes
			}
		}
		require.Equal(t, 1000*bytes, total, optimiser.Rule)
	}
}
