package dispatch

import (
	"math"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/input"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// Model is the reference of Dispatch. It executes whole commands and has no notion of cycles.
type Model struct {
	RegisterModel
	RowsAhead int  // rows requested that no operation has taken yet
	Vector    bool // the vector buffer holds a vector
	Listed    bool // the hot set was listed: the next learn begins a learning epoch
	halves    [2]half
}

// half is an eDRAM half: its words, and the results of the latest sweep over them.
type half struct {
	words   []uint32
	results []lookup.Result
	popular []bool // by input, from the latest classify
	inputs  int    // number of inputs that can be gathered
}

// Environment describes the behaviour of the other blocks during a command.
type Environment struct {
	Words   []uint32        // words that a load returns
	Results []lookup.Result // results of a sweep over these words, unless the command learns
	EAL     *eal.Tracker    // for a hotset
	Error   arch.DMAError   // first error of the reads and writes of the command
	NoLoad  bool            // the load failed
}

// Effect lists the actions of a command. The order within each list is the order of the hardware.
type Effect struct {
	Status arch.Status
	Values [2]uint32
	Loads  []dma.ReadRequest
	Rows   []dma.ReadRequest
	Ops    []reduce.Operation
	Inputs []int   // inputs whose rows a gather reads
	Hot    int     // lookups of a classify whose row is in the EAL
	Writes []Write // writes of the dispatcher itself
}

// Write is a packet that the dispatcher sends to dma.Write.
type Write struct {
	Addr uint64
	Data []byte
}

// NewModel returns a model in the state after reset.
func NewModel(p arch.Params) *Model {
	m := &Model{RegisterModel: *NewRegisterModel(p)}
	for i := range m.halves {
		m.halves[i] = half{words: make([]uint32, p.HalfWords()), results: make([]lookup.Result, p.HalfWords())}
	}
	return m
}

// Execute runs a whole command. It calls Check and, if the command is not refused, Loads, Run
// unless the load fails, and Finish.
func (m *Model) Execute(c arch.Command, s Environment) Effect {
	status := m.Check(c)
	if status != arch.StatusOK {
		return Effect{Status: status}
	}
	var e Effect
	if !s.NoLoad {
		e = m.Run(c, s)
	}
	e.Loads = m.Loads(c)
	if e.Status == arch.StatusOK {
		e.Status = arch.Status(s.Error)
	}
	m.Finish(c, e.Status == arch.StatusOK)
	return e
}

// Finish updates the state at the end of a command that was not refused. ok reports whether all its
// reads and writes succeeded.
func (m *Model) Finish(c arch.Command, ok bool) {
	h := &m.halves[c.Flags&1]
	switch c.Opcode {
	case arch.DMARead, arch.GPURead:
		m.RowsAhead++
	case arch.VAdd, arch.VMul:
		m.RowsAhead--
		m.Vector = ok
	case arch.DMAWrite, arch.Gather:
		m.Vector = false
	case arch.Learn:
		h.inputs = 0
		m.Listed = m.Listed && !ok
	case arch.HotSet:
		m.Listed = m.Listed || ok
	case arch.Update:
		m.Vector, h.inputs = false, 0
	case arch.Classify:
		h.inputs = 0
		if ok {
			h.inputs = int(c.Operand2)
		}
	case arch.SWrite:
		switch c.Operand1 {
		case arch.RegSlots:
			m.halves[0].inputs, m.halves[1].inputs = 0, 0
		case arch.RegRowLog2:
			m.Vector = false
		}
	}
}

// Inputs returns the number of inputs of a half that can be gathered.
func (m *Model) Inputs(half int) int { return m.halves[half].inputs }

// Loads returns the reads that load the words of a command into the eDRAM.
func (m *Model) Loads(c arch.Command) []dma.ReadRequest {
	n := int(c.Operand2)
	switch c.Opcode {
	case arch.Learn, arch.Classify:
		n *= m.Slots
	case arch.Update:
		n *= sizes.EntryWords
	default:
		return nil
	}
	return LoadRequests(m.p, c.Operand1, n, int(c.Flags&1))
}

// Run executes a command that was not refused and whose load, if any, succeeded. The returned
// Effect has no Loads. Its Status depends on the words only.
func (m *Model) Run(c arch.Command, s Environment) Effect {
	h, n := &m.halves[c.Flags&1], int(c.Operand2)
	switch c.Opcode {
	case arch.DMARead:
		return Effect{Rows: []dma.ReadRequest{m.row(false, c.Operand1)}}
	case arch.GPURead:
		return Effect{Rows: []dma.ReadRequest{m.row(true, m.Hot[c.Operand1]+c.Operand2<<m.RowLog2)}}
	case arch.VAdd:
		return Effect{Ops: []reduce.Operation{{Kind: reduce.Add, Load: c.Flags&1 != 0}}}
	case arch.VMul:
		return Effect{Ops: []reduce.Operation{{Kind: reduce.Mul, Scalar: math.Float32frombits(uint32(c.Operand1))}}}
	case arch.DMAWrite:
		return Effect{Ops: []reduce.Operation{{Kind: reduce.Keep, Write: true, Addr: c.Operand1}}}
	case arch.SWrite:
		m.Write(c.Operand1, c.Operand2)
	case arch.Learn:
		return Effect{Values: [2]uint32{uint32(n * m.Slots)}}
	case arch.Classify:
		copy(h.words, s.Words[:n*m.Slots])
		return m.classify(c, h, s.Results[:n*m.Slots])
	case arch.Gather:
		return m.Gather(h.words[:n*m.Slots], h.results, h.popular)
	case arch.Update:
		list := s.Words[:n*sizes.EntryWords]
		if !m.tablesGiven(list) {
			return Effect{Status: arch.StatusNoTable}
		}
		return m.Update(list)
	case arch.HotSet:
		entries := HotEntries(m.p, s.EAL)
		return Effect{Values: [2]uint32{uint32(len(entries))}, Writes: PackEntries(c.Operand1, entries)}
	}
	return Effect{}
}

// Check returns the status with which a command is refused, or arch.StatusOK.
func (m *Model) Check(c arch.Command) arch.Status {
	fits := func(each int) bool {
		return c.Operand2 > 0 && c.Operand2 <= uint64(m.p.HalfWords()) && int(c.Operand2)*each <= m.p.HalfWords()
	}
	rowBytes := uint64(1) << m.RowLog2
	address, bitmap, row := c.Operand1%4 == 0, c.Operand3%4 == 0, m.RowLog2 > 0
	ok := true
	switch c.Opcode {
	case arch.Learn:
		ok = fits(m.Slots) && m.Slots > 0 && address
	case arch.Classify:
		ok = fits(m.Slots) && m.Slots > 0 && address && bitmap
	case arch.Gather:
		ok = fits(m.Slots) && m.Slots > 0 && m.GPUs > 0 && row
	case arch.Update:
		ok = fits(sizes.EntryWords) && m.GPUs > 0 && row && address
	case arch.DMARead, arch.DMAWrite:
		ok = row && c.Operand2 == rowBytes && address
	case arch.GPURead:
		ok = row && c.Operand1 < uint64(m.p.GPUs) && c.Operand2 < uint64(m.p.Blocks)
	case arch.VAdd, arch.VMul:
		ok = row
	case arch.SWrite:
		ok = NewRegisterModel(m.p).Write(c.Operand1, c.Operand2)
	case arch.HotSet:
		ok = address
	case arch.Fence:
	default:
		return arch.StatusOpcode
	}
	if !ok {
		return arch.StatusRange
	}
	if status := m.conflict(c); status != arch.StatusOK {
		return status
	}
	if !m.located(c) {
		return arch.StatusNoAddress
	}
	return arch.StatusOK
}

// located reports whether the registers that a command needs have been written.
func (m *Model) located(c arch.Command) bool {
	switch c.Opcode {
	case arch.GPURead:
		return m.Given(arch.RegHot + c.Operand1)
	case arch.Learn:
		return m.SlotsGiven()
	case arch.Classify:
		return m.SlotsGiven() && m.GPUsGiven(arch.RegMailbox)
	case arch.Gather:
		return m.SlotsGiven() && m.SlotTablesGiven() && m.GPUsGiven(arch.RegHot) && m.GPUsGiven(arch.RegPooled)
	case arch.Update:
		return m.GPUsGiven(arch.RegGrad)
	}
	return true
}

// tablesGiven reports whether all tables of an update list have addresses.
func (m *Model) tablesGiven(list []uint32) bool {
	for k := 0; k < len(list); k += sizes.EntryWords {
		if !m.Given(arch.RegTable + uint64(list[k])%uint64(m.p.Tables)) {
			return false
		}
	}
	return true
}

// conflict returns the status with which the current state refuses a command, or arch.StatusOK.
func (m *Model) conflict(c arch.Command) arch.Status {
	ahead := m.RowsAhead > 0
	switch c.Opcode {
	case arch.DMARead, arch.GPURead:
		if m.RowsAhead == m.p.Tags {
			return arch.StatusRowsFull
		}
	case arch.VAdd, arch.VMul:
		if !ahead {
			return arch.StatusNoRow
		}
		if c.Opcode == arch.VAdd && c.Flags&1 == 0 && !m.Vector {
			return arch.StatusNoVector
		}
	case arch.DMAWrite:
		if !m.Vector {
			return arch.StatusNoVector
		}
	case arch.SWrite:
		if ahead && c.Operand1 == arch.RegRowLog2 {
			return arch.StatusRowsAhead
		}
	case arch.Learn, arch.Classify, arch.Update:
		if ahead {
			return arch.StatusRowsAhead
		}
	case arch.Gather:
		if ahead {
			return arch.StatusRowsAhead
		}
		if int(c.Operand2) > m.halves[c.Flags&1].inputs {
			return arch.StatusNoInputs
		}
	}
	return arch.StatusOK
}

// row returns the read request of a row.
func (r *RegisterModel) row(peer bool, addr uint64) dma.ReadRequest {
	return dma.ReadRequest{Peer: peer, Addr: addr, Len: 1 << r.RowLog2, Kind: dma.Row}
}

// classify stores the results of a half, and writes the bitmap to the host and to the GPUs.
func (m *Model) classify(c arch.Command, h *half, results []lookup.Result) Effect {
	copy(h.results, results)
	h.popular = Classify(results, m.Slots)
	count := 0
	for _, p := range h.popular {
		if p {
			count++
		}
	}
	bitmap := Bitmap(m.p, h.popular)
	e := Effect{Values: [2]uint32{uint32(count), uint32(len(results))}, Writes: Packets(c.Operand3, bitmap, dma.MaxBytes)}
	for g := range m.GPUs {
		e.Writes = append(e.Writes, Packets(m.Mailbox[g], bitmap, dma.MaxBytes)...)
	}
	return e
}

// LoadRequests returns the reads that load n words at addr into a half of the eDRAM.
func LoadRequests(p arch.Params, addr uint64, n, half int) []dma.ReadRequest {
	var out []dma.ReadRequest
	dest := uint32(half) << (Of(p).DestBits() - 1)
	for bytes := 4 * n; bytes > 0; bytes -= input.ChunkBytes {
		out = append(out, dma.ReadRequest{Addr: addr, Len: min(bytes, input.ChunkBytes), Kind: dma.Load, Dest: dest})
		addr += input.ChunkBytes
		dest += uint32(input.ChunkBytes / p.StreamBytes())
	}
	return out
}

// Classify reports for each input whether all its lookups hit.
func Classify(results []lookup.Result, slots int) []bool {
	out := make([]bool, len(results)/slots)
	for i := range out {
		out[i] = true
		for _, r := range results[i*slots : (i+1)*slots] {
			out[i] = out[i] && r.Hit
		}
	}
	return out
}

// Bitmap returns the bitmap of the popular inputs: bit i%8 of byte i/8 belongs to input i. Its
// length is a whole number of beats.
func Bitmap(p arch.Params, popular []bool) []byte {
	out := p.Geometry().NewBitmap(len(popular))
	for i, yes := range popular {
		if yes {
			out.Add(i)
		}
	}
	return out
}

// Packets splits data into packets of at most most bytes.
func Packets(addr uint64, data []byte, most int) []Write {
	var out []Write
	for len(data) > 0 {
		n := min(most, len(data))
		out = append(out, Write{addr, data[:n]})
		addr, data = addr+uint64(n), data[n:]
	}
	return out
}
