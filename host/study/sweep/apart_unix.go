//go:build unix

package sweep

import (
	"os/exec"
	"syscall"
)

// apart makes a program and what it starts a process group, which is terminated as a
// whole. A Ctrl-C of the terminal does not reach it.
func apart(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
}
