// Package campaign runs random tests of a design in parallel on all processors. Each seed uses its
// own instance in a batch engine. The results depend neither on the batch size nor on the number of
// processors. A single-instance engine can reproduce them.
package campaign

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// Player is the running test of one seed.
type Player interface {
	// Drive sets the inputs of the instance for a cycle.
	Drive(cycle int)
	// Check examines outputs before the clock edge.
	Check(cycle int) error
}

// Test defines what runs for each seed.
type Test struct {
	// Cycles is the number of cycles per seed, after one reset cycle.
	Cycles int
	// Begin returns the player of a seed. The state of the instance is random at that time, and its
	// inputs are zero.
	Begin func(c sim.Copy, seed uint64) Player
}

// Failure is the first error of a seed. Cycles are counted from the start of the seed, also in a
// failed assertion.
type Failure struct {
	Seed  uint64
	Cycle int
	Err   error
}

func (f *Failure) Error() string { return fmt.Sprintf("seed %d, cycle %d: %v", f.Seed, f.Cycle, f.Err) }

// Unwrap returns the underlying error.
func (f *Failure) Unwrap() error { return f.Err }

// Run runs n seeds starting at first. It calls make to obtain one engine per processor, as limited
// by GOMAXPROCS. The error is the Failure of the lowest failing seed; higher seeds may be skipped.
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

// seeds plays n seeds and returns the failure of the lowest failing seed.
func (t Test) seeds(m sim.Copies, first uint64, n int) *Failure {
	games := make([]*game, n)
	for i := range games {
		games[i] = t.begin(m.Copy(i), first+uint64(i))
	}
	_ = m.Step() // assertions do not count in the random initial state
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

// Repeat plays one seed in a single-instance engine. The error is a *Failure.
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

// game is the state of one seed, which is played until it fails.
type game struct {
	c      sim.Copy
	player Player
	seed   uint64
	failed *Failure
}

// begin overwrites everything that earlier seeds left in the instance.
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

// broke records a failed assertion and replaces the engine's cycle by the seed's cycle.
func (g *game) broke(cycle int, a sim.AssertionError) {
	a.Cycle = uint64(cycle)
	g.fail(cycle, &a)
}

func (g *game) fail(cycle int, err error) {
	if g.failed == nil {
		g.failed = &Failure{g.seed, cycle, err}
	}
}
