//go:build linux

package client

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
)

// Storm sends random messages: valid messages, modified, truncated and oversized messages, messages
// with wrong file descriptors, and messages that break the stream. It predicts the answer to each
// message.
type Storm struct {
	rng    *rand.Rand
	path   string
	files  []*os.File
	events []*Event
	c      *Client
	rules  rules

	// Sent counts messages, Refused counts messages that must get an error.
	Sent, Refused, Connections int
}

// NewStorm returns a storm on a socket. Equal seeds send equal messages.
func NewStorm(path string, seed uint64) (*Storm, error) {
	s := &Storm{rng: rand.New(rand.NewPCG(seed, 1)), path: path}
	for range 3 {
		f, err := NewMemory(memorySize)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, f)
		v, err := NewEvent()
		if err != nil {
			return nil, err
		}
		s.events = append(s.events, v)
	}
	return s, nil
}

// Close closes the connection and the file descriptors.
func (s *Storm) Close() {
	if s.c != nil {
		_ = s.c.Close()
	}
	for i := range s.files {
		_ = s.files[i].Close()
		_ = s.events[i].Close()
	}
}

// Run sends at least n messages. It checks that each message gets exactly one answer, in order and
// as predicted. A message that needs no answer, or that follows a break of the stream, gets none.
// Run returns the first violation.
func (s *Storm) Run(n int) error {
	if s.rules.regions == nil {
		c, err := Open(s.path)
		if err != nil {
			return err
		}
		if err := errors.Join(s.rules.learn(c), c.Close()); err != nil {
			return err
		}
	}
	for end := s.Sent + n; s.Sent < end; {
		if s.c == nil {
			if err := s.connect(); err != nil {
				return err
			}
		}
		if err := s.gust(); err != nil {
			return fmt.Errorf("after %d messages: %w", s.Sent, err)
		}
	}
	return nil
}

// connect connects, in most cases with a version.
func (s *Storm) connect() (err error) {
	s.Connections++
	s.rules.windows = nil
	if s.rules.agreed = s.rng.IntN(8) > 0; !s.rules.agreed {
		s.c, err = Dial(s.path)
	} else {
		s.c, err = Open(s.path)
	}
	if err == nil {
		s.c.Memory = noise{s.rng}
	}
	return err
}

// noise is memory with random contents.
type noise struct{ rng *rand.Rand }

func (m noise) Read(_ uint64, p []byte) error {
	for i := range p {
		p[i] = byte(m.rng.Uint32())
	}
	return m.Write(0, nil)
}

func (m noise) Write(uint64, []byte) error {
	if m.rng.IntN(4) == 0 {
		return io.ErrClosedPipe
	}
	return nil
}

// due is a message and its predicted answer.
type due struct {
	frame   Frame
	verdict verdict
}

// gust sends a few messages and waits for their answers, or breaks the stream.
func (s *Storm) gust() error {
	var owed []due
	ends := false
	for range 1 + s.rng.IntN(16) {
		f, files := s.message()
		b := f.Encode()
		s.Sent++
		if s.rng.IntN(200) == 0 {
			return s.breakStream(b, s.descriptors(files))
		}
		if err := s.c.Send(b, s.descriptors(files)...); err != nil && !ends {
			return err
		}
		if ends {
			continue // the server does not execute it
		}
		v := s.rules.judge(f, files)
		ends = v.ends
		if len(v.errnos) > 0 {
			s.Refused++
		}
		if !v.silent {
			owed = append(owed, due{f, v})
		}
	}
	if _, err := s.c.Pump(nil, 1); err != nil && !ends {
		return err
	}
	for _, x := range owed {
		a, err := s.c.Answer()
		if err == nil {
			err = x.verdict.check(x.frame, a)
		}
		if err != nil {
			return err
		}
	}
	if !ends {
		return s.c.quiet()
	}
	_, err := s.c.Answer()
	if !errors.Is(err, io.EOF) {
		return fmt.Errorf("client: the connection goes on behind a version that is refused: %w", err)
	}
	err = s.c.Close()
	s.c = nil
	return err
}

// quiet returns an error if an unexpected answer has arrived.
func (c *Client) quiet() error {
	select {
	case a, open := <-c.answers:
		if !open {
			return errors.New("client: the server has ended the connection")
		}
		return fmt.Errorf("client: answer %d to command %d, expected none", a.ID, a.Command)
	default:
		return nil
	}
}

// descriptors returns random file descriptors of the given kinds.
func (s *Storm) descriptors(sorts []int) []int {
	var files []int
	for _, sort := range sorts {
		if i := s.rng.IntN(3); sort == isMemory {
			files = append(files, FD(s.files[i]))
		} else {
			files = append(files, s.events[i].FD())
		}
	}
	return files
}

// breakStream sends a truncated message or a wrong length, and disconnects.
func (s *Storm) breakStream(b []byte, files []int) error {
	if s.rng.IntN(2) == 0 {
		b = b[:s.rng.IntN(len(b))]
	} else {
		copy(b[4:], U32(s.number()))
	}
	if len(b) > 0 {
		_ = s.c.Send(b, files...)
	}
	err := s.c.Close()
	s.c = nil
	return err
}

// number returns a random number that is plausible in many cases.
func (s *Storm) number() uint32 {
	switch s.rng.IntN(6) {
	case 0:
		return s.rng.Uint32()
	case 1:
		return ^uint32(0) - s.rng.Uint32N(4)
	case 2:
		return s.rng.Uint32N(1 << 20)
	case 3:
		return 4096 * s.rng.Uint32N(16)
	}
	return s.rng.Uint32N(64)
}

func (s *Storm) long() uint64 {
	if s.rng.IntN(4) == 0 {
		return uint64(s.number())<<32 | uint64(s.number())
	}
	return uint64(s.number())
}

// message returns a message and the kinds of its file descriptors. It generates a valid message and
// then possibly modifies it.
func (s *Storm) message() (Frame, []int) {
	f := Frame{ID: uint16(s.rng.Uint32())}
	var files []int
	if !s.rules.agreed && s.rng.IntN(4) == 0 {
		f.Command, f.Body = Version, QEMUVersion()
		return s.changed(f, nil)
	}
	switch s.rng.IntN(20) {
	case 0:
		f.Command, f.Body = GetInfo, U32(16, 0, 0, 0)
	case 1:
		f.Command, f.Body = RegionInfo, append(U32(32, 0, s.rng.Uint32N(10), 0), U64(0, 0)...)
	case 2:
		f.Command, f.Body = IRQInfo, U32(16, 0, s.rng.Uint32N(6), 0)
	case 3, 4, 5:
		f.Command, f.Body = DMAMap, MapBody(1+s.rng.Uint32N(3), 4096*uint64(s.rng.IntN(13)), 4096*uint64(s.rng.IntN(64)), 4096<<s.rng.IntN(3))
		if s.rng.IntN(3) > 0 {
			files = append(files, isMemory)
		}
	case 6:
		f.Command, f.Body = DMAUnmap, UnmapBody(0, 4096*uint64(s.rng.IntN(64)), 4096*uint64(1+s.rng.IntN(64)))
	case 7, 8:
		n := 1 + s.rng.Uint32N(3)
		f.Command, f.Body = SetIRQs, IRQBody(0x24, MSIX, s.rng.Uint32N(2), n)
		for range n {
			files = append(files, isEvent)
		}
	case 9:
		f.Command, f.Body = SetIRQs, IRQBody(1<<s.rng.Uint32N(3)|8<<s.rng.Uint32N(3), s.rng.Uint32N(5), 0, s.rng.Uint32N(3))
	case 10, 11, 12:
		f.Command, f.Body = RegionRead, AccessBody(uint64(s.rng.IntN(4096)), []uint32{BAR0, Config}[s.rng.IntN(2)], 1<<s.rng.Uint32N(5))
	case 13, 14, 15, 16:
		n := 1 << s.rng.IntN(4)
		f.Command, f.Body = RegionWrite, AccessBody(uint64(4*s.rng.IntN(64)), BAR0, uint32(n), s.bytes(n)...)
	case 17:
		f.Command, f.Body = RegionWrite, AccessBody(4, Config, 2, 6, 0)
	case 18:
		f.Command, f.Body = []uint16{Reset, Version, DMARead, 6, 15}[s.rng.IntN(5)], s.bytes(s.rng.IntN(3))
	case 19:
		f.Flags, f.Command, f.Body = Reply, []uint16{DMARead, DMAWrite}[s.rng.IntN(2)], s.bytes(s.rng.IntN(64)) // an unrequested or impossible answer
	}
	return s.changed(f, files)
}

// changed modifies a message in half of the cases.
func (s *Storm) changed(f Frame, files []int) (Frame, []int) {
	switch s.rng.IntN(12) {
	case 0:
		f.Body = f.Body[:s.rng.IntN(len(f.Body)+1)]
	case 1:
		f.Body = append(f.Body, s.bytes(s.rng.IntN(2000))...)
	case 2, 3:
		if n := len(f.Body) / 4; n > 0 {
			copy(f.Body[4*s.rng.IntN(n):], U32(s.number()))
		}
	case 4:
		if n := len(f.Body) / 8; n > 0 {
			copy(f.Body[8*s.rng.IntN(n):], U64(s.long()))
		}
	case 5:
		for range s.rng.IntN(18) {
			files = append(files, s.rng.IntN(2))
		}
	case 6:
		f.Flags |= Posted
	case 7:
		f.Flags ^= 1 << s.rng.IntN(32)
	}
	return f, files
}

func (s *Storm) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(s.rng.Uint32() >> (8 * s.rng.IntN(3)))
	}
	return b
}
