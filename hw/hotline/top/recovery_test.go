package top

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// These tests check that an error leaves a defined state: after any failure, no later command
// hangs, uses stale data, or gets the status of another command.

// Rows have two beats. The tests use rows from rowsAt on, and write to elsewhere.
const (
	rowBytes  = 32
	rowsAt    = hostTables
	elsewhere = hostHot
)

var (
	fence = arch.Command{Opcode: arch.Fence}
	load  = arch.Command{Opcode: arch.VAdd, Flags: 1}
	mul   = arch.Command{Opcode: arch.VMul, Operand1: 0x3f800000}
)

func readRow(k uint64) arch.Command {
	return arch.Command{Opcode: arch.DMARead, Operand1: rowsAt + rowBytes*k, Operand2: rowBytes}
}

func writeRow(k uint64) arch.Command {
	return arch.Command{Opcode: arch.DMAWrite, Operand1: elsewhere + rowBytes*k, Operand2: rowBytes}
}

// recovering returns a ready system with rows of two beats, one table of two slots and one GPU.
func recovering(t *testing.T) *system {
	p := sizes[0].Params
	d, err := hw.Elaborate(Hotline{p})
	require.NoError(t, err)
	s, err := newSystem(d, p, 1)
	require.NoError(t, err)
	require.NoError(t, s.ready())
	s.setUp(t)
	return s
}

func (s *system) setUp(t *testing.T) {
	for index, v := range map[uint64]uint64{arch.RegRowLog2: 5, arch.RegGPUs: 1, arch.RegTables: 1, arch.RegSlots: 2, arch.RegScale: 0x3f800000,
		arch.RegTable: rowsAt, arch.RegGrad: gpuBase, arch.RegPooled: gpuBase + pooled, arch.RegHot: gpuBase, arch.RegMailbox: gpuBase + mailbox,
		arch.RegSlot: 1 << arch.SlotFirstBit, arch.RegSlot + 1: 1 << arch.SlotLastBit} {
		require.Equal(t, []arch.Status{0}, s.all(t, arch.Command{Opcode: arch.SWrite, Operand1: index, Operand2: v}))
	}
}

// all queues commands, rings the doorbell once, and returns the status of each.
func (s *system) all(t *testing.T, list ...arch.Command) []arch.Status {
	t.Helper()
	s.queue(t, list...)
	statuses, err := s.statuses(len(list))
	require.NoError(t, err, "%d of %d commands have ended: %d", len(statuses), len(list), statuses)
	return statuses
}

func (s *system) queue(t *testing.T, list ...arch.Command) {
	for _, c := range list {
		slot := uint64(s.posted) % (1 << ringLog2)
		s.memory.WriteAt(commandRing+slot*arch.CommandBytes, c.Encode(uint32(s.posted)))
		s.posted++
	}
	require.NoError(t, s.write(arch.CSRSQTail, uint64(s.posted)))
}

// statuses waits for the completions of the last n commands.
func (s *system) statuses(n int) (out []arch.Status, err error) {
	b, le := make([]byte, arch.CompletionBytes), binary.LittleEndian
	for k := s.posted - uint16(n); k != s.posted; k++ {
		come := func() bool {
			s.memory.ReadAt(completionRing+uint64(k)%(1<<ringLog2)*arch.CompletionBytes, b)
			return b[6] == byte(1-k>>ringLog2&1)
		}
		if err := s.until(20000, come); err != nil {
			return out, err
		}
		if id := le.Uint32(b); id != uint32(k) && id != 0 {
			return out, fmt.Errorf("completion %d has id %d", k, id)
		}
		out = append(out, arch.Status(b[4]))
	}
	return out, s.write(arch.CSRCQHead, uint64(s.posted))
}

// fail makes the descriptors at an address fail.
func (s *system) fail(addr uint64, f dma.Fault) {
	s.target.Fault = func(d dma.Descriptor) dma.Fault {
		if d.Addr == addr {
			return f
		}
		return dma.Fault{}
	}
}

// expectRow checks that row k was written to location at of elsewhere.
func (s *system) expectRow(t *testing.T, k, at uint64) {
	t.Helper()
	for i := uint64(0); i < rowBytes; i += 4 {
		require.Equal(t, s.word(rowsAt+rowBytes*k+i), s.word(elsewhere+rowBytes*at+i))
	}
}

// expectNoRow checks that nothing was written to location at of elsewhere.
func (s *system) expectNoRow(t *testing.T, at uint64) {
	t.Helper()
	b := make([]byte, rowBytes)
	s.memory.ReadAt(elsewhere+rowBytes*at, b)
	require.Equal(t, make([]byte, rowBytes), b)
}

// slotOf returns the address of the command that will be queued after n others.
func (s *system) slotOf(n uint16) uint64 {
	return commandRing + uint64(s.posted+n)%(1<<ringLog2)*arch.CommandBytes
}

func TestCommandsGoOnBehindOneThatIsLost(t *testing.T) {
	s := recovering(t)
	s.fail(s.slotOf(1), dma.Fault{Error: 10, Short: true})
	require.Equal(t, []arch.Status{0, arch.StatusFetch, 0, 0}, s.all(t, readRow(3), fence, load, writeRow(0)))
	s.expectRow(t, 3, 0)
}

func TestCommandsAreFetchedBehindRows(t *testing.T) {
	s := recovering(t)
	list := []arch.Command{readRow(3)}
	for range 40 {
		list = append(list, fence)
	}
	for i, status := range s.all(t, append(list, load, writeRow(0))...) {
		require.Zero(t, status, "command %d", i)
	}
	s.expectRow(t, 3, 0)
}

func TestRowsAheadAreLimited(t *testing.T) {
	s := recovering(t)
	var list []arch.Command
	var want []arch.Status
	for k := range uint64(40) {
		list, want = append(list, readRow(k)), append(want, arch.StatusRowsFull)
		if k < uint64(s.p.Tags) {
			want[k] = 0
		}
	}
	require.Equal(t, want, s.all(t, list...))
	v, err := s.read(arch.CSRRowsAhead)
	require.NoError(t, err)
	require.EqualValues(t, s.p.Tags, v)
	for k := range uint64(s.p.Tags) {
		require.Equal(t, []arch.Status{0, 0}, s.all(t, load, writeRow(k)))
		s.expectRow(t, k, k)
	}
	require.Equal(t, []arch.Status{arch.StatusNoRow, arch.StatusNoRow, 0}, s.all(t, load, mul, fence))
}

func TestFailedRowIsNeverWritten(t *testing.T) {
	s := recovering(t)
	require.Equal(t, []arch.Status{0, 0, 0}, s.all(t, readRow(1), load, writeRow(0)))
	for i, f := range []dma.Fault{{Error: 10, Short: true}, {Error: 1}, {Poison: true}, {Short: true}} {
		s.fail(rowsAt+rowBytes*7, f)
		code := []arch.Status{10, 1, arch.Status(arch.ErrPoisoned), arch.Status(arch.ErrShort)}[i]
		// Another command runs while the row arrives. It must not get the error.
		require.Equal(t, []arch.Status{0, 0, code, arch.StatusNoVector, arch.StatusNoVector}, s.all(t, readRow(7), fence, load, writeRow(1), writeRow(2)))
		s.expectNoRow(t, 1)
		s.expectNoRow(t, 2)
	}
	s.target.Fault = nil
	require.Equal(t, []arch.Status{0, 0, 0}, s.all(t, readRow(7), load, writeRow(1)))
	s.expectRow(t, 7, 1)
}

func TestLeftoverRowShiftsNothing(t *testing.T) {
	s := recovering(t)
	s.writeWords(hostList, []uint32{0, 11, 0, 22})
	update := arch.Command{Opcode: arch.Update, Operand1: hostList, Operand2: 2}
	batch := arch.Command{Opcode: arch.Classify, Operand1: hostWords, Operand2: 1, Operand3: hostBitmap}
	learn := arch.Command{Opcode: arch.Learn, Operand1: hostWords, Operand2: 1}
	gather := arch.Command{Opcode: arch.Gather, Operand2: 1}
	before := [2]uint32{s.word(rowsAt + 11*rowBytes), s.word(rowsAt + 22*rowBytes)}
	const ahead = arch.StatusRowsAhead
	require.Equal(t, []arch.Status{0, ahead, ahead, ahead, ahead}, s.all(t, readRow(5), update, batch, learn, gather))
	require.Equal(t, before, [2]uint32{s.word(rowsAt + 11*rowBytes), s.word(rowsAt + 22*rowBytes)})
	require.Equal(t, []arch.Status{0, 0, arch.StatusNoInputs, arch.StatusNoVector}, s.all(t, load, update, gather, writeRow(0)))
	s.expectNoRow(t, 0)
	require.Equal(t, before[0], s.updated(before[0], 0, 11))
	require.Equal(t, before[1], s.updated(before[1], 1, 22))
}

// updated returns before, the old first word of a row, if update k of row index was correct, and 0
// otherwise.
func (s *system) updated(before uint32, k, index uint64) uint32 {
	sum := float(before) + float(s.word(gpuBase+rowBytes*k))
	if float(s.word(rowsAt+rowBytes*index)) != sum {
		return 0
	}
	return before
}

func TestDamagedCommandIsNotExecuted(t *testing.T) {
	s := recovering(t)
	for _, f := range []dma.Fault{{Error: 11}, {Poison: true}, {Short: true, Beats: 2}} {
		require.Equal(t, []arch.Status{0, 0}, s.all(t, readRow(1), load))
		s.fail(s.slotOf(0), f) // all beats arrive except in the last case
		require.Equal(t, []arch.Status{arch.StatusFetch, 0}, s.all(t, writeRow(0), fence))
		s.expectNoRow(t, 0)
		s.target.Fault = nil
	}
}

func TestLostCompletionHalts(t *testing.T) {
	s := recovering(t)
	place := completionRing + uint64(s.posted+1)%(1<<ringLog2)*arch.CompletionBytes
	s.fail(place, dma.Fault{Error: 10})
	s.queue(t, fence, fence, fence)
	require.NoError(t, s.until(5000, func() bool {
		v, err := s.read(arch.CSRStatus)
		require.NoError(t, err)
		return v == 1<<arch.StatusReadyBit|1<<arch.StatusHaltedBit
	}))
	for offset, want := range map[uint64]uint64{arch.CSRError: 10, arch.CSRSQHead: uint64(s.posted) - 1, arch.CSRCQTail: uint64(s.posted) - 1} {
		v, err := s.read(offset)
		require.NoError(t, err)
		require.Equal(t, want, v, "%#x", offset)
	}
	s.target.Fault = nil
	s.restart(t)
	require.Equal(t, []arch.Status{0}, s.all(t, fence))
}

// restart resets the accelerator as a reloaded driver does.
func (s *system) restart(t *testing.T) {
	s.reset(t)
	require.NoError(t, s.ready())
	s.setUp(t)
}

// reset resets the accelerator and waits until the reset is complete.
func (s *system) reset(t *testing.T) {
	require.NoError(t, s.write(arch.CSRControl, 1<<arch.ControlResetBit))
	require.NoError(t, s.until(5000, func() bool {
		v, err := s.read(arch.CSRControl)
		require.NoError(t, err)
		return v == 0
	}))
	require.True(t, s.target.Idle(), "descriptors are under way behind a reset")
	s.posted = 0
	for k := range uint64(1 << ringLog2) {
		s.memory.WriteAt(completionRing+k*arch.CompletionBytes, make([]byte, arch.CompletionBytes))
	}
}

// TestReset resets in the middle of all kinds of waiting: for rows, for loads and their words, for
// writes, for room in the completion ring.
func TestReset(t *testing.T) {
	s := recovering(t)
	words := make([]uint32, 400)
	for i := range words {
		words[i] = uint32(i)
	}
	s.writeWords(hostWords, words)
	batch := arch.Command{Opcode: arch.Classify, Operand1: hostWords, Operand2: 200, Operand3: hostBitmap}
	gather := arch.Command{Opcode: arch.Gather, Operand2: 200}
	hot := arch.Command{Opcode: arch.HotSet, Operand1: hostList}
	for _, list := range [][]arch.Command{
		{readRow(1), readRow(2), readRow(3)}, {batch}, {batch, gather}, {batch, gather, hot, fence, fence, fence}, {readRow(1), load, writeRow(1), writeRow(2)}, {hot, hot, hot},
	} {
		for cycles := 10; cycles < 2000; cycles += 1 + cycles/3 {
			s.queue(t, list...)
			for range cycles {
				require.NoError(t, s.cycle())
			}
			s.restart(t)
			for _, offset := range []uint64{arch.CSRRowsAhead, arch.CSRDropped, arch.CSRError, arch.CSRRowsRead, arch.CSRLookups} {
				v, err := s.read(offset)
				require.NoError(t, err)
				require.Zero(t, v, "%#x", offset)
			}
			require.Equal(t, []arch.Status{arch.StatusNoRow, arch.StatusNoVector, arch.StatusNoInputs}, s.all(t, mul, writeRow(0), gather))
			require.Equal(t, []arch.Status{0, 0, 0}, s.all(t, readRow(9), load, writeRow(9)))
			s.expectRow(t, 9, 9)
		}
	}
}

func TestAccessesOfPartsOfWordsFail(t *testing.T) {
	s := recovering(t)
	access := func(offset, v, strobes uint64) uint64 {
		s.aw.Send(0, []uint64{offset, 0})
		s.w.Send(0, []uint64{v, strobes})
		require.NoError(t, s.until(100, func() bool { return len(s.b.Got[0]) > 0 }))
		resp := s.b.Got[0][0][0]
		s.b.Got[0] = nil
		return resp
	}
	for strobes := range uint64(16) {
		want := uint64(2)
		if strobes == 15 {
			want = 0
		}
		require.Equal(t, want, access(arch.CSRCQBaseHi, strobes, strobes), "strobes %x", strobes)
	}
	for low := range uint64(4) {
		s.ar.Send(0, []uint64{arch.CSRCQBaseHi + low, 0})
		require.NoError(t, s.until(100, func() bool { return len(s.r.Got[0]) > 0 }))
		got := s.r.Got[0][0]
		s.r.Got[0] = nil
		if low == 0 {
			require.Equal(t, []uint64{0, 15}, []uint64(got))
		} else {
			require.Equal(t, []uint64{2, 0}, []uint64(got), "offset %d", low)
			require.EqualValues(t, 2, access(arch.CSRCQBaseHi+low, 0, 15))
		}
	}
}

// TestGoesOnWithoutAReset hands the rings over to a new driver without a reset, at their current
// indices.
func TestGoesOnWithoutAReset(t *testing.T) {
	s := recovering(t)
	s.all(t, fence, fence, fence)
	require.NoError(t, s.write(arch.CSRControl, 0))
	require.NoError(t, s.until(100, func() bool {
		status, err := s.read(arch.CSRStatus)
		require.NoError(t, err)
		return status == 1<<arch.StatusReadyBit
	}))
	head, err := s.read(arch.CSRSQHead)
	require.NoError(t, err)
	tail, err := s.read(arch.CSRCQTail)
	require.NoError(t, err)
	require.Equal(t, []uint64{uint64(s.posted), uint64(s.posted)}, []uint64{head, tail})
	require.NoError(t, s.write(arch.CSRControl, 1))
	require.Equal(t, []arch.Status{0, 0}, s.all(t, fence, fence))
}
