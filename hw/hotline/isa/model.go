package isa

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
)

// Ring is what the registers say about a ring in host memory.
type Ring struct {
	Base  uint64
	Log2  int    // of its entries
	Index uint16 // the driver's free-running index: the producer's of commands, the consumer's of completions
}

// CommandRead is the read of a command: its tag and address.
type CommandRead struct {
	Tag  int
	Addr uint64
}

// slot is the number of an entry within the ring.
func (r Ring) slot(n uint16) uint64 { return uint64(n) & (1<<r.Log2 - 1) }

// Model is what ISA must do with what happens around it, without cycles.
type Model struct {
	Enable      bool
	RingsGiven  bool // both bases have been written since the reset
	Commands    Ring
	Completions Ring

	asked, head uint16 // commands fetched, taken
	tail        uint16 // completions posted
	id          uint32 // of the command taken last
}

// Overrun tells that the driver offers more commands than the ring has entries.
func (m *Model) Overrun() bool { return m.Commands.Index-m.head > 1<<m.Commands.Log2 }

// NoRings reports that commands wait for the bases of the rings.
func (m *Model) NoRings() bool { return !m.RingsGiven && m.Commands.Index != m.head }

// Fetch is the next read of a command, if there is one to be fetched and the
// buffer has room for it.
func (m *Model) Fetch() (CommandRead, bool) {
	n, ahead := m.asked, m.asked-m.head
	if !m.Enable || !m.RingsGiven || m.Overrun() || ahead >= m.Commands.Index-m.head || ahead >= Prefetch {
		return CommandRead{}, false
	}
	m.asked++
	return CommandRead{int(n % Prefetch), m.Commands.Base + m.Commands.slot(n)*arch.CommandBytes}, true
}

// Take takes the next command that was fetched; nil if its read failed. It
// gives the command for dispatch, or the status with which the command ends
// without it.
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

// Head is the consumer index of the command ring.
func (m *Model) Head() uint16 { return m.head }

// Tail is the producer index of the completion ring.
func (m *Model) Tail() uint16 { return m.tail }

// Complete posts the completion of the command taken last, with the outcome
// that dispatch reports and the sum of what was written, or the status of Take and
// zeros. It is false if the ring has no room.
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
