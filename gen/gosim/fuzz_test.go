package gosim_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
)

// FuzzRandomDesigns compares one random design with the interpreter. Designs that revealed an error
// are stored in testdata, because the generator of random designs may change.
func FuzzRandomDesigns(f *testing.F) {
	f.Add(uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64) {
		lockstep(t, map[string]*ir.Design{"random": random.Random(seed, random.Small)}, 200)
	})
}

// FuzzCopies compares a batch of instances of one random design with as many runs of the
// interpreter. Go's fuzzing treats an input that takes ten seconds as hanging, so there are fewer
// cycles than in other tests.
func FuzzCopies(f *testing.F) {
	f.Add(uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64) {
		copiesLockstep(t, map[string]*ir.Design{"random": random.Random(seed, random.Small)}, 64, 15)
	})
}
