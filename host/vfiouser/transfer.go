//go:build linux

package vfiouser

import (
	"errors"
	"io"
	"syscall"
)

// ReadDMA implements [Host].
func (s *Server) ReadDMA(addr uint64, p []byte) error { return s.transfer("read", addr, p) }

// WriteDMA implements [Host].
func (s *Server) WriteDMA(addr uint64, p []byte) error { return s.transfer("write", addr, p) }

// Interrupt implements [Host].
func (s *Server) Interrupt(vector int) error {
	if !s.mayRequest() {
		return ErrNoBusMaster
	}
	s.vectors.fire(vector)
	return nil
}

func (s *Server) transfer(op string, addr uint64, p []byte) error {
	c := s.current.Load()
	switch {
	case c == nil:
		return ErrNoClient
	case !s.mayRequest():
		return ErrNoBusMaster
	}
	for len(p) > 0 {
		n, err := c.part(op, addr, p)
		if err != nil {
			return err
		}
		p, addr = p[n:], addr+uint64(n)
	}
	return nil
}

// part moves what of p lies in the window at addr, and returns how much that is.
// While a message is on its way the windows may change: a client that waits for an
// unmapping would not answer.
func (s *session) part(op string, addr uint64, p []byte) (int, error) {
	w := &s.windows
	w.mutex.RLock()
	i := w.find(addr)
	if i == len(w.list) || w.list[i].first > addr || op == "read" && !w.list[i].readable || op == "write" && !w.list[i].writable {
		w.mutex.RUnlock()
		return 0, &unmapped{op, addr}
	}
	x := w.list[i]
	if room := x.last - addr; uint64(len(p)-1) > room {
		p = p[:room+1]
	}
	if x.file != nil {
		defer w.mutex.RUnlock()
		return x.file.move(op, int64(x.offset+addr-x.first), p)
	}
	w.mutex.RUnlock()
	p = p[:min(uint64(len(p)), s.client.MaxTransfer)]
	return len(p), s.exchange(op, addr, p)
}

// move reads or writes all of p. By system calls instead of a mapping, a file that
// has become too short is an error and not a signal.
func (f *sharedFile) move(op string, offset int64, p []byte) (int, error) {
	call := syscall.Pread
	if op == "write" {
		call = syscall.Pwrite
	}
	for done := 0; done < len(p); {
		n, err := call(f.fd, p[done:], offset+int64(done))
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return done, err
		case n == 0:
			return done, io.ErrUnexpectedEOF
		}
		done += max(n, 0)
	}
	return len(p), nil
}

// exchange reads or writes p by a message and waits for its answer.
func (s *session) exchange(op string, addr uint64, p []byte) error {
	body := [][]byte{le.AppendUint64(le.AppendUint64(nil, addr), uint64(len(p)))}
	command, data := uint16(cmdDMARead), len(p)
	if op == "write" {
		command, data = cmdDMAWrite, 0
		body = append(body, p)
	}
	answer, err := s.ask(command, body)
	if err != nil {
		return err
	}
	switch b := answer.body; {
	case answer.flags&flagError != 0:
		return syscall.Errno(answer.errno)
	case len(b) != accessBytes+data || le.Uint64(b) != addr || le.Uint64(b[8:]) != uint64(len(p)):
		return errors.New("vfiouser: the client's answer to a DMA message does not fit it")
	case op == "read":
		copy(p, b[accessBytes:])
	}
	return nil
}

// ask sends a command to the client and waits for the answer, or for the end of the
// session.
func (s *session) ask(command uint16, body [][]byte) (*message, error) {
	answers := make(chan *message, 1)
	s.mutex.Lock()
	if s.over {
		s.mutex.Unlock()
		return nil, ErrNoClient
	}
	s.nextID++
	id := s.nextID
	for s.asked[id] != nil { // as many as that are open
		s.nextID++
		id = s.nextID
	}
	s.asked[id] = &question{command, answers}
	s.mutex.Unlock()
	if err := s.conn.send(header{id: id, command: command}, body...); err != nil {
		s.forget(id)
		return nil, err
	}
	m, ok := <-answers
	if !ok {
		return nil, ErrNoClient
	}
	return m, nil
}

// question is a command that the client has not answered.
type question struct {
	command uint16
	answers chan *message
}

// forget gives up a question.
func (s *session) forget(id uint16) *question {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	q := s.asked[id]
	delete(s.asked, id)
	return q
}

// answered hands a reply to who waits for it. One that nobody waits for is dropped.
func (s *session) answered(m *message) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if q := s.asked[m.id]; q != nil && q.command == m.command {
		delete(s.asked, m.id)
		q.answers <- m
	}
}
