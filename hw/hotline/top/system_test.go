package top

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// sizes are configurations of the whole accelerator. host/device/cycle also runs the small one
// behind PCIe.
var sizes = []struct {
	name string
	arch.Params
}{
	{"small", sized(8, 128, 4)},
	{"wide", sized(16, 256, 2)},
	{"full", sized(16, 512, 1)},
}

func sized(engines, streamBits, gpus int) arch.Params {
	p := arch.Small()
	p.Engines, p.StreamBits, p.ALUs, p.GPUs = engines, streamBits, streamBits/32, gpus
	p.Banks, p.Blocks, p.EDRAMWords, p.Tags = 4, 1024, 4096, 8
	return p
}

func TestElaborates(t *testing.T) {
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		_, err := hw.Elaborate(Hotline{p})
		require.NoError(t, err)
	}
	_, err := hw.Elaborate(Hotline{arch.Params{}})
	require.ErrorContains(t, err, "engines is 0")
}

// TestSystem runs mini-batches. After each command, it compares the memory with the reference
// models of the blocks.
func TestSystem(t *testing.T) {
	for _, p := range sizes {
		d, err := hw.Elaborate(Hotline{p.Params})
		require.NoError(t, err)
		for seed := range uint64(2) {
			s, err := newSystem(d, p.Params, seed)
			require.NoError(t, err)
			require.NoError(t, s.miniBatch(), "%s, seed %d", p.name, seed)
		}
	}
}

// Memory map. GPU g is at gpuBase·(g+1).
const (
	commandRing, completionRing = 0x10000, 0x20000
	hostWords, hostList         = 0x100000, 0x200000
	hostBitmap, hostHot         = 0x300000, 0x400000
	hostOthers                  = 0x500000
	hostTables                  = 1 << 32
	gpuBase                     = 1 << 40
	pooled, gradients, mailbox  = 1 << 33, 1 << 34, 1 << 35 // offsets within a GPU
)

// miniBatch learns, reads out the hot set, classifies, gathers and updates.
func (s *system) miniBatch() error {
	if err := s.ready(); err != nil {
		return err
	}
	if err := s.registers(); err != nil {
		return err
	}
	n, slots := 20+s.Rand.IntN(20), s.model.Dispatch.Slots
	words := make([]uint32, n*slots)
	for i := range words {
		words[i] = uint32(s.Rand.IntN(1 + s.Rand.IntN(40)))
	}
	s.writeWords(hostWords, words)
	learned, err := s.do(arch.Command{Opcode: arch.Learn, Operand1: hostWords, Operand2: uint64(n / 2)})
	if err != nil || learned != [2]uint32{uint32(n / 2 * slots), 0} {
		return errors.Join(err, fmt.Errorf("learn completes with %d", learned))
	}
	tracker, err := s.hotSet(words[:n/2*slots])
	if err != nil {
		return err
	}
	s.model.EAL = tracker
	list := s.list(words)
	s.writeWords(hostList, list)
	s.writeWords(hostOthers, s.others(n*slots))
	for _, c := range []arch.Command{
		{Opcode: arch.Classify, Flags: 1, Operand1: hostWords, Operand2: uint64(n), Operand3: hostBitmap},
		{Opcode: arch.Learn, Flags: 0, Operand1: hostOthers, Operand2: uint64(n)},
		{Opcode: arch.Gather, Flags: 1, Operand2: uint64(n)},
		{Opcode: arch.Update, Flags: 0, Operand1: hostList, Operand2: uint64(len(list) / 2)},
		{Opcode: arch.Gather, Flags: 1, Operand2: uint64(n / 2)},
		{Opcode: arch.Fence},
	} {
		if err := s.check(c); err != nil {
			return fmt.Errorf("%v: %w", c, err)
		}
	}
	if err := s.counters(n*slots, len(list)/2); err != nil {
		return err
	}
	return s.fault()
}

// others returns words that the mini-batch does not have, to be learned into the other half.
func (s *system) others(n int) []uint32 {
	words := make([]uint32, n)
	for i := range words {
		words[i] = uint32(500 + s.Rand.IntN(400))
	}
	return words
}

// counters compares the counters after a mini-batch with the given numbers of lookups and updates.
func (s *system) counters(lookups, updates int) error {
	var got [5]uint64
	for i, offset := range []uint64{arch.CSRLookups, arch.CSRCacheHits, arch.CSRLookupCycles, arch.CSRRowsRead, arch.CSRRowsWritten} {
		v, err := s.read(offset)
		if err != nil {
			return err
		}
		got[i] = v
	}
	want := [5]uint64{uint64(lookups), got[1], got[2], uint64(s.rows + 2*updates), uint64(s.vectorsWritten + updates)}
	if least := uint64(lookups / s.p.Engines); got != want || got[1] > got[0] || got[2] < least || got[2] > 40*least+400 {
		return fmt.Errorf("counters are %d, want %d", got, want)
	}
	return nil
}

// registers sets up all registers.
func (s *system) registers() error {
	first, tables := true, 1+s.Rand.IntN(6)
	slots := dispatch.LeastSlots(s.p) + s.Rand.IntN(6)
	s.model.Dispatch.Slots = slots
	list := map[uint64]uint64{
		arch.RegSlots: uint64(slots), arch.RegTables: uint64(tables), arch.RegGPUs: uint64(1 + s.Rand.IntN(s.p.GPUs)),
		arch.RegRowLog2: uint64(arch.Log2(s.p.StreamBytes()) + s.Rand.IntN(2)), arch.RegScale: uint64(math.Float32bits(s.Rand.Float32())),
	}
	for t := range uint64(tables) {
		list[arch.RegTable+t] = hostTables + t<<24
	}
	for i := range slots {
		table := i * tables / slots
		last := i == slots-1 || (i+1)*tables/slots != table
		list[arch.RegSlot+uint64(i)] = arch.Slot{Base: uint32(table * 1000), Table: table, First: first, Last: last}.Bits()
		first = last
	}
	for g := range uint64(s.p.GPUs) {
		base := gpuBase * (g + 1)
		list[arch.RegHot+g], list[arch.RegPooled+g], list[arch.RegGrad+g], list[arch.RegMailbox+g] = base, base+pooled, base+gradients, base+mailbox
	}
	for index := range uint64(arch.RegCount) {
		if v, ok := list[index]; ok {
			c := arch.Command{Opcode: arch.SWrite, Operand1: index, Operand2: v}
			s.model.Execute(c, s.memory)
			if _, err := s.do(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// hotSet reads out the hot set and checks that it consists of learned rows, except those that did
// not fit. It returns a tracker with the same content as the hardware.
func (s *system) hotSet(words []uint32) (*eal.Tracker, error) {
	learned := map[uint32]bool{}
	for _, key := range s.model.Keys(words) {
		learned[key] = true
	}
	v, err := s.do(arch.Command{Opcode: arch.HotSet, Operand1: hostHot})
	if err != nil {
		return nil, err
	}
	t := eal.NewTracker(s.p)
	for i := range uint64(v[0]) {
		id, block := s.word(hostHot+8*i), int(s.word(hostHot+8*i+4))
		key := randomizer.Permute(s.p.IDBits(), id)
		place, way := eal.PlaceOf(s.p, key), block%s.p.Ways
		b := &t.Set(place.Bank, place.Set)[way]
		if !learned[key] || block != place.BlockNumber(s.p, way) || b.Valid {
			return nil, fmt.Errorf("hot-set entry %d: row %d in block %d", i, id, block)
		}
		*b = eal.Entry{Valid: true, Tag: place.Tag}
	}
	hits := 0
	for key := range learned {
		if hit, _ := t.Probe(key); hit {
			hits++
		}
	}
	if hits != int(v[0]) || 2*hits < len(learned) {
		return nil, fmt.Errorf("%d of %d rows are hot, %d entries", hits, len(learned), v[0])
	}
	return t, nil
}

// list returns an update list of the cold rows of a mini-batch, each once.
func (s *system) list(words []uint32) []uint32 {
	var out []uint32
	seen := map[[2]uint32]bool{}
	for i, r := range lookup.Probe(s.model.EAL, s.model.Keys(words)) {
		m := s.model.Dispatch
		row := [2]uint32{uint32(m.SlotTable[i%m.Slots].Table), words[i]}
		if !r.Hit && !seen[row] {
			seen[row] = true
			out = append(out, row[:]...)
		}
	}
	return out
}

// check runs a command and compares its effects with the model.
func (s *system) check(c arch.Command) error {
	want := s.model.Execute(c, noise{s.memory})
	got, err := s.do(c)
	if err != nil {
		return err
	}
	if want.Status != arch.StatusOK || got != want.Values {
		return fmt.Errorf("values %d, want %d, %v", got, want.Values, want.Status)
	}
	if c.Opcode == arch.Gather {
		s.rows += int(got[0] + got[1])
		s.vectorsWritten += len(want.Writes)
	}
	for _, w := range want.Writes {
		b := make([]byte, len(w.Data))
		s.memory.ReadAt(w.Addr, b)
		if string(b) != string(w.Data) {
			return fmt.Errorf("%x at %#x, want %x", b, w.Addr, w.Data)
		}
	}
	return nil
}

// TestLostCommand makes the read of a command fail. Its completion must report the failure, and the
// accelerator must continue.
func TestLostCommand(t *testing.T) {
	for _, p := range sizes {
		d, err := hw.Elaborate(Hotline{p.Params})
		require.NoError(t, err)
		s, err := newSystem(d, p.Params, 1)
		require.NoError(t, err)
		require.NoError(t, s.ready())
		s.target.Fault = func(d dma.Descriptor) dma.Fault {
			if d.Addr == commandRing {
				return dma.Fault{Error: 10, Short: true}
			}
			return dma.Fault{}
		}
		fence := arch.Command{Opcode: arch.Fence}
		status, _, err := s.runAs(fence, 7, 0)
		require.NoError(t, err)
		require.EqualValues(t, arch.StatusFetch, status)
		s.target.Fault = nil
		_, err = s.do(fence)
		require.NoError(t, err)
	}
}

// fault makes the read of a row fail. The command that uses the row must report the failure and
// write nothing; the next commands must succeed.
func (s *system) fault() error {
	const code, out = 11, hostHot
	row := uint64(1) << s.model.Dispatch.RowLog2
	read := arch.Command{Opcode: arch.GPURead, Operand1: uint64(s.p.GPUs - 1), Operand2: 5}
	load := arch.Command{Opcode: arch.VAdd, Flags: 1}
	write := arch.Command{Opcode: arch.DMAWrite, Operand1: out, Operand2: row}
	s.target.Fault = func(d dma.Descriptor) dma.Fault {
		if d.Peer {
			return dma.Fault{Error: code, Short: true}
		}
		return dma.Fault{}
	}
	if _, err := s.do(read); err != nil {
		return err
	}
	if status, _, err := s.run(load); err != nil || status != code {
		return errors.Join(err, fmt.Errorf("status %d, want %d", status, code))
	}
	s.target.Fault = nil
	if status, _, err := s.run(write); err != nil || status != arch.StatusNoVector {
		return errors.Join(err, fmt.Errorf("status %d of a vector that is not there", status))
	}
	for _, c := range []arch.Command{read, load, write} {
		if _, err := s.do(c); err != nil {
			return err
		}
	}
	for i := uint64(0); i < row; i += 4 {
		if got, want := s.word(out+i), s.word(gpuBase*uint64(s.p.GPUs)+5*row+i); got != want {
			return fmt.Errorf("value %d of a row is %#x, want %#x", i/4, got, want)
		}
	}
	return nil
}

// TestRandomSizes runs a mini-batch on accelerators of random valid sizes.
func TestRandomSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	power := func(lo, hi int) int { return lo << r.IntN(arch.Log2(hi/lo)+1) }
	for n := 0; n < 8; {
		p := arch.Params{
			Engines: power(4, 32), Banks: power(4, 32), Blocks: power(256, 1<<13), Ways: power(2, 16), TagBits: 1 + r.IntN(20),
			QueueDepth: power(2, 16), Window: power(8, 64), Cache: power(4, 256), StreamBits: power(128, 512), VectorValues: power(32, 256),
			Tags: power(4, 64), Slots: power(16, 256), Tables: power(8, 256), GPUs: power(1, 8),
		}
		p.ALUs, p.EDRAMWords = p.StreamBits/32, 2*p.Engines*(2+r.IntN(200))
		if p.Validate() != nil || p.HalfWords() < 800 || p.IDBits() < 14 { // too small for the mini-batch
			continue
		}
		n++
		d, err := hw.Elaborate(Hotline{p})
		require.NoError(t, err, "%+v", p)
		s, err := newSystem(d, p, uint64(n))
		require.NoError(t, err)
		require.NoError(t, s.miniBatch(), "%+v", p)
	}
}
