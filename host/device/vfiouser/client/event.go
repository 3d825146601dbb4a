//go:build linux

package client

import (
	"encoding/binary"
	"os"
	"syscall"
)

// Event is an eventfd.
type Event struct{ file *os.File }

// NewEvent makes an eventfd.
func NewEvent() (*Event, error) {
	fd, _, e := syscall.Syscall(syscall.SYS_EVENTFD2, 0, syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if e != 0 {
		return nil, e
	}
	return &Event{os.NewFile(fd, "eventfd")}, nil
}

// Count is how often it has fired since it was last asked.
func (v *Event) Count() uint64 {
	var b [8]byte
	if n, _ := syscall.Read(v.FD(), b[:]); n != len(b) {
		return 0
	}
	return binary.NativeEndian.Uint64(b[:])
}

// Listen gives a channel that gets a value each time that it is found fired. Nobody
// may ask for the count then.
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
			default: // nobody has noticed the one before
			}
		}
	}()
	return fired
}

// FD is the descriptor.
func (v *Event) FD() int { return FD(v.file) }

// Close closes it.
func (v *Event) Close() error { return v.file.Close() }
