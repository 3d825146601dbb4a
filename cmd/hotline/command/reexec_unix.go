//go:build unix

package command

import (
	"os"
	"syscall"
)

// replaceProcess replaces this process by a program with these arguments and this environment. It
// returns only on error.
func replaceProcess(program string, args, env []string) error {
	return syscall.Exec(program, append([]string{os.Args[0]}, args...), env)
}
