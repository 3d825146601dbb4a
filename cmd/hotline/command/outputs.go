package command

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// places reports, before a long run, files that could not be written at its end, and
// results that would replace each other. An empty path is no file.
func places(paths ...string) error {
	return outfile.Check(slices.DeleteFunc(paths, func(path string) bool { return path == "" })...)
}

// outputCode returns the exit code of an error about a file that cannot be written: the
// user's to mend if another path or permission would do, otherwise the system's.
func outputCode(e *outfile.Error) int {
	if e.Place() {
		return exitUsage
	}
	return exitOther
}
