package cycle_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// restless is a simulator that is never idle, so that the card does not sleep.
type restless struct{ sim.Simulator }

func (restless) Quiet() bool { return false }

// outcome contains all results of a run.
type outcome struct {
	completions []driver.Completion
	times       []des.Time // of the completions
	cycles      uint64
	counters    driver.Counters
	memory      []byte // of the host, then of the GPUs
	simulated   uint64
}

// run runs a mini-batch through all commands, with pauses in which the card is idle.
func run(t *testing.T, s sim.Simulator) outcome {
	j := newJobOn(newHarnessOf(t, 2, s, link.DefaultConfig()), 40, 3)
	r := j.r
	var o outcome
	bitmap, list := r.alloc(64), r.alloc(8*8192)
	update := r.alloc(16)
	require.NoError(t, r.memory.WriteUint32s(update.at, []uint32{3, 2900, 3, 2950}))
	for i, c := range []arch.Command{
		driver.Learn(0, j.words.at, j.n/2), driver.HotSet(list.at), driver.Classify(1, j.words.at, j.n, bitmap.at),
		driver.Gather(1, j.n), driver.Update(0, update.at, 2), driver.GPURead(1, 12), driver.VMul(0.5), driver.Fence(),
	} {
		got, err := r.drv.Do(c)
		require.NoError(t, err)
		o.completions, o.times = append(o.completions, got), append(o.times, r.k.Now())
		require.NoError(t, r.k.RunTo(r.k.Now()+des.Time(i)*3*des.Microsecond+777))
	}
	var err error
	o.counters, err = r.drv.Counters()
	require.NoError(t, err)
	o.cycles, o.simulated = r.card.Cycles(), r.card.Simulated()
	o.memory = make([]byte, r.next-1<<20)
	require.NoError(t, r.memory.Read(1<<20, o.memory))
	for _, g := range r.gpus {
		for _, at := range []uint64{hotBase, poolBase, mailBase} {
			p := make([]byte, 1<<16)
			require.NoError(t, g.Memory().Read(at, p))
			o.memory = append(o.memory, p...)
		}
	}
	return o
}

// TestSleepingChangesNothing compares a run with a card that simulates every cycle.
func TestSleepingChangesNothing(t *testing.T) {
	s := engine(t)
	got, want := run(t, s), run(t, restless{engine(t)})
	require.Less(t, 3*got.simulated, want.simulated)
	require.InDelta(t, want.cycles, want.simulated, 2)
	require.InDelta(t, want.cycles, s.Cycle(), 200, "with those that were skipped")
	got.simulated, want.simulated = 0, 0
	require.Equal(t, want, got)
}

// TestRecordingDisturbsNothing compares a run with a run that records waveforms.
func TestRecordingDisturbsNothing(t *testing.T) {
	v := wave.NewVCD(io.Discard, period)
	got, want := run(t, engine(t, interp.AllSignals(), interp.Record(v))), run(t, engine(t))
	require.NoError(t, v.Close())
	require.Equal(t, want, got)
}

// TestPartialBeats runs mini-batches that end at every position in a beat and in a bank.
func TestPartialBeats(t *testing.T) {
	for n := 1; n <= 9; n++ {
		t.Run(fmt.Sprint(n, " inputs"), func(t *testing.T) {
			j := newJob(t, 1, n, uint64(n))
			ids := map[uint32]bool{}
			for i := range j.n {
				for s := range j.slots {
					ids[j.id(i, s)] = true
				}
			}
			hot := j.hot()
			require.Len(t, hot, len(ids))
			for id := range ids {
				require.Contains(t, hot, id)
			}
			bitmap := j.r.alloc(64)
			require.EqualValues(t, n, j.r.do(driver.Classify(1, j.words.at, n, bitmap.at)).Value0)
			bits := make([]byte, 2)
			require.NoError(t, bitmap.Read(0, bits))
			require.Equal(t, 1<<n-1, int(bits[0])|int(bits[1])<<8)
		})
	}
}
