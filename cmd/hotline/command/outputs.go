package command

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// places reports, before a long run, output files that cannot be written, and results that would
// overwrite each other. Empty paths are ignored.
func places(paths ...string) error {
	return outfile.Check(slices.DeleteFunc(paths, func(path string) bool { return path == "" })...)
}

// outputCode returns the exit code of an error about a file that cannot be written. It is a usage
// error if another path or permission would help, and otherwise a system error.
func outputCode(e *outfile.Error) int {
	if e.Place() {
		return exitUsage
	}
	return exitOther
}
