//go:build !unix

package external

import "syscall"

// apart returns nil: this system has no process groups.
func apart() *syscall.SysProcAttr { return nil }
