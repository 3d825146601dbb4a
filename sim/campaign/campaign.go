// Package campaign runs random tests of a design side by side: each seed in a copy of its
// own of an engine of copies, on all processors. What it finds depends on neither the number of
// copies nor that of processors, and can be repeated with a single engine.
package campaign

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// Player is a test in progress, of one seed.
type Player interface {
	// Drive gives the copy its inputs in a cycle.
	Drive(cycle int)
	// Check looks at outputs before the clock edge.
	Check(cycle int) error
}

// Test is what happens with each seed.
type Test struct {
	// Cycles are those of a seed, after one of reset.
	Cycles int
	// Begin makes the player of a seed; the state of the copy is random, its inputs are zero.
	Begin func(c sim.Copy, seed uint64) Player
}

// Failure is the first thing that went wrong with a seed. Cycles are those of the seed, also
// in a failed assertion.
type Failure struct {
	Seed  uint64
	Cycle int
	Err   error
}

func (f *Failure) Error() string { return fmt.Sprintf("seed %d, cycle %d: %v", f.Seed, f.Cycle, f.Err) }

// Unwrap is what went wrong.
func (f *Failure) Unwrap() error { return f.Err }

// Run gives n seeds from first on to engines, of which make makes one for each processor
// that Go may use. The error is the Failure of the lowest seed that has one; seeds above it
// may be left out.
func Run(t Test, make func() sim.Copies, first, n uint64) error {
	copies := uint64(make().Copies())
	return Each(int((n+copies-1)/copies), func() func(int) error {
		m := make()
		return func(episode int) error {
			begun := uint64(episode) * copies
			if f := t.seeds(m, first+begun, int(min(copies, n-begun))); f != nil {
				return f
			}
			return nil
		}
	})
}

// seeds plays n seeds and gives the failure of the lowest.
func (t Test) seeds(m sim.Copies, first uint64, n int) *Failure {
	games := make([]*game, n)
	for i := range games {
		games[i] = t.begin(m.Copy(i), first+uint64(i))
	}
	_ = m.Step() // of what random state breaks, nothing counts
	for cycle := range t.Cycles {
		for _, g := range games {
			g.drive(cycle)
		}
		for _, g := range games {
			g.check(cycle)
		}
		if broken, ok := m.Step().(sim.Failures); ok {
			for _, x := range broken {
				if x.Copy < n {
					games[x.Copy].broke(cycle, x.AssertionError)
				}
			}
		}
	}
	for _, g := range games {
		if g.failed != nil {
			return g.failed
		}
	}
	return nil
}

// Repeat plays one seed in an engine of one design. The error is its Failure.
func Repeat(t Test, s sim.Simulator, seed uint64) error {
	c, ok := s.(sim.Copy)
	if !ok {
		return fmt.Errorf("campaign: the state of the engine cannot be set")
	}
	g := t.begin(c, seed)
	_ = s.Step()
	for cycle := range t.Cycles {
		g.drive(cycle)
		g.check(cycle)
		err := s.Step()
		if broken := (*sim.AssertionError)(nil); errors.As(err, &broken) {
			g.broke(cycle, *broken)
		} else if err != nil {
			g.fail(cycle, err)
		}
	}
	if g.failed == nil {
		return nil
	}
	return g.failed
}

// game is a seed that is played until it fails.
type game struct {
	c      sim.Copy
	player Player
	seed   uint64
	failed *Failure
}

// begin leaves nothing of what the engine did before.
func (t Test) begin(c sim.Copy, seed uint64) *game {
	sim.PowerUp(c, seed)
	for i, p := range c.Ports() {
		if p.Input {
			c.Set(i, make([]uint64, ir.Words(p.Type.Bits())))
		}
	}
	c.SetReset(true)
	return &game{c: c, player: t.Begin(c, seed), seed: seed}
}

func (g *game) drive(cycle int) {
	if cycle == 0 {
		g.c.SetReset(false)
	}
	if g.failed == nil {
		g.player.Drive(cycle)
	}
}

func (g *game) check(cycle int) {
	if g.failed != nil {
		return
	}
	if err := g.player.Check(cycle); err != nil {
		g.fail(cycle, err)
	}
}

// broke notes an assertion, whose cycle is the engine's.
func (g *game) broke(cycle int, a sim.AssertionError) {
	a.Cycle = uint64(cycle)
	g.fail(cycle, &a)
}

func (g *game) fail(cycle int, err error) {
	if g.failed == nil {
		g.failed = &Failure{g.seed, cycle, err}
	}
}
