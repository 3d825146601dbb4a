package cycle_test

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// harness is a host with the accelerator and GPUs.
type harness struct {
	t      testing.TB
	k      *des.Kernel
	memory *des.Memory
	rc     *link.RootComplex
	card   *cycle.Card // nil for other devices
	device device
	slot   *link.Link
	gpus   []*link.GPU
	next   uint64 // free host memory
	fired  int
	drv    *driver.Driver
}

const (
	period     = 2857 // ps
	memorySize = 1 << 32 >> 1
	gpuSize    = 1 << 30
)

var small = sync.OnceValues(func() (*ir.Design, error) { return hw.Elaborate(top.Hotline{Params: arch.Small()}) })

// engine returns a simulator of the small accelerator.
func engine(t testing.TB, opts ...interp.Option) sim.Simulator {
	d, err := small()
	require.NoError(t, err)
	s, err := interp.New(d, opts...)
	require.NoError(t, err)
	return s
}

// newHarness opens the driver on the small accelerator.
func newHarness(t testing.TB, gpus int) *harness {
	return newHarnessOf(t, gpus, engine(t), link.DefaultConfig())
}

func newHarnessOf(t testing.TB, gpus int, s sim.Simulator, slot link.Config) *harness {
	r := newHost(t, gpus, s, slot)
	var err error
	r.drv, err = driver.Open(r, driver.Options{RingLog2: 8, Deadline: time.Second}) // without retries, so that the first fault is reported
	require.NoError(t, err)
	return r
}

// device is the device in the slot.
type device interface {
	Endpoint() *link.Endpoint
	Err() error
}

// newHost returns a host with a card around s.
func newHost(t testing.TB, gpus int, s sim.Simulator, slot link.Config) *harness {
	r := newMachine(t)
	var err error
	r.card, err = cycle.New(r.k, s, period, link.DefaultEndpointConfig())
	require.NoError(t, err)
	r.insert(gpus, r.card, slot)
	return r
}

// newMachine returns a host without devices.
func newMachine(t testing.TB) *harness {
	r := &harness{t: t, k: des.NewKernel(), memory: des.NewMemory("host", memorySize), next: 1 << 20}
	var err error
	r.rc, err = link.NewRootComplex(r.k, link.DefaultRootConfig(), r.memory)
	require.NoError(t, err)
	r.rc.OnInterrupt(func(uint64, uint32) { r.fired++ })
	return r
}

// insert attaches a device and GPUs to the root complex.
func (r *harness) insert(gpus int, d device, slot link.Config) {
	t := r.t
	r.device = d
	var err error
	r.slot, err = r.rc.Attach(slot, d.Endpoint())
	require.NoError(t, err)
	for i := range gpus {
		g, err := link.NewGPU(r.k, link.DefaultGPUConfig(i), des.NewMemory(fmt.Sprint("gpu", i), gpuSize))
		require.NoError(t, err)
		_, err = r.rc.Attach(link.DefaultConfig(), g)
		require.NoError(t, err)
		r.gpus = append(r.gpus, g)
	}
}

func (r *harness) Read32(offset uint64) (uint32, error) {
	return r.rc.Read32(r.device.Endpoint().BAR().Base + offset)
}

func (r *harness) Write32(offset uint64, v uint32) error {
	return r.rc.Write32(r.device.Endpoint().BAR().Base+offset, v)
}

func (r *harness) EnableVector(i int) error {
	return r.device.Endpoint().SetVector(i, 0xfee00000, uint32(i), false)
}

func (r *harness) Wait(timeout time.Duration) error {
	end := r.k.Now() + des.Time(timeout.Nanoseconds())*des.Nanosecond
	err := r.k.Run(func() bool { return r.fired > 0 || r.k.Now() > end || r.device.Err() != nil })
	if err == nil && r.device.Err() != nil {
		return r.device.Err()
	}
	if err == nil && r.fired == 0 {
		return fmt.Errorf("no interrupt after %v: %w", timeout, os.ErrDeadlineExceeded)
	}
	r.fired = 0
	return err
}

func (r *harness) AllocDMA(n int) (driver.DMA, error) { return r.alloc(n), nil }

func (r *harness) alloc(n int) region {
	at := r.next
	r.next += uint64(n+4095) &^ 4095
	return region{r.memory, at, n}
}

type region struct {
	m    *des.Memory
	at   uint64
	size int
}

func (g region) Address() uint64               { return g.at }
func (g region) Size() int                     { return g.size }
func (g region) Read(off int, p []byte) error  { return g.m.Read(g.at+uint64(off), p) }
func (g region) Write(off int, p []byte) error { return g.m.Write(g.at+uint64(off), p) }

// do runs a command that must succeed.
func (r *harness) do(c arch.Command) driver.Completion {
	r.t.Helper()
	out, err := r.drv.Do(c)
	require.NoError(r.t, err, "%v", c)
	// The completion guarantees that all writes have left the card. Writes to GPUs may still be in
	// flight.
	require.NoError(r.t, r.k.RunTo(r.k.Now()+2*des.Microsecond))
	return out
}
