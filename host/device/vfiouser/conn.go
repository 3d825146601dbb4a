//go:build linux

package vfiouser

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// errFrame reports that the message boundaries of the stream are lost.
var errFrame = errors.New("vfiouser: broken message")

// conn is a connection. One goroutine receives; any goroutine may send.
type conn struct {
	unix    *net.UnixConn
	sending sync.Mutex
	traffic traffic
}

// traffic counts messages and bytes of a connection, including headers.
type traffic struct{ in, out, bytesIn, bytesOut atomic.Uint64 }

// receive reads a message. File descriptors arrive with the first byte of a message. If the length
// is invalid, the error wraps errFrame, and the message consists of its header.
func (c *conn) receive() (message, error) {
	var m message
	head := make([]byte, headerBytes)
	if err := c.receiveHeader(head, &m); err != nil {
		m.close()
		return message{}, err
	}
	m.header = parseHeader(head)
	if m.size < headerBytes || m.size > maxMessage {
		m.close()
		return m, fmt.Errorf("%w: %d bytes, expected %d to %d", errFrame, m.size, headerBytes, maxMessage)
	}
	m.body = make([]byte, m.size-headerBytes)
	if _, err := io.ReadFull(c.unix, m.body); err != nil {
		m.close()
		return message{}, err
	}
	c.traffic.in.Add(1)
	c.traffic.bytesIn.Add(uint64(m.size))
	return m, nil
}

// receiveHeader fills head and collects file descriptors. It returns io.EOF if the client has
// disconnected between two messages.
func (c *conn) receiveHeader(head []byte, m *message) error {
	control := make([]byte, syscall.CmsgSpace(4*maxFiles))
	for got := 0; got < len(head); {
		n, oob, flags, _, err := c.unix.ReadMsgUnix(head[got:], control)
		m.lost = m.lost || flags&syscall.MSG_CTRUNC != 0
		m.files = append(m.files, descriptors(control[:oob])...)
		if errors.Is(err, io.EOF) && got > 0 {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		got += n
	}
	return nil
}

// descriptors returns the file descriptors in control messages.
func descriptors(control []byte) []int {
	list, err := syscall.ParseSocketControlMessage(control)
	if err != nil {
		return nil
	}
	var files []int
	for i := range list {
		if fds, err := syscall.ParseUnixRights(&list[i]); err == nil {
			files = append(files, fds...)
		}
	}
	return files
}

// send sends a message whose body is given in pieces.
func (c *conn) send(h header, body ...[]byte) error {
	h.size = headerBytes
	for _, b := range body {
		h.size += uint32(len(b))
	}
	c.sending.Lock()
	defer c.sending.Unlock()
	c.traffic.out.Add(1)
	c.traffic.bytesOut.Add(uint64(h.size))
	buffers := append(net.Buffers{h.bytes()}, body...)
	_, err := buffers.WriteTo(c.unix)
	return err
}

// answer replies to a message with a body, or with err if it is not nil.
func (c *conn) answer(m *message, body [][]byte, err error) error {
	h := header{id: m.id, command: m.command, flags: flagReply}
	if err != nil {
		h.flags |= flagError
		h.errno = uint32(number(err))
		body = nil
	}
	return c.send(h, body...)
}

// hungUp reports whether the client has closed its end, even if data is still unread.
func (c *conn) hungUp() bool {
	const readHangUp = 0x2000
	raw, err := c.unix.SyscallConn()
	if err != nil {
		return true
	}
	gone := false
	err = raw.Control(func(fd uintptr) { gone = poll(int(fd), readHangUp) != 0 })
	return gone || err != nil
}

// poll returns the requested events that are pending on a file descriptor, and its error events.
func poll(fd int, events int16) int16 {
	p := struct {
		fd              int32
		events, revents int16
	}{fd: int32(fd), events: events}
	n, _, _ := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(&syscall.Timespec{})), 0, 0, 0)
	if n != 1 {
		return 0
	}
	return p.revents
}

// number returns the errno of an error.
func number(err error) syscall.Errno {
	var e syscall.Errno
	if errors.As(err, &e) {
		return e
	}
	return syscall.EIO
}
