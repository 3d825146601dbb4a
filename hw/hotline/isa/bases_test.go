package isa

import (
	"errors"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// checkBases omits one word of the two ring bases. No command may be read until it is written, and
// the status must report the reason.
func checkBases(d *ir.Design, p arch.Params, seed uint64) error {
	words := []uint64{arch.CSRSQBaseLo, arch.CSRSQBaseHi, arch.CSRCQBaseLo, arch.CSRCQBaseHi}
	for _, last := range words {
		r, err := newHarness(d, p, seed)
		if err != nil {
			return err
		}
		m := r.model
		m.Commands, m.Completions, m.Enable = Ring{Log2: 3}, Ring{Log2: 3}, true
		r.ring = make([]byte, arch.CommandBytes<<3)
		errs := []error{r.write(arch.CSRSQLog2, 3), r.write(arch.CSRCQLog2, 3), r.write(arch.CSRControl, 1)}
		for _, word := range words {
			if word != last {
				errs = append(errs, r.write(word, 0))
			}
		}
		errs = append(errs, r.access(last, 0, 0x7, false), r.expectRead(arch.CSRStatus, 0)) // a refused write has no effect
		_, err = r.submit(3)
		errs = append(errs, err)
		for range 100 {
			errs = append(errs, r.cycle())
		}
		errs = append(errs, r.expectRead(arch.CSRStatus, 1<<arch.StatusNoRingsBit))
		m.RingsGiven = true
		errs = append(errs, r.write(last, 0))
		for range 600 {
			errs = append(errs, r.cycle())
		}
		if err := errors.Join(append(errs, r.finish())...); err != nil {
			return err
		}
	}
	return nil
}
