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

// door accepts clients and admits one at a time.
type door struct {
	server   *Server
	listener *net.UnixListener
	clients  chan *net.UnixConn // connected but not yet served
	open     sync.WaitGroup     // goroutines with open connections
	refusals chan struct{}      // contains a value for each client being rejected
	err      error              // from accepting
}

// noDescriptors is the time to wait for a free file descriptor. A client that passes the maximum
// number of file descriptors must not end the server.
const noDescriptors = 10 * time.Millisecond

// accept accepts clients until the context ends. On an error it ends the context.
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

// wait waits for a client. It returns nil if the context ends.
func (d *door) wait(ctx context.Context) *net.UnixConn {
	select {
	case unix := <-d.clients:
		return unix
	case <-ctx.Done():
		return nil
	}
}

// serve serves a client until it disconnects. Other clients are rejected meanwhile. After the
// client has hung up, the first new client waits and is returned.
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

// maxRefusals is the maximum number of clients that are rejected at the same time. Further clients
// get no answer.
const maxRefusals = 16

// refuse answers the first message of a client with EBUSY.
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
