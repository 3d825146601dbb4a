//go:build linux

package vfiouser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"
)

// door lets clients in, one at a time.
type door struct {
	server   *Server
	listener *net.UnixListener
	clients  chan *net.UnixConn // connected, and not yet served
	open     sync.WaitGroup     // goroutines that have something open
	refusals chan struct{}      // has a value for each client that is being refused
	err      error              // of accepting
}

// noDescriptors is how long to wait for a descriptor to become free: a client that has
// passed as many as the process may have must not end the server.
const noDescriptors = 10 * time.Millisecond

// accept accepts clients until the context ends, which an error lets it do.
func (d *door) accept(ctx context.Context, end func()) {
	defer end()
	defer context.AfterFunc(ctx, func() { _ = d.listener.Close() })()
	for {
		unix, err := d.listener.AcceptUnix()
		switch {
		case ctx.Err() != nil && err != nil:
			return
		case errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE):
			time.Sleep(noDescriptors)
			continue
		case err != nil:
			d.err = fmt.Errorf("vfiouser: %w", err)
			return
		}
		select {
		case d.clients <- unix:
		case <-ctx.Done():
			_ = unix.Close()
		}
	}
}

// wait waits for a client; nil if the context ends.
func (d *door) wait(ctx context.Context) *net.UnixConn {
	select {
	case unix := <-d.clients:
		return unix
	case <-ctx.Done():
		return nil
	}
}

// serve serves a client until it goes. Others are refused meanwhile, but the first one
// that comes when the client has hung up waits for its turn and is returned.
func (d *door) serve(ctx context.Context, unix *net.UnixConn) (next *net.UnixConn) {
	c := newSession(d.server, &conn{unix: unix})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		d.server.session(ctx, c)
	}()
	for {
		select {
		case <-ended:
			return nil
		case other := <-d.clients:
			if c.conn.hungUp() {
				<-ended
				return other
			}
			select {
			case d.refusals <- struct{}{}:
				d.open.Go(func() { d.refuse(ctx, other) })
			default:
				_ = other.Close()
			}
		}
	}
}

// maxRefusals is how many clients are refused at the same time. More are not answered.
const maxRefusals = 16

// refuse answers the first message of a client that the device is busy.
func (d *door) refuse(ctx context.Context, unix *net.UnixConn) {
	c := &conn{unix: unix}
	defer func() { _ = unix.Close(); <-d.refusals }()
	defer context.AfterFunc(ctx, func() { _ = unix.SetDeadline(time.Unix(0, 1)) })()
	_ = unix.SetDeadline(time.Now().Add(lastWords))
	m, _ := c.receive()
	m.close()
	_ = c.answer(&m, nil, syscall.EBUSY)
	d.server.say("client refused: another one is connected")
}
