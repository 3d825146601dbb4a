package sim

import (
	"fmt"
	"math/bits"
	"slices"
)

// Copies is an engine that runs copies of a design side by side, each with inputs and state
// of its own.
type Copies interface {
	// Copies is how many there are.
	Copies() int
	// Copy is one of them.
	Copy(i int) Copy
	// Step is a clock edge for all. The error is Failures.
	Step() error
	// Cycle is the number of clock edges so far.
	Cycle() uint64
}

// Copy is a copy of a design within an engine: a Simulator that others move on.
type Copy interface {
	Writable
	Ports() []Port
	Set(port int, value []uint64)
	Get(port int, value []uint64)
	SetReset(on bool)
	Read(i, word int) []uint64
}

// Failure is a failed assertion of a copy of a design.
type Failure struct {
	Copy int
	AssertionError
}

// Failures are the first failed assertion of each copy that broke one, in the order of copies.
type Failures []Failure

func (f Failures) Error() string {
	text := fmt.Sprintf("copy %d: %v", f[0].Copy, &f[0].AssertionError)
	switch n := len(f) - 1; n {
	case 0:
		return text
	case 1:
		return text + " (and another copy)"
	default:
		return text + fmt.Sprintf(" (and %d other copies)", n)
	}
}

// Add is the failures with those of an assertion that the copies break whose bits are set in failed.
func (f Failures) Add(failed uint64, a *AssertionError, cycle uint64) Failures {
	for m := failed; m != 0; m &= m - 1 {
		x := Failure{bits.TrailingZeros64(m), *a}
		x.Cycle = cycle
		f = f.with(x)
	}
	return f
}

// Join is the failures with those of copies that have none yet of some that come later.
func (f Failures) Join(later Failures) Failures {
	for _, x := range later {
		f = f.with(x)
	}
	return f
}

// with is the failures with x, if its copy has none yet.
func (f Failures) with(x Failure) Failures {
	i, met := slices.BinarySearchFunc(f, x.Copy, func(y Failure, n int) int { return y.Copy - n })
	if met {
		return f
	}
	return slices.Insert(f, i, x)
}

// StatesOfCopy are the states of a copy, of those of all: each n times, by copy.
func StatesOfCopy(all []State, n int) []State {
	out := make([]State, len(all)/n)
	for i := range out {
		out[i] = all[i*n]
		out[i].Path = out[i].Path[len(PathOfCopy(0, "")):]
	}
	return out
}

// PathOfCopy is a path within copy i.
func PathOfCopy(i int, path string) string { return fmt.Sprintf("copy[%d].%s", i, path) }
