package top

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// TestStrapsHold clears a strap while commands run, in many different cycles. Nothing may begin
// while it is cleared, and nothing may be lost.
func TestStrapsHold(t *testing.T) {
	for _, strap := range []string{"cfg_bus_master_enable", "link_up"} {
		s := recovering(t)
		begun := 0
		s.target.Fault = func(dma.Descriptor) dma.Fault {
			begun++
			return dma.Fault{}
		}
		list := []arch.Command{readRow(1), load, writeRow(0), readRow(2), load, writeRow(1), fence}
		for moment := range 60 {
			s.queue(t, list...)
			for range 5 * moment {
				require.NoError(t, s.cycle())
			}
			s.pins[strap].SetBool(false)
			for range 120 { // offered descriptors are accepted, outstanding ones end
				require.NoError(t, s.cycle())
			}
			held := begun
			require.False(t, s.pins["irq_req"].Bool())
			for range 300 {
				require.NoError(t, s.cycle())
				require.False(t, s.pins["irq_req"].Bool())
			}
			require.Equal(t, held, begun, "%s, moment %d", strap, moment)
			require.True(t, s.target.Idle())
			s.pins[strap].SetBool(true)
			statuses, err := s.statuses(len(list))
			require.NoError(t, err)
			require.Equal(t, make([]arch.Status, len(list)), statuses)
			s.expectRow(t, 1, 0)
			s.expectRow(t, 2, 1)
		}
		s.acknowledge = never
		require.Equal(t, []arch.Status{0}, s.all(t, fence))
		for _, on := range []bool{true, false, true} {
			s.pins[strap].SetBool(on)
			require.NoError(t, s.cycle())
			require.Equal(t, on, s.pins["irq_req"].Bool(), "a request waits, too")
		}
	}
}

// TestFLR applies a function-level reset in many cycles of a busy phase. The state must be the
// state after power-up, regardless of outstanding transfers, and the bus must be free.
func TestFLR(t *testing.T) {
	fresh, err := newSystem(recovering(t).design, sizes[0].Params, 1)
	require.NoError(t, err)
	fresh.awaitReady(t)
	want := fresh.csrs(t)
	for moment := range 40 {
		s := recovering(t)
		s.queue(t, readRow(1), load, writeRow(0), readRow(2), load, writeRow(1), fence)
		s.aw.Send(0, []uint64{arch.CSRSQTail, 0}) // its data never arrives
		for range 7 * moment {
			require.NoError(t, s.cycle())
		}
		s = s.flr(t)
		require.False(t, s.pins["irq_req"].Bool())
		s.awaitReady(t)
		require.Equal(t, want, s.csrs(t))
		require.NoError(t, s.ready())
		s.setUp(t)
		require.Equal(t, []arch.Status{0, 0, 0}, s.all(t, readRow(2), load, writeRow(1)))
		s.expectRow(t, 2, 1)
	}
}

// flr applies a function-level reset. The boundary also forgets all transfers.
func (s *system) flr(t *testing.T) *system {
	for _, port := range s.Sim.Ports() {
		if port.Input {
			s.pins[port.Name].Set(0)
		}
	}
	s.pins["cfg_flr"].SetBool(true)
	require.NoError(t, s.Sim.Step())
	s.pins["cfg_flr"].SetBool(false)
	return around(&bench.Bench{Sim: s.Sim, Rand: s.Rand}, s.design, s.p, 1)
}
