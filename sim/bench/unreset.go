package bench

import (
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Unreset removes the reset of each register of d, one register at a time, and runs check. The
// function check tests d from the random state of a seed. Unreset returns the registers, as
// module.register, whose missing reset check does not detect with any of the given number of seeds.
func Unreset(d *ir.Design, seeds uint64, check func(seed uint64) error) (unnoticed []string) {
	return UnresetOfEvery(1, d, seeds, check)
}

// UnresetOfEvery works like Unreset, with the first of every n registers.
func UnresetOfEvery(n int, d *ir.Design, seeds uint64, check func(seed uint64) error) (unnoticed []string) {
	d.Plain() // a fault applies to one value of a parameter only
	registers := 0
	for _, m := range d.Modules {
		if m.Extern != nil {
			continue // its registers only model the external module
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

// objects reports whether check returns an error or panics with any seed.
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

// Trial is a testing.TB that panics on failure. It lets a check of a broken design use functions
// that report to a test.
type Trial struct{ testing.TB }

// Errorf implements testing.TB.
func (Trial) Errorf(string, ...any) {}

// FailNow implements testing.TB.
func (Trial) FailNow() { panic("bench: a trial failed") }
