package hwtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/hwtest"
)

// relay is a register of a stream. Its fields select rules of the handshake that it breaks.
type relay struct{ Impatient, Unstable, Dependent bool }

type relayPorts struct {
	Push hw.Stream[hw.Bits] `hw:"in,8"`
	Pop  hw.Stream[hw.Bits] `hw:"out,8"`
}

func (p relay) Build(m *hw.Module) relayPorts {
	io := hw.Ports[relayPorts](m)
	full, data, age := m.Reg("full", 1, 0), m.Reg("data", 8, 0), m.Reg("age", 2, 0)
	io.Push.Ready.Set(full.Not())
	valid := full
	io.Pop.Data.Set(data)
	age.Set(age.Inc())
	m.When(io.Push.Fire(), func() { full.Set(hw.Lit(1, 1)); data.Set(io.Push.Data); age.Set(hw.Lit(2, 0)) })
	m.When(full.And(io.Pop.Ready), func() { full.Set(hw.Lit(1, 0)) })
	late := full.And(age.Eq(hw.Lit(2, 3)))
	switch {
	case p.Impatient:
		m.When(late, func() { full.Set(hw.Lit(1, 0)) })
	case p.Unstable:
		m.When(late, func() { data.Set(data.Inc()) })
	case p.Dependent:
		valid = full.And(io.Pop.Ready)
		m.Unused(age)
	default:
		m.Unused(age)
	}
	io.Pop.Valid.Set(valid)
	return io
}

// bench sends a word. The receiver is not ready until it has seen six cycles. A bench without
// patience retracts the second word.
func (p relay) bench(patient bool) hwtest.Drive {
	return func(s sim.Simulator) error {
		tb := sim.Bind[relayPorts](s, p)
		for cycle := range uint64(16) {
			tb.Push.Valid.Poke(bit(cycle == 0 || cycle > 2 && (patient || cycle%2 == 0)))
			tb.Push.Data.Poke(7)
			tb.Pop.Ready.Poke(bit(cycle >= 6 && cycle < 8))
			if err := s.Step(); err != nil {
				return err
			}
		}
		return nil
	}
}

func bit(x bool) uint64 {
	if x {
		return 1
	}
	return 0
}

// TestHandshake: each broken rule of a stream is an error. After the bench has broken the rules, the
// design may change valid and data, but valid still must not depend on ready.
func TestHandshake(t *testing.T) {
	t.Setenv("HOTLINE_QUICK", "1")
	said := func(p relay, patient bool) []string {
		return failures(t, func(t testing.TB) { hwtest.Run(t, p, p.bench(patient)) })
	}
	require.Empty(t, said(relay{}, true))
	require.Empty(t, said(relay{}, false))
	require.Equal(t, []string{"cycle 6: pop_valid falls without a transfer; it must stay 1 until pop_ready is 1"}, said(relay{Impatient: true}, true))
	require.Equal(t, []string{"cycle 6: the data of pop_valid changes from [0x7] to [0x8] without a transfer; it must stay the same until pop_ready is 1"}, said(relay{Unstable: true}, true))
	require.Equal(t, []string{"cycle 2: pop_valid changes with pop_ready; valid must not depend on ready"}, said(relay{Dependent: true}, true))
	require.Equal(t, []string{"cycle 2: pop_valid changes with pop_ready; valid must not depend on ready"}, said(relay{Dependent: true}, false))
}
