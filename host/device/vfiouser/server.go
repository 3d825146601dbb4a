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
	return s, nil
}

// Serve serves the clients that connect to a UNIX socket, one after the other, until
// the context ends; it makes the socket and removes it. A client that comes while
// another one is served is refused. A mistake of a client is logged and ends
// its connection only. Errors: the socket cannot be made, for instance because the path
// exists; accepting fails.
func (s *Server) Serve(ctx context.Context, path string) error {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return fmt.Errorf("vfiouser: %w (a socket that a server before has left can be removed)", err)
	}
	ctx, end := context.WithCancel(ctx)
	d := &door{server: s, listener: l, clients: make(chan *net.UnixConn), refusals: make(chan struct{}, maxRefusals)}
	d.open.Go(func() { d.accept(ctx, end) })
	s.say(fmt.Sprintf("listening on %s", path))
	for next := d.wait(ctx); next != nil; {
		if next = d.serve(ctx, next); next == nil {
			next = d.wait(ctx)
		}
	}
	end()
	_ = l.Close()
	d.open.Wait()
	return d.err
}

// session serves a client until it goes, and puts the device into the state in which
// the next one finds it.
func (s *Server) session(ctx context.Context, c *session) {
	defer context.AfterFunc(ctx, c.stop)()
	s.say("client connected")
	s.current.Store(c)
	err := c.serve()
	s.current.Store(nil)
	t := &c.conn.traffic
	s.say(fmt.Sprintf("client gone: %d messages and %d bytes from it, %d and %d to it", t.in.Load(), t.bytesIn.Load(), t.out.Load(), t.bytesOut.Load()))
	if err != nil && !errors.Is(err, os.ErrClosed) {
		s.say(err.Error())
	}
	if ctx.Err() == nil {
		s.device.Reset()
		s.vectors.forget()
	}
}

func (s *Server) say(line string) {
	s.saying.Lock()
	defer s.saying.Unlock()
	if s.Log != nil {
		s.Log(line)
	}
}
