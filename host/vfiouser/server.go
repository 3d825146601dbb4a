//go:build linux

package vfiouser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
)

// Server shows a device to clients. It is the device's [Host].
type Server struct {
	// Messages lets all DMA go by messages, also where the client gives a file.
	Messages bool
	// Log, unless nil, gets a line when a client comes and goes.
	Log func(line string)

	saying  sync.Mutex
	device  Device
	vectors *vectors
	errors  *vectors
	current atomic.Pointer[session]

	// The lock is held while the configuration changes, so that a device that has
	// been allowed to do something is not too early.
	setting sync.RWMutex
	master  bool
}

var _ Host = (*Server)(nil)

// New makes a server that shows what device gives for the host behind it. The error
// is that of device.
func New(device func(Host) (Device, error)) (*Server, error) {
	s := &Server{errors: newVectors(1)}
	var err error
	if s.device, err = device(s); err != nil {
		return nil, err
	}
	s.vectors = newVectors(s.device.Vectors())
	s.configure(func() {})
	return s, nil
}

// Serve serves the clients that connect to a UNIX socket, one after the other, until
// the context ends; it makes the socket and removes it. What is wrong with a client
// is told to Log and ends its connection only. Errors: the socket cannot be made,
// for instance because the path exists; accepting fails.
func (s *Server) Serve(ctx context.Context, path string) error {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return fmt.Errorf("vfiouser: %w (a socket that a server before has left can be removed)", err)
	}
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	defer func() { _ = l.Close() }()
	s.say(fmt.Sprintf("listening on %s", path))
	for {
		unix, err := l.AcceptUnix()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("vfiouser: %w", err)
		}
		s.serve(ctx, unix)
	}
}

// serve serves a client until it goes.
func (s *Server) serve(ctx context.Context, unix *net.UnixConn) {
	c := &session{server: s, conn: &conn{unix: unix}, asked: map[uint16]*question{}}
	c.windows.files = map[fileKey]*sharedFile{}
	c.commands.more.L = &c.commands.mutex
	defer context.AfterFunc(ctx, func() { _ = unix.CloseRead() })()
	s.say("client connected")
	s.current.Store(c)
	err := c.serve()
	s.current.Store(nil)
	t := &c.conn.traffic
	s.say(fmt.Sprintf("client gone: %d messages and %d bytes from it, %d and %d to it", t.in.Load(), t.bytesIn.Load(), t.out.Load(), t.bytesOut.Load()))
	if err != nil && !errors.Is(err, os.ErrClosed) {
		s.say(err.Error())
	}
}

func (s *Server) say(line string) {
	s.saying.Lock()
	defer s.saying.Unlock()
	if s.Log != nil {
		s.Log(line)
	}
}

// Offset and bit of the command register of a function.
const (
	commandRegister = 4
	busMaster       = 1 << 2
)

// configure lets f change the configuration of the function, and finds out whether it
// may send requests.
func (s *Server) configure(f func()) {
	s.setting.Lock()
	defer s.setting.Unlock()
	f()
	var b [2]byte
	s.device.Config().Read(commandRegister, b[:])
	s.master = le.Uint16(b[:])&busMaster != 0
}

// mayRequest tells whether the function may send requests.
func (s *Server) mayRequest() bool {
	s.setting.RLock()
	defer s.setting.RUnlock()
	return s.master
}
