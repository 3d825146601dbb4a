//go:build linux

package client

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"
)

// Commands of the protocol.
const (
	Version     = 1
	DMAMap      = 2
	DMAUnmap    = 3
	GetInfo     = 4
	RegionInfo  = 5
	IRQInfo     = 7
	SetIRQs     = 8
	RegionRead  = 9
	RegionWrite = 10
	DMARead     = 11
	DMAWrite    = 12
	Reset       = 13
)

// Indices of regions and interrupts.
const (
	BAR0   = 0
	Config = 7
	MSIX   = 2
)

// Patience is the maximum time that a client waits for an answer.
const Patience = 30 * time.Second

// Frame is a message.
type Frame struct {
	ID, Command uint16
	Flags       uint32
	Errno       syscall.Errno
	Body        []byte
	// Arrived is the position of a received message among all messages of its connection, from 1.
	// It is not transmitted.
	Arrived int
}

// Bits of Flags.
const (
	Reply   = 0x01
	Posted  = 0x10
	Failure = 0x20
)

// Memory serves DMA by messages: Read fills p, Write stores p.
type Memory interface {
	Read(addr uint64, p []byte) error
	Write(addr uint64, p []byte) error
}

// Client is a connection to a server.
type Client struct {
	// Memory serves DMA by messages; nil rejects it. It does not cover the buffers of a Device.
	Memory Memory
	// Served counts DMA messages.
	Served int
	// Latest is the latest answer received by Call.
	Latest Frame

	conn    *net.UnixConn
	buffers []bufferMemory
	next    uint16
	answers chan Frame
	dma     chan Frame
}

// Dial connects to a socket.
func Dial(path string) (*Client, error) {
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	c := &Client{conn: conn, answers: make(chan Frame, 1<<16), dma: make(chan Frame, 1<<12)}
	go c.receive()
	return c, nil
}

// Deaf connects to a socket but never reads from it.
func Deaf(path string) (*Client, error) {
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	return &Client{conn: conn}, nil
}

// Close closes the connection.
func (c *Client) Close() error { return c.conn.Close() }

// receive separates answers and DMA messages until the connection ends.
func (c *Client) receive() {
	defer close(c.answers)
	defer close(c.dma)
	for arrived := 1; ; arrived++ {
		head := make([]byte, 16)
		if _, err := io.ReadFull(c.conn, head); err != nil {
			return
		}
		f := Frame{
			ID: binary.LittleEndian.Uint16(head), Command: binary.LittleEndian.Uint16(head[2:]),
			Flags: binary.LittleEndian.Uint32(head[8:]), Errno: syscall.Errno(binary.LittleEndian.Uint32(head[12:])),
			Arrived: arrived,
		}
		f.Body = make([]byte, binary.LittleEndian.Uint32(head[4:])-16)
		if _, err := io.ReadFull(c.conn, f.Body); err != nil {
			return
		}
		if f.Flags&0xf == Reply {
			c.answers <- f
		} else {
			c.dma <- f
		}
	}
}

// Encode returns the message as transmitted.
func (f Frame) Encode() []byte {
	b := binary.LittleEndian.AppendUint16(nil, f.ID)
	b = binary.LittleEndian.AppendUint16(b, f.Command)
	b = binary.LittleEndian.AppendUint32(b, uint32(16+len(f.Body)))
	b = binary.LittleEndian.AppendUint32(b, f.Flags)
	b = binary.LittleEndian.AppendUint32(b, uint32(f.Errno))
	return append(b, f.Body...)
}

// Send sends bytes. File descriptors are attached to the first byte.
func (c *Client) Send(b []byte, files ...int) error {
	var rights []byte
	if len(files) > 0 {
		rights = syscall.UnixRights(files...)
	}
	n, _, err := c.conn.WriteMsgUnix(b, rights, nil)
	if err == nil && n < len(b) {
		_, err = c.conn.Write(b[n:])
	}
	return err
}

// Answer waits for the next answer.
func (c *Client) Answer() (Frame, error) {
	select {
	case f, ok := <-c.answers:
		if !ok {
			return Frame{}, io.EOF
		}
		return f, nil
	case <-time.After(Patience):
		return Frame{}, fmt.Errorf("client: no answer within %v", Patience)
	}
}

// Call sends a command and waits for its answer. If the server rejects the command, the error is a
// syscall.Errno.
func (c *Client) Call(command uint16, body []byte, files ...int) ([]byte, error) {
	c.next++
	if err := c.Send(Frame{ID: c.next, Command: command, Body: body}.Encode(), files...); err != nil {
		return nil, err
	}
	f, err := c.Answer()
	c.Latest = f
	switch {
	case err != nil:
		return nil, err
	case f.ID != c.next || f.Command != command:
		return nil, fmt.Errorf("client: answer %d to command %d, expected %d to %d", f.ID, f.Command, c.next, command)
	case f.Flags == Reply|Failure && len(f.Body) == 0:
		return nil, f.Errno
	case f.Flags != Reply || f.Errno != 0:
		return nil, fmt.Errorf("client: answer with flags %#x, error %d and %d bytes", f.Flags, f.Errno, len(f.Body))
	}
	return f.Body, nil
}

// Post sends a command that gets no answer.
func (c *Client) Post(command uint16, body []byte) error {
	c.next++
	return c.Send(Frame{ID: c.next, Command: command, Flags: Posted, Body: body}.Encode())
}

// Pump serves DMA until an event arrives or the timeout expires. It reports whether the event
// arrived.
func (c *Client) Pump(event <-chan struct{}, timeout time.Duration) (bool, error) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		select {
		case <-event:
			return true, nil
		case <-timer.C:
			return false, nil
		case f, ok := <-c.dma:
			if !ok {
				return false, io.EOF
			}
			if err := c.Serve(f); err != nil {
				return false, err
			}
		}
	}
}

// Take returns the next DMA message without answering it. It returns an error if no message arrives
// before the timeout.
func (c *Client) Take(timeout time.Duration) (Frame, error) {
	select {
	case f, ok := <-c.dma:
		if !ok {
			return Frame{}, io.EOF
		}
		return f, nil
	case <-time.After(timeout):
		return Frame{}, fmt.Errorf("client: no DMA message within %v", timeout)
	}
}

// CatchUp answers the DMA messages that have arrived. After a Call, the memory then contains all
// writes that the function made before it answered.
func (c *Client) CatchUp() error {
	for len(c.dma) > 0 {
		if err := c.Serve(<-c.dma); err != nil {
			return err
		}
	}
	return nil
}

// Serve answers a DMA message.
func (c *Client) Serve(f Frame) error {
	c.Served++
	addr, n := binary.LittleEndian.Uint64(f.Body), binary.LittleEndian.Uint64(f.Body[8:])
	memory := c.Memory
	for _, b := range c.buffers {
		if addr-b.at < uint64(b.size) {
			memory = b
		}
	}
	answer := Frame{ID: f.ID, Command: f.Command, Flags: Reply, Body: f.Body[:16:16]}
	err := error(syscall.EFAULT)
	switch {
	case memory == nil:
	case f.Command == DMARead:
		data := make([]byte, n)
		err = memory.Read(addr, data)
		answer.Body = append(answer.Body, data...)
	case f.Command == DMAWrite:
		err = memory.Write(addr, f.Body[16:])
	}
	if err != nil {
		answer = Frame{ID: f.ID, Command: f.Command, Flags: Reply | Failure, Errno: syscall.EFAULT}
	}
	return c.Send(answer.Encode())
}
