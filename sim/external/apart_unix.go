//go:build unix

package external

import "syscall"

// apart puts a child into its own process group. Signals from the terminal then reach only the
// parent, which decides how to react.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
