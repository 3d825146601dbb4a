package isa

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// Ring is what the registers say about a ring in host memory.
type Ring struct {
	Base  uint64
	Log2  int    // of its entries
	Index uint16 // the driver's free-running index: the producer's of commands, the consumer's of completions
}

// slot is the number of an entry within the ring.
func (r Ring) slot(n uint16) uint64 { return uint64(n) & (1<<r.Log2 - 1) }

// Model is what ISA must do with what happens around it, without cycles.
type Model struct {
	Enable      bool
	Commands    Ring
	Completions Ring

	beats       int    // of a command
	asked, head uint16 // commands fetched, taken
	tail        uint16 // completions posted
	id          uint32 // of the command taken last
}

// NewModel is a model after reset.
func NewModel(p arch.Params) *Model { return &Model{beats: Fetch{p}.beats()} }

// Fetch is the next read of a command, if there is one to be fetched and the
// buffer has room for it.
func (m *Model) Fetch() (dma.ReadRequest, bool) {
	if !m.Enable || m.asked == m.Commands.Index || m.asked-m.head >= Prefetch {
		return dma.ReadRequest{}, false
	}
	n := m.asked
	m.asked++
	return dma.ReadRequest{
		Addr: m.Commands.Base + m.Commands.slot(n)*arch.CommandBytes, Len: arch.CommandBytes,
		Kind: dma.Command, Dest: uint32(int(n%Prefetch) * m.beats),
	}, true
}

// Take takes the next command that was fetched; nil if its read failed. It
// gives the instruction for dispatch, or false if the command is damaged and
// its completion tells so.
func (m *Model) Take(command []byte) (dispatch.Instruction, bool) {
	m.head++
	m.id = 0
	if command == nil {
		return dispatch.Instruction{}, false
	}
	le := binary.LittleEndian
	m.id = le.Uint32(command[4:])
	body := command[:arch.CommandBytes-4]
	return dispatch.Instruction{
		Opcode: arch.Opcode(command[0]), Flags: command[1],
		Operand1: le.Uint64(command[8:]), Operand2: le.Uint64(command[16:]), Operand3: le.Uint64(command[24:]),
	}, le.Uint32(command[len(body):]) == Checksum(body)
}

// Head is the consumer index of the command ring.
func (m *Model) Head() uint16 { return m.head }

// Complete posts the completion of the command taken last, with the outcome
// that dispatch reports or, for a damaged one, arch.StatusCRC and zeros. It is
// false if the ring has no room.
func (m *Model) Complete(status uint8, value0, value1 uint32) (dispatch.Write, bool) {
	r := m.Completions
	if m.tail-r.Index == 1<<r.Log2 {
		return dispatch.Write{}, false
	}
	le := binary.LittleEndian
	b := make([]byte, arch.CompletionBytes)
	le.PutUint32(b, m.id)
	b[4] = status
	if m.tail>>r.Log2&1 == 0 {
		b[6] = 1 // the phase of the first pass, the third, ...
	}
	le.PutUint32(b[8:], value0)
	le.PutUint32(b[12:], value1)
	le.PutUint16(b[16:], m.head)
	le.PutUint32(b[28:], Checksum(b[:28]))
	addr := r.Base + r.slot(m.tail)*arch.CompletionBytes
	m.tail++
	return dispatch.Write{Addr: addr, Data: b}, true
}

// Encode gives the 64 bytes of a command.
func Encode(c dispatch.Instruction, id uint32) []byte {
	le := binary.LittleEndian
	b := make([]byte, arch.CommandBytes)
	b[0], b[1] = byte(c.Opcode), c.Flags
	le.PutUint32(b[4:], id)
	le.PutUint64(b[8:], c.Operand1)
	le.PutUint64(b[16:], c.Operand2)
	le.PutUint64(b[24:], c.Operand3)
	le.PutUint32(b[60:], Checksum(b[:60]))
	return b
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum is the CRC-32C of commands and completions.
func Checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }
