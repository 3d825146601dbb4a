//go:build !unix

package command

import "errors"

// replaceProcess returns errors.ErrUnsupported, because the system does not support it.
func replaceProcess(string, []string, []string) error { return errors.ErrUnsupported }
