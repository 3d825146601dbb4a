//go:build linux

package vfiouser

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"
)

// session is a client with what it has mapped. It owns the device until it ends.
type session struct {
	server  *Server
	conn    *conn
	agreed  bool         // on a version
	client  Capabilities // once agreed
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

// lastWords is how long a client that is sent away may take to read the last answer.
const lastWords = time.Second

// serve carries out a client's commands until it goes, and cleans up behind it. What
// the client has sent and nobody has carried out is discarded, unless it is followed by
// a broken message, which is answered in its turn. The error is nil if the client has
// gone between two messages.
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

// stop ends the session soon: nobody waits for the client any more, and what it has
// sent is discarded.
func (s *session) stop() {
	s.commands.end()
	s.dma.abandon()
	_ = s.conn.unix.SetWriteDeadline(time.Unix(0, 1)) // ends a write that the client holds up
	_ = s.conn.unix.CloseRead()                       // which the reader notices
}

// read reads messages until the connection ends: it hands commands and answers to DMA
// reads to the worker, in order.
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

// hangUpPeriod is how often a reader that waits for room looks whether the client is
// still there.
const hangUpPeriod = 5 * time.Millisecond

// push gives the worker a message, and waits while too many wait. False if the client
// has gone meanwhile.
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

// work carries out commands, one after the other, until the client has gone or is sent
// away.
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

// command carries out a command. It takes of the descriptors what it keeps.
func (s *session) command(m *message) ([][]byte, error) {
	if m.broken || m.lost || m.flags&^flagNoReply != 0 { // which includes reserved types
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

// interrupt fires a vector when all writes that went before are in the client's memory.
func (s *session) interrupt(vector int) {
	s.dma.behindWrites(func() { s.server.vectors.fire(vector) })
}

// forgetInterrupts forgets what has not been delivered.
func (s *session) forgetInterrupts() {
	s.dma.forget()
	s.server.vectors.forget()
}
