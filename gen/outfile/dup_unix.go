//go:build unix

package outfile

import (
	"os"
	"syscall"
)

// duplicate opens a descriptor of this process once more, with the same position.
func duplicate(fd int, name string) (*os.File, error) {
	n, err := syscall.Dup(fd)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(n)
	return os.NewFile(uintptr(n), name), nil
}
