//go:build !unix

package external

import "syscall"

// apart is not possible here.
func apart() *syscall.SysProcAttr { return nil }
