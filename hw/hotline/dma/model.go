package dma

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// ReadRequest is a request to Read in plain Go.
type ReadRequest struct {
	Peer bool
	Addr uint64
	Len  int // bytes
	Kind Kind
	Dest uint32
}

// LoadBeat is an output of the load port of Read.
type LoadBeat struct {
	Command bool
	Dest    uint32
	Data    []uint64
}

// RowData is a row as Read delivers it. Beats that did not arrive are nil; for them, Read delivers
// arbitrary data.
type RowData struct {
	Error arch.DMAError
	Beats [][]uint64
}

// CommandEnd is the end of the read of a command, as Read reports it.
type CommandEnd struct {
	Tag    int
	Failed bool
}

// ReadModel is the reference of Read: it derives the outputs from the events at the ports, without
// cycles. Data are little-endian words.
type ReadModel struct {
	tags, beatBytes int
	first, held     int                     // number of the oldest request whose tag is not free; number of such requests
	ring            []readState             // by tag
	commands        [CommandTags]*readState // nil if not in flight
	ends            []CommandEnd
	rows, given     []RowData // complete since the last call of Rows; result of that call
	code            arch.DMAError
	dropped         int
}

// readState is a request that holds a tag.
type readState struct {
	ReadRequest
	beats    [][]uint64 // so far
	expected int
	poisoned bool
	sent     bool // the descriptor was accepted
	finished bool
	code     arch.DMAError
}

// NewReadModel returns a model without requests, for a stream of beatBytes bytes.
func NewReadModel(tags, beatBytes int) *ReadModel {
	return &ReadModel{tags: tags, beatBytes: beatBytes, ring: make([]readState, tags)}
}

// Request accepts a request and returns its tag. It fails if no tag is free.
func (m *ReadModel) Request(q ReadRequest) (tag int, err error) {
	if m.held == m.tags {
		return 0, fmt.Errorf("all %d tags are in use", m.tags)
	}
	tag = (m.first + m.held) % m.tags
	expected := (q.Len + m.beatBytes - 1) / m.beatBytes
	m.ring[tag] = readState{ReadRequest: q, expected: expected, beats: make([][]uint64, 0, expected)}
	m.held++
	return tag, nil
}

// Tagged returns the number of requests that hold a tag.
func (m *ReadModel) Tagged() int { return m.held }

// Command begins the read of a command and returns its tag at the boundary.
func (m *ReadModel) Command(tag int) int {
	m.commands[tag] = &readState{expected: arch.CommandBytes / m.beatBytes}
	return m.tags + tag
}

// Send records that the descriptor of a tag was accepted. From then on, the tag is outstanding.
func (m *ReadModel) Send(tag int) { m.begun(tag).sent = true }

// open returns the request or command of an outstanding tag, or nil.
func (m *ReadModel) open(tag int) *readState {
	if s := m.begun(tag); s != nil && s.sent {
		return s
	}
	return nil
}

// begun returns the request or command of a tag that has not finished, or nil.
func (m *ReadModel) begun(tag int) *readState {
	if tag >= m.tags {
		if tag -= m.tags; tag < CommandTags {
			return m.commands[tag]
		}
		return nil
	}
	if i := (tag - m.first%m.tags + m.tags) % m.tags; i >= m.held || m.ring[tag].finished {
		return nil
	}
	return &m.ring[tag]
}

// Data accepts a beat. It returns the output on the load port, if there is one.
func (m *ReadModel) Data(tag int, data []uint64, poisoned bool) (out LoadBeat, ok bool) {
	s := m.open(tag)
	if s == nil || len(s.beats) == s.expected {
		m.dropped = min(m.dropped+1, 1<<DroppedBits-1)
		return LoadBeat{}, false
	}
	command := tag >= m.tags
	dest := s.Dest + uint32(len(s.beats))
	if command {
		dest = uint32((tag-m.tags)*s.expected + len(s.beats))
	}
	s.beats = append(s.beats, data)
	s.poisoned = s.poisoned || poisoned
	return LoadBeat{Command: command, Dest: dest & (1<<24 - 1), Data: data}, command || s.Kind == Load
}

// Status finishes a tag with the error code of the boundary. It ignores a tag that is not
// outstanding.
func (m *ReadModel) Status(tag int, code arch.DMAError) {
	s := m.open(tag)
	if s == nil {
		return
	}
	s.finished, s.code = true, code
	switch {
	case code != 0:
	case s.poisoned:
		s.code = arch.ErrPoisoned
	case len(s.beats) < s.expected:
		s.code = arch.ErrShort
	}
	if tag -= m.tags; tag >= 0 {
		m.commands[tag] = nil
		m.ends = append(m.ends, CommandEnd{tag, s.code != 0})
		return
	}
	m.retire()
}

// retire frees the tags of the oldest requests that have finished.
func (m *ReadModel) retire() {
	for m.held > 0 && m.ring[m.first%m.tags].finished {
		s := &m.ring[m.first%m.tags]
		m.first, m.held = m.first+1, m.held-1
		if m.code == 0 && s.Kind == Load {
			m.code = s.code
		}
		if s.Kind == Row {
			m.rows = append(m.rows, RowData{Error: s.code, Beats: s.beats[:s.expected]})
		}
	}
}

// Rows returns the rows that have become complete since the last call, in request order. The result
// is valid until the next call.
func (m *ReadModel) Rows() []RowData {
	out := m.rows
	m.rows, m.given = m.given[:0], out
	return out
}

// Ends returns the ends of reads of commands since the last call.
func (m *ReadModel) Ends() []CommandEnd {
	out := m.ends
	m.ends = nil
	return out
}

// Error returns the first error of a load, in request order, since Clear.
func (m *ReadModel) Error() arch.DMAError { return m.code }

// Clear resets the error.
func (m *ReadModel) Clear() { m.code = 0 }

// Dropped returns the number of beats that no outstanding tag expected.
func (m *ReadModel) Dropped() int { return m.dropped }

// Outstanding returns the number of requests and commands that hold a tag, and the number of
// requests of kind k among them.
func (m *ReadModel) Outstanding(k Kind) (all, ofKind int) {
	for _, s := range m.commands {
		if s != nil {
			all++
		}
	}
	for i := range m.held {
		if m.ring[(m.first+i)%m.tags].Kind == k {
			ofKind++
		}
	}
	return all + m.held, ofKind
}
