//go:build linux

package client

import (
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// memfdCreate is the number of a system call that package syscall does not define.
var memfdCreate = map[string]uintptr{"amd64": 319, "arm64": 279}

// NewMemory creates a file of n bytes in memory.
func NewMemory(n int) (*os.File, error) {
	b, err := syscall.BytePtrFromString("memory")
	if err != nil {
		return nil, err
	}
	const closeOnExec = 1
	fd, _, e := syscall.Syscall(memfdCreate[runtime.GOARCH], uintptr(unsafe.Pointer(b)), closeOnExec, 0)
	if e != 0 {
		return nil, e
	}
	f := os.NewFile(fd, "memory")
	if err := f.Truncate(int64(n)); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// FD returns the descriptor of a file. Unlike [os.File.Fd] it does not make the file blocking.
func FD(f *os.File) (n int) {
	raw, err := f.SyscallConn()
	if err != nil {
		return -1
	}
	_ = raw.Control(func(fd uintptr) { n = int(fd) })
	return n
}
