//go:build linux

package vfiouser

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"
)

// session is a connected client and its mappings. It owns the device until it ends.
type session struct {
	server  *Server
	conn    *conn
	agreed  bool         // a version was negotiated
	client  Capabilities // valid once agreed is set
	windows windows

	commands commands
	dma      dmaMessages
}

func newSession(s *Server, c *conn) *session {
	x := &session{server: s, conn: c}
	x.windows.files = map[fileKey]*sharedFile{}
	x.commands.init()
	x.dma.init()
	return x
}

// lastWords is the time that a rejected client has to read the last answer.
const lastWords = time.Second

// serve executes a client's commands until the client disconnects, and then cleans up. Received
// commands that were not executed are discarded. If a broken message follows, they are executed,
// and the broken message is answered in order. The error is nil if the client disconnected between
// two messages.
func (s *session) serve() error {
	worker := make(chan struct{})
	go func() {
		defer close(worker)
		s.work()
		s.stop()
	}()
	err := s.read()
	if errors.Is(err, errFrame) {
		s.commands.finish()
		<-worker
	}
	s.stop()
	<-worker
	_ = s.windows.remove(0, ^uint64(0))
	s.server.vectors.release()
	s.server.errors.release()
	return errors.Join(err, s.conn.unix.Close())
}

// stop makes the session end soon. All waits for the client end, and received commands are
// discarded.
func (s *session) stop() {
	s.commands.end()
	s.dma.abandon()
	_ = s.conn.unix.SetWriteDeadline(time.Unix(0, 1)) // ends a write that the client blocks
	_ = s.conn.unix.CloseRead()                       // ends the reader
}

// read reads messages until the connection ends. It passes commands and answers to DMA reads to the
// worker, in order.
func (s *session) read() error {
	for {
		m, err := s.conn.receive()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errFrame):
			m.broken, m.size = true, headerBytes
			s.push(&m)
			return err
		case err != nil:
			return fmt.Errorf("vfiouser: connection: %w", err)
		case m.reply():
			m.close()
			if s.dma.answered(&m); m.asked == nil {
				continue
			}
		}
		if !s.push(&m) {
			return nil
		}
	}
}

// hangUpPeriod is the interval at which a reader that waits for queue capacity checks whether the
// client is still connected.
const hangUpPeriod = 5 * time.Millisecond

// push passes a message to the worker and waits while the queue is full. It returns false if the
// client has disconnected meanwhile.
func (s *session) push(m *message) bool {
	if s.commands.push(m) {
		return true
	}
	look := time.NewTicker(hangUpPeriod)
	defer look.Stop()
	for {
		select {
		case <-s.commands.room:
			if s.commands.push(m) {
				return true
			}
		case <-look.C:
			if s.conn.hungUp() {
				m.discard()
				return false
			}
		}
	}
}

// work executes commands in order, until the client has disconnected or is rejected.
func (s *session) work() {
	for m := s.commands.pop(); m != nil; m = s.commands.pop() {
		if m.asked != nil {
			m.asked.answered(m, nil)
			continue
		}
		body, err := s.command(m)
		m.close()
		away := m.broken || m.command == cmdVersion && !s.agreed
		if away && !m.broken {
			s.server.say(err.Error())
		}
		if away {
			_ = s.conn.unix.SetWriteDeadline(time.Now().Add(lastWords))
		}
		if m.flags&flagNoReply == 0 && s.conn.answer(m, body, err) != nil || away {
			return
		}
	}
}

// command executes a command. It removes the file descriptors that it keeps from the message.
func (s *session) command(m *message) ([][]byte, error) {
	if m.broken || m.lost || m.flags&^flagNoReply != 0 { // includes reserved types
		return nil, syscall.EINVAL
	}
	if !s.agreed || m.command == cmdVersion {
		return s.negotiate(m)
	}
	if len(m.files) > 0 && m.command != cmdDMAMap && m.command != cmdSetIRQs {
		return nil, syscall.EINVAL
	}
	switch m.command {
	case cmdDMAMap:
		return s.dmaMap(m)
	case cmdDMAUnmap:
		return s.dmaUnmap(m)
	case cmdGetInfo:
		return s.info(m)
	case cmdRegionInfo:
		return s.regionInfo(m)
	case cmdIRQInfo:
		return s.irqInfo(m)
	case cmdSetIRQs:
		return s.setIRQs(m)
	case cmdRegionRead:
		return s.regionRead(m)
	case cmdRegionWrite:
		return s.regionWrite(m)
	case cmdReset:
		return s.reset(m)
	}
	return nil, syscall.EOPNOTSUPP
}

// interrupt fires a vector when all earlier writes are in the client's memory.
func (s *session) interrupt(vector int) {
	s.dma.behindWrites(func() { s.server.vectors.fire(vector) })
}

// forgetInterrupts clears all interrupts that were not delivered.
func (s *session) forgetInterrupts() {
	s.dma.forget()
	s.server.vectors.forget()
}
