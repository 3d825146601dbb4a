package command

import (
	"errors"

	"github.com/hotline-rtl/hotline/internal/outfile"
)

// places reports, before a long run, files that could not be written at its end. An empty
// path is no file.
func places(paths ...string) error {
	var errs []error
	for _, path := range paths {
		if path != "" {
			errs = append(errs, outfile.Check(path))
		}
	}
	return errors.Join(errs...)
}

// outputCode returns the exit code of an error about a file that cannot be written: the
// user's to mend if another path or permission would do, otherwise the system's.
func outputCode(e *outfile.Error) int {
	if e.Place() {
		return exitUsage
	}
	return exitOther
}
