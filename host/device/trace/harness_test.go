package trace_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/device/trace"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// row is the size of a row in bytes.
const row = 64

// harness is a machine with a functional accelerator and a capture of its link.
type harness struct {
	t      *testing.T
	s      *server.Server
	drv    *driver.Driver
	file   bytes.Buffer
	writer *capture.Writer
	host   *server.Region
	gpu    *server.Region
}

// newHarness starts a capture. inject, unless nil, injects faults after the enumeration.
func newHarness(t *testing.T, inject link.Injector) *harness {
	return newHarnessOn(t, func(*server.Config) {}, inject)
}

// newHarnessOn returns a harness with a modified configuration.
func newHarnessOn(t *testing.T, change func(*server.Config), inject link.Injector) *harness {
	r := &harness{t: t}
	cfg := server.DefaultConfig()
	cfg.GPUs = 1
	change(&cfg)
	var err error
	r.s, err = server.New(cfg)
	require.NoError(t, err)
	r.writer, err = capture.NewWriter(&r.file, "accelerator")
	require.NoError(t, err)
	e := cfg.Endpoint
	r.writer.Function(capture.Function{ID: e.ID, BAR: e.BAR, MSIXOffset: e.MSIXOffset})
	r.s.Attached = func() { capture.Record(r.s.Slot(), r.writer) }
	dev, err := r.s.Insert(r.card(r.s.Kernel))
	require.NoError(t, err)
	r.s.Slot().Inject(inject)
	r.drv, err = driver.Open(dev, driver.DefaultOptions())
	require.NoError(t, err)
	r.host, r.gpu = r.s.Host.Alloc("rows", 1<<16), r.s.GPUs[0].Memory.Alloc("rows", 1<<16)
	return r
}

// card returns an accelerator like the harness's on a kernel.
func (r *harness) card(k *des.Kernel) *functional.Accel {
	cfg := server.DefaultConfig()
	a, err := functional.New(k, arch.Small(), cfg.Period, cfg.Endpoint)
	require.NoError(r.t, err)
	return a
}

// one runs a command of each kind; ids start at 1.
func (r *harness) one() {
	half := uint64(math.Float32bits(0.5))
	for _, c := range []arch.Command{
		driver.SWrite(arch.RegRowLog2, 6), driver.SWrite(arch.RegSlots, 2), driver.SWrite(arch.RegTables, 1),
		driver.SWrite(arch.RegGPUs, 1), driver.SWrite(arch.RegTable, r.host.Address()), driver.SWrite(arch.RegScale, half),
		driver.SWrite(arch.RegSlot, 1<<arch.SlotFirstBit), driver.SWrite(arch.RegSlot+1, 1<<arch.SlotLastBit),
		driver.SWrite(arch.RegHot, r.gpu.Address()), driver.SWrite(arch.RegPooled, r.gpu.Address()+0x1000),
		driver.SWrite(arch.RegGrad, r.gpu.Address()+0x2000), driver.SWrite(arch.RegMailbox, r.gpu.Address()+0x3000),
		driver.DMARead(r.host.Address()+row, row), driver.VAdd(true), // 13, 14
		driver.GPURead(0, 3), driver.VAdd(false), // 15, 16
		driver.DMAWrite(r.host.Address()+2*row, row),                          // 17
		driver.DMARead(r.host.Address(), row), driver.VMul(2), driver.Fence(), // 18 to 20
		driver.Learn(0, r.host.Address()+0x4000, 8), driver.HotSet(r.host.Address() + 0x5000), // 21, 22
		driver.Classify(1, r.host.Address()+0x4000, 8, r.host.Address()+0x8000), driver.Gather(1, 8), // 23, 24
		driver.Update(0, r.host.Address()+0x4000, 1), // 25
	} {
		_, err := r.drv.Do(c)
		require.NoError(r.t, err, "%v", c)
	}
}

// trace closes the capture and decodes it.
func (r *harness) trace() *trace.Trace {
	require.NoError(r.t, r.writer.Close())
	t, err := trace.Read(bytes.NewReader(r.file.Bytes()))
	require.NoError(r.t, err)
	return t
}

// run returns the capture of a command of each kind.
func run(t *testing.T) (*harness, *trace.Trace) {
	r := newHarness(t, nil)
	r.one()
	return r, r.trace()
}

// find returns the first event with a role and a kind.
func find(t *testing.T, x *trace.Trace, role trace.Role, kind pcie.Kind) *trace.Event {
	for i := range x.Events {
		if e := &x.Events[i]; e.Kind == capture.KindTLP && e.Role == role && e.TLP.Kind == kind {
			return e
		}
	}
	require.Fail(t, "there is none", "%s %v", role, kind)
	return nil
}

// written decodes a capture that write generates.
func written(t *testing.T, write func(w *capture.Writer)) *trace.Trace {
	x, err := trace.Read(bytes.NewReader(writtenFile(t, write)))
	require.NoError(t, err)
	return x
}

// writtenFile returns a capture that write generates.
func writtenFile(t *testing.T, write func(w *capture.Writer)) []byte {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "accelerator")
	require.NoError(t, err)
	e := server.DefaultConfig().Endpoint
	w.Function(capture.Function{ID: e.ID, BAR: e.BAR, MSIXOffset: e.MSIXOffset})
	write(w)
	require.NoError(t, w.Close())
	return b.Bytes()
}
