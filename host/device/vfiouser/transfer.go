//go:build linux

package vfiouser

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
)

// ReadDMA implements [Host].
func (s *Server) ReadDMA(addr uint64, p []byte, done func(error)) {
	s.transfer(cmdDMARead, addr, p, done)
}

// WriteDMA implements [Host].
func (s *Server) WriteDMA(addr uint64, p []byte, done func(error)) {
	s.transfer(cmdDMAWrite, addr, p, done)
}

// Interrupt implements [Host].
func (s *Server) Interrupt(vector int) error {
	if n := len(s.vectors.list); vector < 0 || vector >= n {
		return fmt.Errorf("vfiouser: interrupt of vector %d, expected 0 to %d", vector, n-1)
	}
	if c := s.current.Load(); c != nil {
		c.interrupt(vector)
	}
	return nil
}

// transfer performs DMA, window by window. It ends at the first unmapped address.
func (s *Server) transfer(command uint16, addr uint64, p []byte, done func(error)) {
	c := s.current.Load()
	if c == nil {
		done(ErrNoClient)
		return
	}
	x := &transfer{left: 1, done: done}
	err := error(nil)
	for n := 0; len(p) > 0 && err == nil; p, addr = p[n:], addr+uint64(n) {
		n, err = c.part(x, command, addr, p)
	}
	x.end(err)
}

// transfer is a DMA in parts. It ends when all parts have ended.
type transfer struct {
	mutex sync.Mutex
	left  int
	err   error // the first error
	done  func(error)
}

func (x *transfer) begin() {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.left++
}

func (x *transfer) end(err error) {
	x.mutex.Lock()
	x.left--
	if x.err == nil {
		x.err = err
	}
	left, err := x.left, x.err
	x.mutex.Unlock()
	if left == 0 {
		x.done(err)
	}
}

// part starts the DMA in the window at addr and returns its number of bytes. While a write by
// message is unanswered, later DMA also uses messages, even for shared memory. The client executes
// the messages in order, so nothing needs to wait.
func (s *session) part(x *transfer, command uint16, addr uint64, p []byte) (int, error) {
	w := &s.windows
	w.mutex.RLock()
	i := w.find(addr)
	if i == len(w.list) || w.list[i].first > addr || !w.list[i].allows(command) {
		w.mutex.RUnlock()
		return 0, &unmapped{operation(command), addr}
	}
	in := w.list[i]
	if room := in.last - addr; uint64(len(p)-1) > room {
		p = p[:room+1]
	}
	if in.file != nil && !s.dma.writing() {
		defer w.mutex.RUnlock()
		return in.file.move(command, int64(in.offset+addr-in.first), p)
	}
	w.mutex.RUnlock() // a client that waits for an unmapping would not answer
	p = p[:min(uint64(len(p)), s.client.MaxTransfer)]
	x.begin()
	s.exchange(command, addr, p, func(err error) {
		if refused := syscall.Errno(0); in.file != nil && errors.As(err, &refused) {
			err = s.direct(command, addr, p)
		}
		x.end(err)
	})
	return len(p), nil
}

// direct moves p in shared memory after the client has rejected a message for it. Not every client
// accepts messages for memory that it shares.
func (s *session) direct(command uint16, addr uint64, p []byte) error {
	w := &s.windows
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	i := w.find(addr)
	if i == len(w.list) || w.list[i].first > addr || !w.list[i].allows(command) || w.list[i].file == nil || uint64(len(p)-1) > w.list[i].last-addr {
		return &unmapped{operation(command), addr}
	}
	_, err := w.list[i].file.move(command, int64(w.list[i].offset+addr-w.list[i].first), p)
	return err
}

func operation(command uint16) string {
	if command == cmdDMARead {
		return "read"
	}
	return "write"
}

// move reads or writes all of p. It uses system calls instead of a memory mapping, so that a
// truncated file causes an error and not a signal.
func (f *sharedFile) move(command uint16, offset int64, p []byte) (int, error) {
	call := syscall.Pread
	if command == cmdDMAWrite {
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

// exchange reads or writes p by a message.
func (s *session) exchange(command uint16, addr uint64, p []byte, done func(error)) {
	body := [][]byte{le.AppendUint64(le.AppendUint64(nil, addr), uint64(len(p)))}
	data := len(p)
	if command == cmdDMAWrite {
		body, data = append(body, p), 0
	}
	s.ask(command, body, func(m *message, err error) {
		if err == nil {
			err = m.errorOf()
		}
		if err != nil {
			done(err)
			return
		}
		if b := m.body; len(b) != accessBytes+data || le.Uint64(b) != addr || le.Uint64(b[8:]) != uint64(len(p)) {
			done(errors.New("vfiouser: the client's answer to a DMA message does not fit it"))
			return
		}
		copy(p, m.body[accessBytes:])
		done(nil)
	})
}
