package formal

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// patience is the processor time that ABC gets to prove two netlists equal, in seconds.
const patience = 60

// Equal reports whether ABC proves that nobody can tell two netlists of operations apart at the ports.
// Netlist b is a with changed logic: cells with state have the same names in both.
//
// Both begin in the same state, which may be any, with a step of reset; the reset may come again
// later. Memories are not part of the proof: what they read is anything, the same in both, and
// whatever they are asked and told has to be the same. Output bits in valid count only while the
// bit that they map to is 1. All these are bits of a.
//
// The answer is false if they differ, and also if ABC finds no proof in its time.
func Equal(a, b *eda.Module, top *ir.Module, valid map[eda.Bit]eda.Bit) (bool, error) {
	dir, err := os.MkdirTemp("", "formal")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	both := &eda.Netlist{Modules: map[string]*eda.Module{"both": newMiter(a, b, top, valid)}}
	if err := both.Write(filepath.Join(dir, "both.json")); err != nil {
		return false, err
	}
	n, err := gates(dir, "read_json both.json\nhierarchy -top both\n", "both")
	if err != nil {
		return false, err
	}
	c, err := newCircuit(n, top)
	if err != nil {
		return false, err
	}
	_, failure, err := solve(dir, c, patience)
	if errors.Is(err, eda.ErrOutOfTime) || errors.Is(err, errUndecided) {
		return false, nil
	}
	return err == nil && failure == nil, err
}
