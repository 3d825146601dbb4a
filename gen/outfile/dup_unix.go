//go:build unix

package outfile

import (
	"os"
	"syscall"
)

// duplicate duplicates a descriptor of this process. Both share the file position.
func duplicate(fd int, name string) (*os.File, error) {
	n, err := syscall.Dup(fd)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(n)
	return os.NewFile(uintptr(n), name), nil
}
