//go:build !unix

package outfile

import (
	"errors"
	"os"
)

// duplicate returns an error; it is needed only on systems with /proc.
func duplicate(int, string) (*os.File, error) { return nil, errors.ErrUnsupported }
