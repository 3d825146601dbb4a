package cycle_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// newModelHarness opens the driver on the functional model.
func newModelHarness(t testing.TB, gpus int) *harness {
	r := newMachine(t)
	a, err := functional.New(r.k, arch.Small(), period, link.DefaultEndpointConfig())
	require.NoError(t, err)
	r.insert(gpus, a, link.DefaultConfig())
	r.drv, err = driver.Open(r, driver.DefaultOptions())
	require.NoError(t, err)
	return r
}

// TestModelIsTheCard runs random commands, including invalid commands and failing reads, on the
// hardware and the functional model. Status, values and memory contents must be equal.
func TestModelIsTheCard(t *testing.T) {
	for seed := range uint64(3) {
		gpus := 1 + int(seed)
		both := [2]*job{newJob(t, gpus, 20, seed), newJobOn(newModelHarness(t, gpus), 20, seed)}
		var bitmaps, lists, rows [2]region
		for i, j := range both {
			bitmaps[i], lists[i], rows[i] = j.r.alloc(4096), j.r.alloc(1<<16), j.r.alloc(1<<12)
			require.NoError(t, j.r.memory.WriteUint32s(lists[i].at, []uint32{0, 3, 1, 200, 3, 2900, 2, 4, 0, 9}))
			j.r.do(driver.Learn(1, j.words.at, 6))
			j.r.do(driver.HotSet(lists[i].at + 4096))
		}
		require.Equal(t, bitmaps[0].at, bitmaps[1].at)
		rng := rand.New(rand.NewPCG(seed, 2))
		seen := map[arch.Status]bool{}
		for range 400 {
			c := randomCommand(rng, both[0], bitmaps[0].at, lists[0].at, rows[0].at)
			var got [2]driver.Completion
			for i, j := range both {
				got[i], _ = j.r.drv.Do(c)
				ahead, err := j.r.Read32(arch.CSRRowsAhead)
				require.NoError(t, err)
				got[i].Command.Operand3 = uint64(ahead)
				if got[i].Status != arch.StatusOK {
					got[i].Value0, got[i].Value1 = 0, 0
				}
			}
			require.Equal(t, got[0], got[1], "seed %d: %v", seed, c)
			seen[got[0].Status] = true
		}
		for _, status := range []arch.Status{arch.StatusOK, arch.Status(link.UnsupportedRequest), arch.StatusOpcode, arch.StatusRange,
			arch.StatusNoRow, arch.StatusRowsAhead, arch.StatusNoVector, arch.StatusNoInputs} {
			require.True(t, seen[status], "status %d", status)
		}
		require.Equal(t, both[0].everything(), both[1].everything())
		require.Equal(t, both[0].counts(), both[1].counts())
	}
}

// TestCachesOfTheModelAreTheCards classifies more rows than the caches of the lookup engines can
// hold. The model and the hardware answer the same number of lookups from the caches.
func TestCachesOfTheModelAreTheCards(t *testing.T) {
	const inputs = 600
	both := [2]*job{newJob(t, 1, inputs, 5), newJobOn(newModelHarness(t, 1), inputs, 5)}
	for _, j := range both {
		j.r.do(driver.Learn(0, j.words.at, inputs))
		j.r.do(driver.Classify(1, j.words.at, inputs, j.r.alloc(4096).at))
	}
	require.Equal(t, both[0].counts(), both[1].counts())
}

// counts returns the counters that the functional model also implements exactly.
func (j *job) counts() [4]uint32 {
	c, err := j.r.drv.Counters()
	require.NoError(j.r.t, err)
	return [4]uint32{c.Lookups, c.CacheHits, c.RowsRead, c.RowsWritten}
}

// randomCommand returns a random command, in most cases a valid one.
func randomCommand(rng *rand.Rand, j *job, bitmap, list, row uint64) arch.Command {
	where := func(addr uint64) uint64 {
		switch rng.IntN(12) {
		case 0:
			return nowhere
		case 1:
			return addr + 1 + rng.Uint64N(8)
		}
		return addr
	}
	n, half := rng.IntN(j.n+1), rng.IntN(2)
	switch rng.IntN(14) {
	case 0:
		return driver.DMARead(where(j.bases[1]+rowBytes*rng.Uint64N(400)), []uint64{rowBytes, rowBytes, 32}[rng.IntN(3)])
	case 1:
		return driver.GPURead(rng.IntN(5), rng.Uint64N(4200))
	case 2, 3:
		return driver.VMul(rng.Float32())
	case 4, 5:
		return driver.VAdd(rng.IntN(2) == 0)
	case 6:
		return driver.DMAWrite(where(row+rowBytes*rng.Uint64N(32)), rowBytes)
	case 7, 8:
		return driver.Classify(half, where(j.words.at), n, bitmap)
	case 9:
		return driver.Gather(half, n)
	case 10:
		return driver.Update(half, where(list), rng.IntN(6))
	case 11:
		if rng.IntN(2) == 0 {
			return driver.HotSet(where(list + 4096))
		}
		return driver.Learn(half, where(j.words.at), min(n, 8))
	case 12:
		return arch.Command{Opcode: arch.Opcode(rng.Uint32()), Operand2: rng.Uint64()}
	default:
		if rng.IntN(2) == 0 { // sets a table to an unmapped or valid address
			return driver.SWrite(arch.RegTable+3, []uint64{nowhere, j.bases[3]}[rng.IntN(2)])
		}
		return driver.SWrite([]int{arch.RegRowLog2, arch.RegSlots, arch.RegTable + 2}[rng.IntN(3)], []uint64{6, uint64(len(j.slots)), 7}[rng.IntN(3)])
	}
}

// everything returns the contents of all memories except the rings, because the values of a failed
// command's completion are undefined.
func (j *job) everything() []byte {
	r := j.r
	require.NoError(r.t, r.k.RunTo(r.k.Now()+1<<30))
	out := make([]byte, r.next-j.bases[0])
	require.NoError(r.t, r.memory.Read(j.bases[0], out))
	for _, g := range r.gpus {
		for _, at := range []uint64{hotBase, poolBase, gradBase, mailBase} {
			p := make([]byte, 1<<16)
			require.NoError(r.t, g.Memory().Read(at, p))
			out = append(out, p...)
		}
	}
	return out
}

// TestReadsInFlight: hardware and model have the same maximum number of rows in flight, which is
// the number of tags.
func TestReadsInFlight(t *testing.T) {
	for _, j := range []*job{newJob(t, 1, 20, 1), newJobOn(newModelHarness(t, 1), 20, 1)} {
		bitmap := j.r.alloc(64)
		j.r.do(driver.Classify(0, j.words.at, j.n, bitmap.at))
		open, most := 0, 0
		j.r.slot.Inject(func(dir link.Direction, _ des.Time, p *pcie.TLP) link.Fate {
			switch {
			case dir == link.Up && p.Kind == pcie.MRd && inTables(j, p.Addr):
				open++
				most = max(most, open)
			case dir == link.Down && p.Kind == pcie.CplD && open > 0:
				open--
			}
			return link.Fate{}
		})
		j.r.do(driver.Gather(0, j.n))
		require.Equal(t, arch.Small().Tags, most)
	}
}

// inTables reports whether an address belongs to a row.
func inTables(j *job, addr uint64) bool { return addr >= j.bases[0] && addr < j.words.at }
