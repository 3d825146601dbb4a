//go:build linux

package client

import (
	"encoding/binary"
	"os"
	"syscall"
)

// Event is an eventfd.
type Event struct{ file *os.File }

// NewEvent creates an eventfd.
func NewEvent() (*Event, error) {
	fd, _, e := syscall.Syscall(syscall.SYS_EVENTFD2, 0, syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if e != 0 {
		return nil, e
	}
	return &Event{os.NewFile(fd, "eventfd")}, nil
}

// Count returns the number of events since the last call, and resets it.
func (v *Event) Count() uint64 {
	var b [8]byte
	if n, _ := syscall.Read(v.FD(), b[:]); n != len(b) {
		return 0
	}
	return binary.NativeEndian.Uint64(b[:])
}

// Listen returns a channel that receives a value when the eventfd has fired. Count must not be used
// afterwards.
func (v *Event) Listen() <-chan struct{} {
	fired := make(chan struct{}, 1)
	go func() {
		var b [8]byte
		for {
			if _, err := v.file.Read(b[:]); err != nil {
				return
			}
			select {
			case fired <- struct{}{}:
			default: // the previous value was not received yet
			}
		}
	}()
	return fired
}

// FD returns the file descriptor.
func (v *Event) FD() int { return FD(v.file) }

// Close closes the file descriptor.
func (v *Event) Close() error { return v.file.Close() }
