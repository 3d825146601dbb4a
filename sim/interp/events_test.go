package interp_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/random"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// TestEvents compares ports, registers and memories of the interpreter with an interpreter that
// evaluates everything in every cycle.
func TestEvents(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			d := random.Random(seed, random.Options{Size: 6, Levels: 2})
			a, err := interp.New(d)
			require.NoError(t, err)
			b, err := interp.New(d)
			require.NoError(t, err)
			require.NoError(t, simtest.Run(&both{a, b}, seed, 150, func() error { return same(a, b) }))
			require.Less(t, a.Evaluated(), b.Evaluated())
		})
	}
}

// both drives two interpreters; the second evaluates everything every time.
type both struct {
	*interp.Sim
	naive *interp.Sim
}

func (s *both) Set(port int, value []uint64) { s.Sim.Set(port, value); s.naive.Set(port, value) }
func (s *both) SetReset(on bool)             { s.Sim.SetReset(on); s.naive.SetReset(on) }
func (s *both) Step() error {
	s.naive.EvaluateAll()
	if err := s.naive.Step(); err != nil {
		return err
	}
	s.naive.EvaluateAll()
	return s.Sim.Step()
}

func same(a, b *interp.Sim) error {
	for i, p := range a.Ports() {
		x, y := sim.Find(a, p.Name).Words(), sim.Find(b, p.Name).Words()
		if fmt.Sprint(x) != fmt.Sprint(y) {
			return fmt.Errorf("cycle %d, port %d %s: %x, naively %x", a.Cycle(), i, p.Name, x, y)
		}
	}
	for _, st := range a.State() {
		for k := range max(1, st.Depth) {
			x, y := read(a, st, k), read(b, st, k)
			if fmt.Sprint(x) != fmt.Sprint(y) {
				return fmt.Errorf("cycle %d, %s[%d]: %x, naively %x", a.Cycle(), st.Path, k, x, y)
			}
		}
	}
	return nil
}

func read(s *interp.Sim, st sim.State, k int) []uint64 {
	if st.Depth == 0 {
		x, _ := s.Peek(st.Path)
		return x
	}
	x, _ := s.PeekMem(st.Path, k)
	return x
}
