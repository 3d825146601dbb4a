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
	"syscall"
)

// Server presents a device to clients. It is the device's [Host].
type Server struct {
	// Messages makes all DMA use messages, even if the client passes a file.
	Messages bool
	// Log, unless nil, receives a line when a client connects or disconnects.
	Log func(line string)

	saying  sync.Mutex
	device  Device
	vectors *vectors
	errors  *vectors
	current atomic.Pointer[session]
}

var _ Host = (*Server)(nil)

// New returns a server for the device that the function device creates. device receives the
// device's host. New returns the error of device.
func New(device func(Host) (Device, error)) (*Server, error) {
	s := &Server{errors: newVectors(1)}
	var err error
	if s.device, err = device(s); err != nil {
		return nil, err
	}
	s.vectors = newVectors(s.device.Vectors())
	return s, nil
}

// Serve serves the clients of a UNIX socket, one at a time, until the context ends. It creates and
// removes the socket. A client that connects while another client is served is rejected. A protocol
// violation by a client is logged and ends only its connection. Serve returns an error if the
// socket cannot be created, for example because the path exists, or if accepting fails.
func (s *Server) Serve(ctx context.Context, path string) error {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("vfiouser: %w; if no server uses the socket, remove it", err)
	}
	if err != nil {
		return fmt.Errorf("vfiouser: %w", err)
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

// session serves a client until it disconnects, and then resets the device for the next client.
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
