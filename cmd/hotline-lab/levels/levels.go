// Package levels reports the instruction sets of generated models that this processor lacks, whose kernels therefore no test
// on it executes.
package levels

import (
	"errors"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// Report prints the levels that check refuses. It returns an error if one of names is among them.
func Report(names []string, check func(model.Level) error, out io.Writer) error {
	for _, l := range []model.Level{model.AVX2, model.AVX512} {
		if check(l) != nil {
			fmt.Fprintf(out, "NOT EXECUTED: kernels of level %s, which this processor lacks\n", l)
		}
	}
	var errs []error
	for _, name := range names {
		l, err := model.LevelNamed(name)
		if err == nil {
			err = check(l)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
