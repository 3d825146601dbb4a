package top

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

func (s *system) set(t *testing.T, offset, v uint64) { require.NoError(t, s.write(offset, v)) }

// wait runs cycles in which an unwanted event could happen.
func (s *system) wait(t *testing.T) {
	for range 1000 {
		require.NoError(t, s.cycle())
	}
}

// TestHaltedStaysHalted: after a completion that could not be written, only a reset makes the
// accelerator continue.
func TestHaltedStaysHalted(t *testing.T) {
	s := recovering(t)
	require.NoError(t, s.quiet())
	s.acknowledge = never
	s.fail(completionRing+uint64(s.posted)%(1<<ringLog2)*arch.CompletionBytes, dma.Fault{Error: 2})
	s.queue(t, fence, fence)
	require.NoError(t, s.until(5000, s.pins["irq_req"].Bool))
	s.target.Fault = nil
	head := s.csr(t, arch.CSRSQHead)
	for _, w := range [][2]uint64{{arch.CSRControl, 0}, {arch.CSRControl, 1}, {arch.CSRCQHead, head}, {arch.CSRSQTail, uint64(s.posted) + 3}} {
		s.set(t, w[0], w[1])
		s.wait(t)
		require.EqualValues(t, 1<<arch.StatusReadyBit|1<<arch.StatusHaltedBit, s.csr(t, arch.CSRStatus))
		require.Equal(t, []uint64{head, 2}, []uint64{s.csr(t, arch.CSRSQHead), s.csr(t, arch.CSRError)})
	}
	s.acknowledge = s.pins["irq_req"].Bool
	s.restart(t)
	require.Equal(t, []arch.Status{0}, s.all(t, fence))
}

// TestConsumerAheadLeavesNoRoom sets a consumer index that the device has not reached. No
// completion may be written until the index is corrected.
func TestConsumerAheadLeavesNoRoom(t *testing.T) {
	s := recovering(t)
	before := uint64(s.posted)
	s.set(t, arch.CSRCQHead, before+1)
	s.queue(t, fence)
	s.wait(t)
	require.Equal(t, []uint64{before, before + 1, 3}, []uint64{s.csr(t, arch.CSRCQTail), s.csr(t, arch.CSRSQHead), s.csr(t, arch.CSRStatus)})
	s.set(t, arch.CSRCQHead, before)
	statuses, err := s.statuses(1)
	require.NoError(t, err)
	require.Equal(t, []arch.Status{0}, statuses)
}

// TestRingsMove changes sizes and addresses of the rings. The indices continue, and the phase
// follows from the index in the new ring. The value of enable does not matter while the device is
// idle.
func TestRingsMove(t *testing.T) {
	const commands, completions, log2 = 0x50000, 0x60000, 1
	for _, enable := range []uint64{0, 1} {
		s := recovering(t)
		s.set(t, arch.CSRControl, enable)
		require.NoError(t, s.quiet())
		require.EqualValues(t, 1<<arch.StatusReadyBit, s.csr(t, arch.CSRStatus))
		for _, w := range [][2]uint64{{arch.CSRSQBaseLo, commands}, {arch.CSRSQLog2, log2}, {arch.CSRCQBaseLo, completions}, {arch.CSRCQLog2, log2}, {arch.CSRControl, 1}} {
			s.set(t, w[0], w[1])
		}
		for range 5 {
			index := uint64(s.posted)
			s.memory.WriteAt(commands+index%2*arch.CommandBytes, fence.Encode(uint32(index)))
			s.posted++
			s.set(t, arch.CSRSQTail, uint64(s.posted))
			place, phase := completions+index%2*arch.CompletionBytes, 1-index>>log2&1
			require.NoError(t, s.until(1000, func() bool {
				return s.word(place) == uint32(index) && uint64(s.word(place+4)) == phase<<16
			}), "index %d", index)
			s.set(t, arch.CSRCQHead, uint64(s.posted))
		}
	}
}
