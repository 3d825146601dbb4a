//go:build !unix

package command

import "errors"

// replaceProcess fails: the system cannot do it.
func replaceProcess(string, []string, []string) error { return errors.ErrUnsupported }
