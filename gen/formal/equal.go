package formal

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// patience is the processor time for proving two netlists equal, in seconds.
const patience = 60

// Equal reports whether ABC proves that two netlists of operations have the same behaviour at their
// ports. Netlist b is netlist a with modified logic: cells with state have the same names in both.
//
// Both start in the same arbitrary state, with a step of reset; the reset may be active again
// later. Memories are not part of the proof: their read data is arbitrary and the same in both.
// Their addresses, enables and write data must be the same. Output bits that are keys of valid must
// be equal only while the bit that they map to is 1. All these are bits of a.
//
// The result is false if the netlists differ, and also if ABC finds no proof in its time.
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
