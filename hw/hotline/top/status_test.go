package top

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// These tests check how commands report failed reads and writes, and what a failed command does.

// faults sets the faults of reads and writes by their address.
func (s *system) faults(by map[uint64]dma.Fault) {
	s.target.Fault = func(d dma.Descriptor) dma.Fault { return by[d.Addr] }
}

func failsWith(code arch.DMAError) dma.Fault { return dma.Fault{Error: code, Short: true} }

// index returns the row index for lookup k of a mini-batch. All indices differ.
func index(k uint64) uint32 { return uint32(7*k + 100) }

// batch writes a mini-batch of n inputs without popular ones, and its update list.
func (s *system) batch(n int) (words []uint32) {
	var list []uint32
	for k := range uint64(2 * n) {
		words = append(words, index(k))
		list = append(list, 0, index(k))
	}
	s.writeWords(hostWords, words)
	s.writeWords(hostList, list)
	return words
}

func classify(n uint64) arch.Command {
	return arch.Command{Opcode: arch.Classify, Operand1: hostWords, Operand2: n, Operand3: hostBitmap}
}

func gather(n uint64) arch.Command {
	return arch.Command{Opcode: arch.Gather, Operand2: n}
}

func update(n uint64) arch.Command {
	return arch.Command{Opcode: arch.Update, Flags: 1, Operand1: hostList, Operand2: n}
}

func learn(n uint64) arch.Command {
	return arch.Command{Opcode: arch.Learn, Flags: 1, Operand1: hostWords, Operand2: n}
}

// rowAt returns the address of the row of lookup k, vectorAt the address of vector k.
func rowAt(k uint64) uint64    { return rowsAt + rowBytes*uint64(index(k)) }
func vectorAt(k uint64) uint64 { return gpuBase + pooled + rowBytes*k }

func TestEveryCodeIsPassedOn(t *testing.T) {
	s := recovering(t)
	s.batch(10)
	for code := arch.DMAError(1); code < 16; code++ {
		failed := arch.Status(code)
		s.faults(map[uint64]dma.Fault{rowsAt: {Error: code}, hostWords: {Error: code}, elsewhere: {Error: code}, elsewhere + rowBytes: {Error: code}})
		require.Equal(t, []arch.Status{0, failed, 0, 0, failed, 0, failed, failed, 0}, s.all(t, readRow(0), load, readRow(1), load, writeRow(0), fence,
			learn(10), arch.Command{Opcode: arch.Update, Operand1: hostWords, Operand2: 2}, fence), "code %d", code)
	}
}

// TestFirstFailureIsTold: the status reports the first failed load, or else the first failed row,
// in the order of the requests and regardless of the order of the answers. If there is none, it
// reports a failed write.
func TestFirstFailureIsTold(t *testing.T) {
	s := recovering(t)
	s.batch(200) // four reads of 512 bytes, and eight for the update list
	s.target.Delay = 200
	for range 8 {
		s.faults(map[uint64]dma.Fault{hostWords + 512: failsWith(10), hostWords + 1024: failsWith(1), hostWords + 1536: failsWith(11)})
		require.Equal(t, []arch.Status{10, 10, 0}, s.all(t, classify(200), learn(200), fence))
		s.faults(map[uint64]dma.Fault{rowAt(8): {Error: 11}, vectorAt(2): failsWith(2)})
		require.Equal(t, []arch.Status{0, 11}, s.all(t, classify(200), gather(30)), "a row, before a write")
		s.faults(map[uint64]dma.Fault{rowAt(40): failsWith(10), rowAt(41): failsWith(1), rowAt(45): failsWith(11)})
		require.Equal(t, []arch.Status{10, 0, 10, 0}, s.all(t, gather(30), fence, update(60), fence))
		s.faults(map[uint64]dma.Fault{vectorAt(3): failsWith(2)})
		require.Equal(t, []arch.Status{2, 0}, s.all(t, gather(30), fence), "a write")
		s.faults(map[uint64]dma.Fault{gpuBase + mailbox: failsWith(11)})
		require.Equal(t, []arch.Status{11, arch.StatusNoInputs, 0}, s.all(t, classify(200), gather(30), fence))
	}
}

// TestFailedLoadDoesNothingElse: a command whose load fails learns, classifies, reads and writes
// nothing.
func TestFailedLoadDoesNothingElse(t *testing.T) {
	s := recovering(t)
	s.batch(200)
	s.faults(map[uint64]dma.Fault{hostWords + 1024: failsWith(10), hostList: failsWith(10)})
	s.memory.WriteAt(hostBitmap, []byte{0xa5})
	require.Equal(t, []arch.Status{10, 10, 10, arch.StatusNoInputs}, s.all(t, learn(200), classify(200), update(40), gather(1)))
	values, err := s.do(arch.Command{Opcode: arch.HotSet, Operand1: hostHot})
	require.NoError(t, err)
	require.Zero(t, values[0])
	for _, offset := range []uint64{arch.CSRLookups, arch.CSRRowsRead, arch.CSRRowsWritten} {
		require.Zero(t, s.csr(t, offset), "%#x", offset)
	}
	for _, at := range []uint64{hostBitmap, gpuBase + mailbox} {
		b := make([]byte, 1)
		s.memory.ReadAt(at, b)
		require.Equal(t, at == hostBitmap, b[0] == 0xa5)
	}
}

const group = arch.MostGroup // inputs per interleaved group, as rows are short

// turn returns the position of a read among the reads of n inputs with two lookups.
func turn(n, input, slot uint64) uint64 {
	first := input / group * group
	return 2*first + slot*min(group, n-first) + input - first
}

// TestFailedRowStopsWrites: everything before the failed row is written, nothing after it, and all
// rows are read.
func TestFailedRowStopsWrites(t *testing.T) {
	const inputs = 60
	for _, bad := range []uint64{0, 1, 40, 2*inputs - 1} {
		s := recovering(t)
		s.batch(inputs)
		require.Equal(t, []arch.Status{0}, s.all(t, classify(inputs)))
		s.faults(map[uint64]dma.Fault{rowAt(bad): failsWith(10)})
		stays := func(v uint64) bool { return turn(inputs, v, 1) >= turn(inputs, bad/2, bad%2) }
		written := uint64(0)
		for v := range uint64(inputs) {
			if !stays(v) {
				written++
			}
		}
		s.expectCounts(t, 10, gather(inputs), 2*inputs, written)
		for v := range uint64(inputs) {
			require.Equal(t, !stays(v), s.word(vectorAt(v)) == math.Float32bits(float(s.word(rowAt(2*v)))+float(s.word(rowAt(2*v+1)))), "row %d, vector %d", bad, v)
		}
		before := s.firstWords(2 * inputs)
		s.expectCounts(t, 10, update(2*inputs), 4*inputs, bad)
		after := s.firstWords(2 * inputs)
		require.Equal(t, before[bad:], after[bad:])
		for k := range bad {
			require.NotEqual(t, before[k], after[k], "row %d of %d", k, bad)
		}
		s.fail(gpuBase+rowBytes*bad, failsWith(1)) // fail a gradient
		s.expectCounts(t, 1, update(2*inputs), 4*inputs, bad/group*group)
		s.target.Fault = nil
		require.Equal(t, []arch.Status{0}, s.all(t, gather(1)), "the half still holds the inputs")
	}
}

// TestFailedWriteReadsOn: after a failed write, the remaining rows are still read.
func TestFailedWriteReadsOn(t *testing.T) {
	s := recovering(t)
	s.batch(60)
	require.Equal(t, []arch.Status{0}, s.all(t, classify(60)))
	s.fail(vectorAt(4), failsWith(10))
	rows := s.csr(t, arch.CSRRowsRead)
	require.Equal(t, []arch.Status{10}, s.all(t, gather(60)))
	require.EqualValues(t, 120, s.csr(t, arch.CSRRowsRead)-rows)
}

// TestStrayAnswersAreIgnored sends data and statuses that belong to no descriptor. The data must be
// counted, and later commands must not be affected.
func TestStrayAnswersAreIgnored(t *testing.T) {
	s := recovering(t)
	require.Equal(t, []arch.Status{0}, s.all(t, readRow(1)))
	require.NoError(t, s.quiet())
	const data, status, written = "s_axis_read_data_", "s_axis_read_desc_status_", "s_axis_write_desc_status_"
	for tag := range uint64(2 * s.p.Tags) {
		s.pins[data+"tid"].Set(tag)
		s.pins[status+"tag"].Set(tag)
		s.pins[written+"tag"].Set(tag % uint64(s.p.Tags))
		for _, pin := range []string{data + "tvalid", status + "valid", written + "valid"} {
			s.pins[pin].Set(1)
		}
		s.pins[status+"error"].Set(10)
		s.pins[written+"error"].Set(10)
		require.NoError(t, s.Cycle())
	}
	require.NoError(t, s.cycle())
	require.EqualValues(t, 2*s.p.Tags, s.csr(t, arch.CSRDropped))
	require.Equal(t, []arch.Status{0, 0, 0, 0, 0}, s.all(t, load, writeRow(0), readRow(2), load, writeRow(1)))
	s.expectRow(t, 1, 0)
	s.expectRow(t, 2, 1)
}

// expectCounts runs a command and checks its status and the numbers of rows that it reads and
// writes.
func (s *system) expectCounts(t *testing.T, status arch.Status, c arch.Command, read, written uint64) {
	t.Helper()
	before := [2]uint64{s.csr(t, arch.CSRRowsRead), s.csr(t, arch.CSRRowsWritten)}
	require.Equal(t, []arch.Status{status}, s.all(t, c))
	require.Equal(t, [2]uint64{before[0] + read, before[1] + written}, [2]uint64{s.csr(t, arch.CSRRowsRead), s.csr(t, arch.CSRRowsWritten)})
}

// firstWords returns the first words of the rows of the lookups.
func (s *system) firstWords(n uint64) (out []uint32) {
	for k := range n {
		out = append(out, s.word(rowAt(k)))
	}
	return out
}
