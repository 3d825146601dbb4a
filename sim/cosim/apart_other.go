//go:build !unix

package cosim

import "syscall"

// apart is not possible here.
func apart() *syscall.SysProcAttr { return nil }
