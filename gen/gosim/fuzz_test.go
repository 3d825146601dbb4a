package gosim_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
)

// FuzzRandomDesigns runs one random design against the interpreter. Designs that
// found something are kept in testdata, since the generator may change.
func FuzzRandomDesigns(f *testing.F) {
	f.Add(uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64) {
		lockstep(t, map[string]*ir.Design{"random": random.Random(seed, random.Small)}, 200)
	})
}

// FuzzCopies runs copies of one random design against as many runs of the interpreter. Go's fuzzing takes
// an input of ten seconds for one that hangs, so that there are fewer cycles than elsewhere.
func FuzzCopies(f *testing.F) {
	f.Add(uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64) {
		copiesLockstep(t, map[string]*ir.Design{"random": random.Random(seed, random.Small)}, 64, 15)
	})
}
