package isa

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
)

// Ring holds the registers of a ring in host memory.
type Ring struct {
	Base  uint64
	Log2  int    // log2 of the number of entries
	Index uint16 // the driver's free-running index: producer index of the command ring, consumer index of the completion ring
}

// CommandRead is the read of a command.
type CommandRead struct {
	Tag  int
	Addr uint64
}

// slot returns the position of entry n within the ring.
func (r Ring) slot(n uint16) uint64 { return uint64(n) & (1<<r.Log2 - 1) }

// Model is the reference of ISA: it derives the actions from the surrounding events, without
// cycles.
type Model struct {
	Enable      bool
	RingsGiven  bool // both bases have been written since the reset
	Commands    Ring
	Completions Ring

	asked, head uint16 // number of commands fetched, and taken
	tail        uint16 // number of completions posted
	id          uint32 // id of the command taken last
}

// Overrun reports whether the driver offers more commands than the ring has entries.
func (m *Model) Overrun() bool { return m.Commands.Index-m.head > 1<<m.Commands.Log2 }

// NoRings reports whether commands wait because the bases of the rings are missing.
func (m *Model) NoRings() bool { return !m.RingsGiven && m.Commands.Index != m.head }

// Fetch returns the next read of a command. It returns false if there is no command to fetch, or
// the buffer has no room.
func (m *Model) Fetch() (CommandRead, bool) {
	n, ahead := m.asked, m.asked-m.head
	if !m.Enable || !m.RingsGiven || m.Overrun() || ahead >= m.Commands.Index-m.head || ahead >= Prefetch {
		return CommandRead{}, false
	}
	m.asked++
	return CommandRead{int(n % Prefetch), m.Commands.Base + m.Commands.slot(n)*arch.CommandBytes}, true
}

// Take takes the next fetched command; command is nil if its read failed. It returns the command
// for dispatch, or the status of a command that is not dispatched.
func (m *Model) Take(command []byte) (c arch.Command, status arch.Status) {
	m.head++
	m.id = 0
	if command == nil {
		return c, arch.StatusFetch
	}
	c, id, intact := arch.DecodeCommand(command)
	m.id = id
	if !intact {
		return arch.Command{}, arch.StatusCRC
	}
	return c, arch.StatusOK
}

// Head returns the consumer index of the command ring.
func (m *Model) Head() uint16 { return m.head }

// Tail returns the producer index of the completion ring.
func (m *Model) Tail() uint16 { return m.tail }

// Complete posts the completion of the command taken last. The arguments are the outcome and
// checksum from dispatch, or the status of Take and zeros. It returns false if the ring has no
// room.
func (m *Model) Complete(status arch.Status, value0, value1, sum uint32) (dispatch.Write, bool) {
	r := m.Completions
	if m.tail-r.Index >= 1<<r.Log2 {
		return dispatch.Write{}, false
	}
	b := arch.Completion{
		ID: m.id, Status: status, Phase: m.tail>>r.Log2&1 == 0, Value0: value0, Value1: value1, Head: m.head, Sum: sum,
	}.Encode()
	addr := r.Base + r.slot(m.tail)*arch.CompletionBytes
	m.tail++
	return dispatch.Write{Addr: addr, Data: b}, true
}
