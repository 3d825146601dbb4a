//go:build linux

package vfiouser_test

import (
	"encoding/binary"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
)

// bug is an injected server bug. Its functions may change a message, or drop it by returning nil.
type bug struct {
	command func(*wireMessage)
	answer  func(asked, a *wireMessage) *wireMessage
	leaks   bool // does not close file descriptors of rejected messages
}

// wireMessage is a message and its header as transmitted.
type wireMessage struct {
	bytes []byte
	files []int
	n     int // number of earlier messages in the same direction
}

func (m *wireMessage) id() uint16      { return binary.LittleEndian.Uint16(m.bytes) }
func (m *wireMessage) command() uint16 { return binary.LittleEndian.Uint16(m.bytes[2:]) }
func (m *wireMessage) flags() uint32   { return binary.LittleEndian.Uint32(m.bytes[8:]) }
func (m *wireMessage) errno() syscall.Errno {
	return syscall.Errno(binary.LittleEndian.Uint32(m.bytes[12:]))
}

// reply returns an answer to a command; an answer without an error has a body.
func (m *wireMessage) reply(errno syscall.Errno, body []byte) *wireMessage {
	f := client.Frame{ID: m.id(), Command: m.command(), Flags: client.Reply, Body: body}
	if errno != 0 {
		f.Flags, f.Errno, f.Body = client.Reply|client.Failure, errno, nil
	}
	return &wireMessage{bytes: f.Encode()}
}

// accepts returns a bug that turns an errno into success.
func accepts(command uint16, errno syscall.Errno, body func(asked []byte) []byte) bug {
	return bug{answer: func(asked, a *wireMessage) *wireMessage {
		if a.command() == command && a.errno() == errno && asked.flags() == 0 {
			return a.reply(0, body(asked.bytes[16:]))
		}
		return a
	}}
}

func nothing([]byte) []byte { return nil }

var bugs = map[string]bug{
	"a reserved type is taken for a command": {command: func(m *wireMessage) {
		if m.flags()&0xf > 1 {
			m.bytes[8] &^= 0xf
		}
	}},
	"a posted command is answered": {command: func(m *wireMessage) { m.bytes[8] &^= client.Posted }},
	"one answer in 500 is lost": {answer: func(_, a *wireMessage) *wireMessage {
		if a.n%500 == 499 {
			return nil
		}
		return a
	}},
	"an answer has the id of the one before": {answer: func(asked, a *wireMessage) *wireMessage {
		if a.n%500 == 499 {
			binary.LittleEndian.PutUint16(a.bytes, asked.id()-1)
		}
		return a
	}},
	"a part of a window is unmapped":   accepts(client.DMAUnmap, syscall.EINVAL, func(b []byte) []byte { return b }),
	"a window is mapped over another":  accepts(client.DMAMap, syscall.EEXIST, nothing),
	"a map of any descriptor succeeds": accepts(client.DMAMap, syscall.EINVAL, nothing),
	"a read goes over the end of a region": accepts(client.RegionRead, syscall.EINVAL, func(b []byte) []byte {
		return append(b[:min(len(b), 16):min(len(b), 16)], make([]byte, 16)...)
	}),
	"interrupts that there are not can be set":  accepts(client.SetIRQs, syscall.EINVAL, nothing),
	"an unknown command succeeds":               accepts(6, syscall.EOPNOTSUPP, nothing),
	"descriptors of refused messages stay open": {leaks: true},
}

// proxy is a server with a bug.
type proxy struct {
	listener *net.UnixListener
	path     string // of the server without the bug
	bug      bug
	running  sync.WaitGroup
	kept     []int // file descriptors that stay open
}

func startProxy(t *testing.T, path, to string, b bug) *proxy {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	require.NoError(t, err)
	p := &proxy{listener: l, path: to, bug: b}
	p.running.Go(func() {
		for {
			c, err := l.AcceptUnix()
			if err != nil {
				return
			}
			s, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: to, Net: "unix"})
			if err != nil {
				_ = c.Close()
				continue
			}
			p.join(c, s)
		}
	})
	return p
}

func (p *proxy) stop() {
	_ = p.listener.Close()
	p.running.Wait()
	for _, fd := range p.kept {
		_ = syscall.Close(fd)
	}
}

// join connects a client and the server until either disconnects.
func (p *proxy) join(c, s *net.UnixConn) {
	var mutex sync.Mutex
	asked := map[uint16]*wireMessage{}
	var both sync.WaitGroup
	both.Go(func() {
		defer func() { _ = s.CloseWrite() }()
		forward(c, s, func(m *wireMessage) *wireMessage {
			if p.bug.command != nil {
				p.bug.command(m)
			}
			mutex.Lock()
			defer mutex.Unlock()
			if m.flags()&0xf != client.Reply {
				asked[m.id()] = m
			}
			if p.bug.leaks && len(m.files) > 1 {
				if fd, err := syscall.Dup(m.files[0]); err == nil {
					p.kept = append(p.kept, fd)
				}
			}
			return m
		})
	})
	both.Go(func() {
		defer func() { _ = c.CloseWrite() }()
		forward(s, c, func(m *wireMessage) *wireMessage {
			mutex.Lock()
			defer mutex.Unlock()
			if was := asked[m.id()]; was != nil && m.flags()&0xf == client.Reply && p.bug.answer != nil {
				return p.bug.answer(was, m)
			}
			return m
		})
	})
	both.Wait()
	_, _ = c.Close(), s.Close()
}

// forward sends all messages from one connection to the other, after change.
func forward(from, to *net.UnixConn, change func(*wireMessage) *wireMessage) {
	for n := 0; ; n++ {
		m := &wireMessage{bytes: make([]byte, 16), n: n}
		control := make([]byte, syscall.CmsgSpace(4*64))
		got, oob, _, _, err := from.ReadMsgUnix(m.bytes, control)
		if err != nil || got == 0 {
			return
		}
		if list, err := syscall.ParseSocketControlMessage(control[:oob]); err == nil {
			for i := range list {
				fds, _ := syscall.ParseUnixRights(&list[i])
				m.files = append(m.files, fds...)
			}
		}
		if _, err := io.ReadFull(from, m.bytes[got:]); err == nil {
			if size := binary.LittleEndian.Uint32(m.bytes[4:]); size >= 16 && size < 1<<21 {
				body := make([]byte, size-16)
				got, _ := io.ReadFull(from, body)
				m.bytes = append(m.bytes, body[:got]...)
			}
		}
		if len(m.bytes) >= 16 {
			files := m.files
			if m = change(m); m != nil {
				var rights []byte
				if len(files) > 0 {
					rights = syscall.UnixRights(files...)
				}
				_, _, _ = to.WriteMsgUnix(m.bytes, rights, nil)
			}
			for _, fd := range files {
				_ = syscall.Close(fd)
			}
		}
	}
}
