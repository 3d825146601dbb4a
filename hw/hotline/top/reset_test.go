package top

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// csrs returns the values of all CSRs by offset.
func (s *system) csrs(t *testing.T) map[uint64]uint64 {
	out := map[uint64]uint64{}
	for offset := uint64(0); offset <= arch.CSRDropped; offset += 4 {
		if offset == 0x1c || offset == 0x28 || offset == 0x2c { // unused offsets
			continue
		}
		v, err := s.read(offset)
		require.NoError(t, err)
		out[offset] = v
	}
	return out
}

// csr returns the value of a CSR.
func (s *system) csr(t *testing.T, offset uint64) uint64 {
	v, err := s.read(offset)
	require.NoError(t, err)
	return v
}

// awaitReady waits until the EAL is cleared.
func (s *system) awaitReady(t *testing.T) {
	require.NoError(t, s.until(2*s.p.BankSets(), func() bool { return s.csr(t, arch.CSRStatus)&(1<<arch.StatusReadyBit) != 0 }))
}

// TestResetIsThatOfPowerUp: after a reset, neither registers nor commands reveal earlier state.
func TestResetIsThatOfPowerUp(t *testing.T) {
	s := recovering(t)
	fresh, err := newSystem(s.design, s.p, 1)
	require.NoError(t, err)
	fresh.awaitReady(t)
	want := fresh.csrs(t)

	s.writeWords(hostWords, make([]uint32, 400))
	batch := arch.Command{Opcode: arch.Classify, Operand1: hostWords, Operand2: 200, Operand3: hostBitmap}
	learn := arch.Command{Opcode: arch.Learn, Operand1: hostWords, Operand2: 200}
	gather := arch.Command{Opcode: arch.Gather, Operand2: 200}
	hot := arch.Command{Opcode: arch.HotSet, Operand1: hostHot}
	values, err := s.do(hot)
	require.NoError(t, err)
	require.Zero(t, values[0])
	require.Equal(t, []arch.Status{0, 0, 0, 0}, s.all(t, batch, gather, learn, batch))
	values, err = s.do(hot)
	require.NoError(t, err)
	require.EqualValues(t, 1, values[0])
	s.acknowledge = never
	require.Equal(t, []arch.Status{0, 0, 0, 0}, s.all(t, readRow(1), load, readRow(2), readRow(3)))
	for _, offset := range []uint64{arch.CSRSQBaseHi, arch.CSRCQBaseHi} {
		require.NoError(t, s.write(offset, 0x89abcdef))
	}
	require.True(t, s.pins["irq_req"].Bool())
	for offset, v := range s.csrs(t) {
		switch offset {
		case arch.CSRError, arch.CSRDropped: // counters of faults
		case arch.CSRLookups, arch.CSRCacheHits, arch.CSRLookupCycles, arch.CSRRowsRead, arch.CSRRowsWritten, arch.CSRRowsAhead,
			arch.CSRControl, arch.CSRSQHead, arch.CSRSQTail, arch.CSRCQHead, arch.CSRCQTail, arch.CSRSQLog2, arch.CSRCQLog2,
			arch.CSRSQBaseLo, arch.CSRCQBaseLo, arch.CSRSQBaseHi, arch.CSRCQBaseHi:
			require.NotEqual(t, want[offset], v, "%#x", offset)
		default:
			require.Equal(t, want[offset], v, "%#x", offset)
		}
	}

	s.reset(t)
	require.False(t, s.pins["irq_req"].Bool())
	s.awaitReady(t)
	require.Equal(t, want, s.csrs(t))
	s.acknowledge = s.pins["irq_req"].Bool
	require.NoError(t, s.ready())
	const bad = arch.StatusRange // no register has a value
	require.Equal(t, []arch.Status{bad, bad, bad, bad, bad}, s.all(t, batch, gather, load, mul, readRow(1)))
	values, err = s.do(hot)
	require.NoError(t, err)
	require.Zero(t, values[0])
	s.setUp(t)
	require.Equal(t, []arch.Status{arch.StatusNoInputs, arch.StatusNoVector, arch.StatusNoRow}, s.all(t, gather, writeRow(0), mul))
}

// TestResetWaitsForTheBoundary resets while neither data nor statuses arrive. Until they do,
// control reads 2, no descriptor is offered, and written data is lost. rst is the alternative way
// to reset.
func TestResetWaitsForTheBoundary(t *testing.T) {
	s := recovering(t)
	descriptors := 0
	s.target.Fault = func(dma.Descriptor) dma.Fault {
		descriptors++
		return dma.Fault{}
	}
	hang := func() (begun int) {
		s.target.Rate = 0
		s.queue(t, readRow(1), load, writeRow(0), fence)
		for range 50 {
			require.NoError(t, s.cycle())
		}
		require.NoError(t, s.write(arch.CSRControl, 1<<arch.ControlResetBit))
		require.EqualValues(t, 2, s.csr(t, arch.CSRControl))
		begun = descriptors
		require.NotZero(t, begun)
		for offset, v := range map[uint64]uint64{arch.CSRControl: 1, arch.CSRSQTail: 20, arch.CSRCQHead: 7, arch.CSRSQLog2: 3} {
			require.NoError(t, s.write(offset, v))
		}
		for range 500 {
			require.NoError(t, s.cycle())
		}
		require.EqualValues(t, 2, s.csr(t, arch.CSRControl))
		require.Equal(t, begun, descriptors)
		s.target.Rate = 1
		return begun
	}
	begun := hang()
	require.NoError(t, s.until(1000, func() bool { return s.csr(t, arch.CSRControl) == 0 }))
	require.Equal(t, begun, descriptors)
	for _, offset := range []uint64{arch.CSRSQTail, arch.CSRCQHead, arch.CSRSQLog2, arch.CSRSQHead} {
		require.Zero(t, s.csr(t, offset), "%#x", offset)
	}
	s.restart(t)
	require.Equal(t, []arch.Status{0, 0, 0}, s.all(t, readRow(1), load, writeRow(0)))

	hang()
	s.target = dma.NewTarget(noise{s.memory}, s.p.StreamBytes(), 40, 2)
	s.Sim.SetReset(true)
	require.NoError(t, s.Sim.Step())
	s.Sim.SetReset(false)
	require.Zero(t, s.csr(t, arch.CSRControl))
	s.restart(t)
	require.Equal(t, []arch.Status{0, 0, 0}, s.all(t, readRow(2), load, writeRow(1)))
	s.expectRow(t, 2, 1)
}

// TestResetBeginsNothing resets while commands arrive that would read and write.
func TestResetBeginsNothing(t *testing.T) {
	s := recovering(t)
	descriptors := 0
	for round := range 12 {
		s.target.Fault, s.target.Delay = func(dma.Descriptor) dma.Fault {
			descriptors++
			return dma.Fault{}
		}, 400
		s.queue(t, [][]arch.Command{{readRow(1), readRow(2), readRow(3), readRow(4)}, {fence, fence, fence, fence}}[round%2]...)
		require.NoError(t, s.until(100, func() bool { return !s.target.Idle() }))
		for range 10 {
			require.NoError(t, s.cycle())
		}
		require.NoError(t, s.write(arch.CSRControl, 1<<arch.ControlResetBit))
		begun := descriptors
		for _, valid := range []string{"m_axis_read_desc_valid", "m_axis_write_desc_valid"} {
			if s.pins[valid].Bool() { // offered descriptors must stay offered
				begun++
			}
		}
		require.NoError(t, s.until(1000, func() bool { return s.csr(t, arch.CSRControl) == 0 }))
		require.Equal(t, begun, descriptors)
		s.target.Delay = 40
		s.restart(t)
	}
}

// TestResetEndsAPacket: the read-out of a hot set takes long before its packet is full. A reset
// must not wait for it.
func TestResetEndsAPacket(t *testing.T) {
	s := recovering(t)
	s.writeWords(hostWords, []uint32{1, 2, 3, 4, 5, 6})
	learn := arch.Command{Opcode: arch.Learn, Operand1: hostWords, Operand2: 3}
	require.Equal(t, []arch.Status{0}, s.all(t, learn))
	s.queue(t, arch.Command{Opcode: arch.HotSet, Operand1: hostList})
	require.NoError(t, s.until(2000, s.pins["m_axis_write_desc_valid"].Bool))
	require.NoError(t, s.write(arch.CSRControl, 1<<arch.ControlResetBit))
	require.NoError(t, s.until(100, s.target.Idle), "the packet has all its data")
	require.NoError(t, s.until(20, func() bool {
		v, err := s.read(arch.CSRControl)
		require.NoError(t, err)
		return v == 0
	}))
}
