package top

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
)

// resetsOf are the three kinds of reset, applied to an idle system.
var resetsOf = map[string]func(t *testing.T, s *system){
	"soft reset": func(t *testing.T, s *system) {
		require.NoError(t, s.write(arch.CSRControl, 1<<arch.ControlResetBit))
		require.NoError(t, s.until(1000, func() bool { return s.csr(t, arch.CSRControl) == 0 }))
	},
	"function-level reset": func(t *testing.T, s *system) {
		s.pins["cfg_flr"].SetBool(true)
		require.NoError(t, s.cycle())
		s.pins["cfg_flr"].SetBool(false)
	},
	"rst": func(t *testing.T, s *system) {
		s.Sim.SetReset(true)
		require.NoError(t, s.cycle())
		s.Sim.SetReset(false)
	},
}

// begin resets an idle system and empties the rings for a new driver.
func (s *system) begin(t *testing.T, reset func(*testing.T, *system)) {
	require.NoError(t, s.quiet())
	reset(t, s)
	s.posted = 0
	s.memory.WriteAt(completionRing, make([]byte, arch.CompletionBytes<<ringLog2))
}

// watched records the addresses of all further descriptors.
func (s *system) watched() *[]uint64 {
	seen := &[]uint64{}
	s.target.Fault = func(d dma.Descriptor) dma.Fault {
		*seen = append(*seen, d.Addr)
		return dma.Fault{}
	}
	return seen
}

// TestUpdateOfTheTableOfAnotherOwner updates a table that only the driver before the reset has set.
// No descriptor may access its rows.
func TestUpdateOfTheTableOfAnotherOwner(t *testing.T) {
	for name, reset := range resetsOf {
		t.Run(name, func(t *testing.T) {
			s := recovering(t)
			const before = rowsAt + 0x10_0000
			other := arch.Command{Opcode: arch.SWrite, Operand1: arch.RegTable + 1, Operand2: before}
			update := arch.Command{Opcode: arch.Update, Operand1: hostList, Operand2: 1}
			s.writeWords(hostList, []uint32{1, 5})
			require.Equal(t, []arch.Status{0, 0}, s.all(t, other, update))

			s.begin(t, reset)
			require.NoError(t, s.ready())
			s.setUp(t) // table 0 only
			seen := s.watched()
			require.Equal(t, []arch.Status{arch.StatusNoTable}, s.all(t, update))
			for _, addr := range *seen {
				require.Less(t, addr, uint64(rowsAt), "neither a row nor a gradient")
			}
			s.writeWords(hostList, []uint32{0, 5})
			require.Equal(t, []arch.Status{0}, s.all(t, update))
			require.Contains(t, *seen, uint64(rowsAt+5*rowBytes))
		})
	}
}

// TestAddressesOfAnotherOwner omits one address after a reset. The commands that need it must be
// refused, and no descriptor may contain an address of the previous driver.
func TestAddressesOfAnotherOwner(t *testing.T) {
	const none = arch.StatusNoAddress
	batch := arch.Command{Opcode: arch.Classify, Operand1: hostWords, Operand2: 1, Operand3: hostBitmap}
	list := []arch.Command{{Opcode: arch.Learn, Operand1: hostWords, Operand2: 1}, batch, {Opcode: arch.Gather, Operand2: 1},
		{Opcode: arch.Update, Operand1: hostList, Operand2: 1}, {Opcode: arch.GPURead, Operand2: 1}}
	addresses := map[uint64]uint64{arch.RegTable: hostTables, arch.RegHot: gpuBase, arch.RegPooled: gpuBase + pooled, arch.RegGrad: gpuBase + gradients, arch.RegMailbox: gpuBase + mailbox}
	for name, reset := range resetsOf {
		t.Run(name, func(t *testing.T) {
			s := recovering(t)
			s.writeWords(hostWords, []uint32{1, 2})
			s.writeWords(hostList, []uint32{0, 5})
			owner := uint64(0)
			for missing, want := range map[uint64][]arch.Status{
				0xffff:           {0, 0, 0, 0, 0}, // nothing omitted
				arch.RegTable:    {0, 0, none, arch.StatusNoTable, 0},
				arch.RegSlot:     {none, none, arch.StatusNoInputs, 0, 0},
				arch.RegSlot + 1: {none, none, arch.StatusNoInputs, 0, 0},
				arch.RegHot:      {0, 0, none, 0, none},
				arch.RegPooled:   {0, 0, none, 0, 0},
				arch.RegGrad:     {0, 0, 0, none, 0},
				arch.RegMailbox:  {0, none, arch.StatusNoInputs, 0, 0},
			} {
				s.begin(t, reset)
				require.NoError(t, s.ready())
				owner += 0x20_0000 // each driver has addresses of its own
				set := []arch.Command{}
				for index, v := range map[uint64]uint64{arch.RegRowLog2: 5, arch.RegGPUs: 1, arch.RegTables: 1, arch.RegSlots: 2, arch.RegScale: 0x3f800000,
					arch.RegSlot: 1 << arch.SlotFirstBit, arch.RegSlot + 1: 1 << arch.SlotLastBit} {
					set = append(set, arch.Command{Opcode: arch.SWrite, Operand1: index, Operand2: v})
				}
				for index, v := range addresses {
					set = append(set, arch.Command{Opcode: arch.SWrite, Operand1: index, Operand2: v + owner})
				}
				for _, c := range set {
					if c.Operand1 != missing {
						require.Equal(t, []arch.Status{0}, s.all(t, c))
					}
				}
				seen := s.watched()
				require.Equal(t, want, s.all(t, list...), "without register %#x", missing)
				for _, addr := range *seen {
					require.True(t, addr < hostTables || addr&0x3fe0_0000 == owner, "%#x is of another driver", addr)
				}
			}
		})
	}
}

// TestRingsOfAnotherOwner rings the doorbell of an enabled accelerator before both ring bases are
// written.
func TestRingsOfAnotherOwner(t *testing.T) {
	words := []uint64{arch.CSRSQBaseLo, arch.CSRSQBaseHi, arch.CSRCQBaseLo, arch.CSRCQBaseHi}
	value := map[uint64]uint64{arch.CSRSQBaseLo: commandRing, arch.CSRCQBaseLo: completionRing}
	for name, reset := range resetsOf {
		t.Run(name, func(t *testing.T) {
			s := recovering(t)
			for _, last := range words {
				s.begin(t, reset)
				s.awaitReady(t)
				seen := s.watched()
				for _, w := range [][2]uint64{{arch.CSRSQLog2, ringLog2}, {arch.CSRCQLog2, ringLog2}, {arch.CSRControl, 1}} {
					require.NoError(t, s.write(w[0], w[1]))
				}
				s.queue(t, fence)
				for _, word := range words {
					if word != last {
						require.NoError(t, s.write(word, value[word]))
					}
					s.wait(t)
					require.Empty(t, *seen)
					require.EqualValues(t, 1<<arch.StatusReadyBit|1<<arch.StatusNoRingsBit, s.csr(t, arch.CSRStatus))
				}
				require.NoError(t, s.write(last, value[last]))
				statuses, err := s.statuses(1)
				require.NoError(t, err)
				require.Equal(t, []arch.Status{0}, statuses)
				require.NoError(t, s.quiet())
				require.EqualValues(t, 1<<arch.StatusReadyBit, s.csr(t, arch.CSRStatus))
			}
		})
	}
}
