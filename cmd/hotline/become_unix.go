//go:build unix

package main

import (
	"os"
	"syscall"
)

// become replaces this process by a program with these arguments. It returns
// only with an error.
func become(program string, args []string) error {
	return syscall.Exec(program, append([]string{os.Args[0]}, args...), os.Environ())
}
