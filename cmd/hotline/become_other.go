//go:build !unix

package main

import "errors"

// become is not possible here.
func become(string, []string, []string) error { return errors.ErrUnsupported }
