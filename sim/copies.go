package sim

import (
	"fmt"
	"math/bits"
	"slices"
)

// Copies is an engine that runs a batch of instances of one design. Each instance has its own
// inputs and state.
type Copies interface {
	// Copies returns the number of instances.
	Copies() int
	// Copy returns instance i.
	Copy(i int) Copy
	// Step applies a clock edge to every instance. If assertions failed, the error is a Failures.
	Step() error
	// Cycle returns the number of clock edges so far.
	Cycle() uint64
}

// Copy is one instance in a batch. It offers the methods of a Simulator except Step, which belongs
// to the batch.
type Copy interface {
	Writable
	Ports() []Port
	Set(port int, value []uint64)
	Get(port int, value []uint64)
	SetReset(on bool)
	Read(i, word int) []uint64
}

// Failure is a failed assertion in one instance.
type Failure struct {
	Copy int
	AssertionError
}

// Failures lists the first failed assertion of each failing instance, in ascending order of
// instances.
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

// Add returns f plus a failure of assertion a in every instance whose bit in failed is set. An
// instance keeps its first failure.
func (f Failures) Add(failed uint64, a *AssertionError, cycle uint64) Failures {
	for m := failed; m != 0; m &= m - 1 {
		x := Failure{bits.TrailingZeros64(m), *a}
		x.Cycle = cycle
		f = f.with(x)
	}
	return f
}

// Join returns f plus the failures in later of instances that have no failure in f.
func (f Failures) Join(later Failures) Failures {
	for _, x := range later {
		f = f.with(x)
	}
	return f
}

// with returns f plus x, unless f already has a failure of that instance.
func (f Failures) with(x Failure) Failures {
	i, met := slices.BinarySearchFunc(f, x.Copy, func(y Failure, n int) int { return y.Copy - n })
	if met {
		return f
	}
	return slices.Insert(f, i, x)
}

// StatesOfCopy returns the states of one instance. The list all contains each state n times, once
// per instance in ascending order.
func StatesOfCopy(all []State, n int) []State {
	out := make([]State, len(all)/n)
	for i := range out {
		out[i] = all[i*n]
		out[i].Path = out[i].Path[len(PathOfCopy(0, "")):]
	}
	return out
}

// PathOfCopy returns the path of a state within instance i.
func PathOfCopy(i int, path string) string { return fmt.Sprintf("copy[%d].%s", i, path) }
