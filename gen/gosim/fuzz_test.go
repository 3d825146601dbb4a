package gosim_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/irgen"
)

// FuzzRandomDesigns runs one random design against the interpreter; seeds that
// found something are kept here.
func FuzzRandomDesigns(f *testing.F) {
	for _, seed := range []uint64{
		150, // words of a memory of which only some are used
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		lockstep(t, map[string]*ir.Design{"random": irgen.Random(seed, irgen.Small)}, 200)
	})
}
