package model

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// Memory is the memory that commands read: of the host and of all GPUs.
type Memory interface {
	ReadAt(addr uint64, p []byte)
}

// Outcome is the result of a command. Writes is in the order of the hardware. The caller of Execute
// performs the writes.
type Outcome struct {
	Status arch.Status
	Values [2]uint32
	Writes []dispatch.Write
}

// Execute runs a whole command. All its reads precede its writes.
func (m *Model) Execute(c arch.Command, memory Memory) Outcome {
	if status := m.Dispatch.Check(c); status != arch.StatusOK {
		return Outcome{Status: status}
	}
	words := m.load(c, memory)
	var keys []uint32
	if c.Opcode == arch.Learn || c.Opcode == arch.Classify {
		keys = m.Keys(words)
	}
	if c.Opcode == arch.Learn {
		m.BeginLearn()
		for _, k := range keys {
			m.EAL.Access(k)
		}
	}
	e := m.Run(c, words, keys)
	for _, q := range e.Rows {
		m.ahead = append(m.ahead, read(q, memory))
	}
	writes := append(e.Writes, m.reduce(e.Ops)...)
	m.Dispatch.Finish(c, e.Status == arch.StatusOK)
	return Outcome{Status: e.Status, Values: e.Values, Writes: writes}
}

// load reads the words of a command.
func (m *Model) load(c arch.Command, memory Memory) (words []uint32) {
	for _, q := range m.Dispatch.Loads(c) {
		words = append(words, read(q, memory)...)
	}
	return words
}

// reduce executes operations on the rows that wait for them.
func (m *Model) reduce(ops []reduce.Operation) (writes []dispatch.Write) {
	values := 1 << m.Dispatch.RowLog2 / arch.WordBytes
	for _, op := range ops {
		var row []uint32
		if op.Kind != reduce.Keep {
			row, m.ahead = m.ahead[0], m.ahead[1:]
		}
		if v, sent := m.Reducer.Do(op, values, row, false); sent {
			writes = append(writes, dispatch.Write{Addr: v.Addr, Data: v.Bytes()})
		}
	}
	return writes
}

// read returns the words of a read.
func read(q dma.ReadRequest, memory Memory) []uint32 {
	b := make([]byte, q.Len)
	memory.ReadAt(q.Addr, b)
	words := make([]uint32, 0, q.Len/arch.WordBytes)
	for ; len(b) > 0; b = b[arch.WordBytes:] {
		words = append(words, binary.LittleEndian.Uint32(b))
	}
	return words
}
