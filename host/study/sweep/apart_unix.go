//go:build unix

package sweep

import (
	"os/exec"
	"syscall"
)

// apart runs a program in a process group of its own, which is terminated as a whole. Ctrl-C in the
// terminal does not reach it.
func apart(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
}
