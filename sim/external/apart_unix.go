//go:build unix

package external

import "syscall"

// apart keeps a child from the terminal's signals, which are for its parent to
// decide on.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
