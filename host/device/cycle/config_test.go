package cycle_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// devices lists the hardware and the functional model, which must obey the configuration space
// equally.
var devices = map[string]func(testing.TB, int) *harness{"hardware": newHarness, "model": newModelHarness}

const deviceControl = 0x68 // docs/reference/config-space.md

// configWrite writes to the card's configuration space.
func (r *harness) configWrite(at int, v uint32, enables uint8) {
	require.NoError(r.t, r.rc.ConfigWrite(r.device.Endpoint().ID(), at, v, enables))
}

// commands returns the commands of a mini-batch with their results in memory.
func (j *job) commands() []arch.Command {
	bitmap, list := j.r.alloc(4096), j.r.alloc(1<<16)
	return []arch.Command{driver.Learn(0, j.words.at, j.n/2), driver.HotSet(list.at), driver.Classify(1, j.words.at, j.n, bitmap.at), driver.Gather(1, j.n)}
}

// results runs commands and returns their values.
func (j *job) results(list []arch.Command) (out [][2]uint32) {
	for _, c := range list {
		got := j.r.do(c)
		out = append(out, [2]uint32{got.Value0, got.Value1})
	}
	return out
}

// submit submits commands, which must succeed, and rings the doorbell.
func (j *job) submit(list []arch.Command) {
	for _, c := range list {
		require.NoError(j.r.t, j.r.drv.Submit(c, func(_ driver.Completion, err error) { require.NoError(j.r.t, err) }))
	}
	require.NoError(j.r.t, j.r.drv.Ring())
}

// drain waits for all commands and for the arrival of their writes.
func (j *job) drain() {
	require.NoError(j.r.t, j.r.drv.Drain())
	require.NoError(j.r.t, j.r.k.RunTo(j.r.k.Now()+5*des.Microsecond))
}

// TestFLRInAMiniBatch resets the function at many moments. After the host has set it up again, the
// next mini-batch runs as on an unused card.
func TestFLRInAMiniBatch(t *testing.T) {
	for name, device := range devices {
		t.Run(name, func(t *testing.T) {
			fresh := newJobOn(device(t, 2), 20, 4)
			want := fresh.results(fresh.commands())
			r := device(t, 2)
			for moment := range des.Time(12) {
				j := newJobOn(r, 20, 3)
				j.submit(j.commands())
				require.NoError(t, r.k.RunTo(r.k.Now()+moment*700*des.Nanosecond))
				require.NoError(t, r.Write32(arch.CSRCQHead, 77)) // in flight during the reset
				r.configWrite(deviceControl, config.DeviceFLR, 0x2)
				require.NoError(t, r.k.RunTo(r.k.Now()+20*des.Microsecond))
				require.Zero(t, r.device.Endpoint().TagsInUse(), "all late completions have come")

				_, err := r.rc.Enumerate(link.DefaultStraps())
				require.NoError(t, err)
				head, err := r.Read32(arch.CSRCQHead)
				require.NoError(t, err)
				require.Zero(t, head)
				r.fired = 0
				r.drv, err = driver.Open(r, driver.DefaultOptions())
				require.NoError(t, err)
				j = newJobOn(r, 20, 4)
				require.Equal(t, want, j.results(j.commands()), "moment %d", moment)
				require.NoError(t, r.device.Err())
			}
		})
	}
}

// TestFLRInARegisterAccess resets the function before, in each cycle of, and after a write and a
// read of registers. The read gets at most one answer, possibly wrong; the write is lost. Later
// accesses are not affected.
func TestFLRInARegisterAccess(t *testing.T) {
	for name, device := range devices {
		t.Run(name, func(t *testing.T) {
			r := device(t, 1)
			begin := r.k.Now()
			_, err := r.Read32(arch.CSRID)
			require.NoError(t, err)
			there := (r.k.Now() - begin) / 2
			answered, lost := 0, 0
			for cycle := des.Time(-90); cycle < 10; cycle++ {
				require.NoError(t, r.Write32(arch.CSRSQLog2, 7))
				answers := 0
				require.NoError(t, r.rc.ReadAsync(r.device.Endpoint().BAR().Base+arch.CSRID, 4, func(p []byte, err error) {
					if answers++; err != nil {
						lost++
						return
					}
					answered++
					require.Equal(t, uint32(arch.ID), binary.LittleEndian.Uint32(p))
				}))
				require.NoError(t, r.k.RunTo(r.k.Now()+there+cycle*period))
				r.device.Endpoint().FLR()
				_, err = r.rc.Enumerate(link.DefaultStraps())
				require.NoError(t, err)
				log2, err := r.Read32(arch.CSRSQLog2)
				require.NoError(t, err)
				require.Zero(t, log2, "cycle %d", cycle)
				got, err := r.Read32(arch.CSRID)
				require.NoError(t, err)
				require.Equal(t, uint32(arch.ID), got)
				require.NoError(t, r.k.RunTo(r.k.Now()+20*des.Millisecond))
				require.Equal(t, 1, answers)
				require.NoError(t, r.device.Err())
			}
			require.Greater(t, answered, 10, "the reset came late enough")
			require.Greater(t, lost, 10, "the reset came in time")
		})
	}
}

// TestBusMasterInAMiniBatch disables bus mastering for a while at many moments. Meanwhile the card
// sends only completions. It loses nothing.
func TestBusMasterInAMiniBatch(t *testing.T) {
	for name, device := range devices {
		t.Run(name, func(t *testing.T) {
			calm := newJobOn(device(t, 2), 20, 3)
			calm.submit(calm.commands())
			calm.drain()
			want := calm.everything()
			for moment := range des.Time(12) {
				j := newJobOn(device(t, 2), 20, 3)
				r := j.r
				j.submit(j.commands())
				require.NoError(t, r.k.RunTo(r.k.Now()+moment*700*des.Nanosecond))
				r.configWrite(config.Command, config.CommandMemory, 0x3)
				require.NoError(t, r.k.RunTo(r.k.Now()+5*des.Microsecond)) // packets in flight
				before := r.slot.Stats(link.Up)
				require.NoError(t, r.k.RunTo(r.k.Now()+50*des.Microsecond))
				require.Equal(t, before, r.slot.Stats(link.Up))
				_, err := r.Read32(arch.CSRID)
				require.NoError(t, err, "it still answers")
				require.EqualValues(t, 1, r.slot.Stats(link.Up).Kinds[pcie.CplD]-before.Kinds[pcie.CplD])

				r.configWrite(config.Command, config.CommandMemory|config.CommandBusMaster, 0x3)
				j.drain()
				require.Equal(t, want, j.everything(), "moment %d", moment)
			}
		})
	}
}
