package bench

import (
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Unreset removes the reset of each register of d in turn and puts the design
// through check, a test that runs d from the random state of a seed. It names
// the registers, by module, of which check does not notice it with any of so many
// seeds.
func Unreset(d *ir.Design, seeds uint64, check func(seed uint64) error) (unnoticed []string) {
	return UnresetOfEvery(1, d, seeds, check)
}

// UnresetOfEvery does the same with the first of each n registers.
func UnresetOfEvery(n int, d *ir.Design, seeds uint64, check func(seed uint64) error) (unnoticed []string) {
	d.Plain() // faults are of one value of a parameter
	registers := 0
	for _, m := range d.Modules {
		if m.Extern != nil {
			continue // its registers only stand in for foreign Verilog
		}
		m.Body.Walk(func(s *ir.Scope) {
			for _, g := range s.Signals {
				if !g.HasReset {
					continue
				}
				if registers++; (registers-1)%n != 0 {
					continue
				}
				g.HasReset = false
				if !objects(seeds, check) {
					unnoticed = append(unnoticed, fmt.Sprintf("%s.%s", m.Name, g.Name))
				}
				g.HasReset = true
			}
		})
	}
	return unnoticed
}

// objects tells whether check finds a mistake, or stops at one, with any seed.
func objects(seeds uint64, check func(seed uint64) error) (found bool) {
	defer func() {
		if recover() != nil {
			found = true
		}
	}()
	for seed := range seeds {
		if check(seed) != nil {
			return true
		}
	}
	return false
}

// Trial is a test whose failures are panics: for checks of broken designs that
// report to a test.
type Trial struct{ testing.TB }

// Errorf implements testing.TB.
func (Trial) Errorf(string, ...any) {}

// FailNow implements testing.TB.
func (Trial) FailNow() { panic("bench: a trial failed") }
