//go:build linux

package vfiouser

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"
)

// session is a client with what it has mapped.
type session struct {
	server  *Server
	conn    *conn
	agreed  bool         // on a version
	client  Capabilities // once agreed
	windows windows

	mutex  sync.Mutex
	asked  map[uint16]*question
	nextID uint16
	over   bool

	commands commands
}

// lastWords is how long a client that is gone, or sent away, may take to read its
// last answers.
const lastWords = time.Second

// serve carries out a client's commands until it goes, and cleans up behind it. The
// error is nil if the client has gone between two messages.
func (s *session) serve() error {
	worker := make(chan struct{})
	go func() {
		defer close(worker)
		s.work()
	}()
	err := s.read()
	_ = s.conn.unix.SetWriteDeadline(time.Now().Add(lastWords))
	s.commands.end()
	s.abandon()
	<-worker
	s.windows.remove(0, ^uint64(0))
	s.server.vectors.release()
	s.server.errors.release()
	return errors.Join(err, s.conn.unix.Close())
}

// read reads messages until the connection ends: it hands answers to who waits for
// them, and commands to the worker, for which it never waits.
func (s *session) read() error {
	for {
		m, err := s.conn.receive()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errFrame):
			_ = s.conn.answer(&m, nil, syscall.EINVAL)
			return err
		case err != nil:
			return fmt.Errorf("vfiouser: connection: %w", err)
		case m.reply():
			m.close()
			s.answered(&m)
		case !s.commands.push(&m):
			m.close()
			return fmt.Errorf("vfiouser: more than %d bytes of commands wait; the client does not", maxWaiting)
		}
	}
}

// abandon ends the wait for answers that will not come.
func (s *session) abandon() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.over = true
	for id, q := range s.asked {
		delete(s.asked, id)
		close(q.answers)
	}
}

// work carries out commands, one after the other.
func (s *session) work() {
	for m := s.commands.pop(); m != nil; m = s.commands.pop() {
		body, err := s.command(m)
		m.close()
		if m.flags&flagNoReply != 0 {
			continue
		}
		if s.conn.answer(m, body, err) != nil {
			_ = s.conn.unix.CloseRead() // which the reader notices
		}
		if m.command == cmdVersion && !s.agreed {
			s.server.say(err.Error())
			_ = s.conn.unix.CloseRead() // there is nothing to talk about
		}
	}
}

// command carries out a command. It takes of the descriptors what it keeps.
func (s *session) command(m *message) ([][]byte, error) {
	if m.flags&^(flagTypeMask|flagNoReply) != 0 || m.lost {
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

// maxWaiting is how many bytes of commands may wait: a client that waits for answers
// has far fewer under way.
const maxWaiting = 64 << 20

// commands is a queue.
type commands struct {
	mutex sync.Mutex
	more  sync.Cond
	list  []*message
	bytes int
	ended bool
}

// push adds a command; false if there is no room.
func (c *commands) push(m *message) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.bytes+int(m.size) > maxWaiting {
		return false
	}
	c.bytes += int(m.size)
	c.list = append(c.list, m)
	c.more.Signal()
	return true
}

// pop waits for the next command; nil after the last one.
func (c *commands) pop() *message {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for len(c.list) == 0 && !c.ended {
		c.more.Wait()
	}
	if len(c.list) == 0 {
		return nil
	}
	m := c.list[0]
	c.list = c.list[1:]
	c.bytes -= int(m.size)
	return m
}

// end lets pop return nil once the queue is empty.
func (c *commands) end() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.ended = true
	c.more.Broadcast()
}
