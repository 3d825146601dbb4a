//go:build !unix

package outfile

import (
	"errors"
	"os"
)

// duplicate is for systems with /proc.
func duplicate(int, string) (*os.File, error) { return nil, errors.ErrUnsupported }
