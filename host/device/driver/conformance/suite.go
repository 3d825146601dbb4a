package conformance

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Backend provides devices of one kind: accelerators without a driver.
type Backend struct {
	// Open returns a device, which the backend releases at the end of the test.
	Open func(t *testing.T) driver.Device
	// Remove removes the device that was opened last, like a link failure. It is nil if removal is
	// not possible.
	Remove func()
	// Patience is the maximum time to wait for an expected interrupt, on the clock of the device.
	Patience time.Duration
}

// promises lists the tests of the guarantees.
var promises = []struct {
	name  string
	check func(r *harness)
}{
	{"identity", identity},
	{"registers", registers},
	{"buffers", buffers},
	{"unmapped addresses", unmapped},
	{"failed reads", failedReads},
	{"interrupts", interrupts},
	{"order", order},
	{"function-level reset", func(r *harness) { reset(r, driver.FunctionReset) }},
	{"bus reset", func(r *harness) { reset(r, driver.BusReset) }},
	{"closing", closing},
	{"removal", removal},
}

// Test tests all guarantees in both styles.
func Test(t *testing.T, b Backend) {
	for _, s := range styles {
		for _, p := range promises {
			t.Run(s.name+"/"+p.name, func(t *testing.T) {
				p.check(&harness{T: t, dev: s.of(b.Open(t)), backend: b})
			})
		}
	}
}

// harness is a device under test.
type harness struct {
	*testing.T
	dev     driver.Device
	backend Backend
}

// open opens a driver without retries, so that it hides no fault.
func (r *harness) open() *driver.Driver {
	d, err := driver.Open(r.dev, driver.Options{RingLog2: 3, Deadline: r.backend.Patience})
	require.NoError(r, err)
	return d
}

func (r *harness) read(offset uint64) uint32 {
	v, err := r.dev.Read32(offset)
	require.NoError(r, err)
	return v
}

func (r *harness) write(offset uint64, v uint32) { require.NoError(r, r.dev.Write32(offset, v)) }

func (r *harness) alloc(n int) driver.DMA {
	b, err := r.dev.AllocDMA(n)
	require.NoError(r, err)
	return b
}

// rowBytes is the size of a row.
const rowBytes = 64

// row returns a row whose bytes are v. Interpreted as values, it contains no NaN.
func row(v byte) []byte {
	b := make([]byte, rowBytes)
	for i := range b {
		b[i] = v
	}
	return b
}

// rowSize returns the command that configures the row size.
func rowSize() arch.Command {
	return driver.SWrite(arch.RegRowLog2, uint64(math.Log2(rowBytes)))
}

// prepared returns a driver whose device has a configured row size.
func (r *harness) prepared() *driver.Driver {
	d := r.open()
	_, err := d.Do(rowSize())
	require.NoError(r, err)
	return d
}

// steps submits commands one at a time. Each command must complete with its interrupt before the
// next command is submitted.
func (r *harness) steps(d *driver.Driver, commands ...arch.Command) {
	for _, c := range commands {
		require.NoError(r, d.Submit(c, func(_ driver.Completion, err error) { require.NoError(r, err) }))
		require.NoError(r, d.Ring())
		require.NoError(r, r.dev.Wait(r.backend.Patience))
		n, err := d.Poll()
		require.NoError(r, err)
		require.Equal(r, 1, n, "completions of %v behind its interrupt", c)
	}
}

// copying returns the commands that copy a row.
func copying(from, to uint64) []arch.Command {
	return []arch.Command{driver.DMARead(from, rowBytes), driver.VAdd(true), driver.DMAWrite(to, rowBytes)}
}

// copyRow copies a row by the device. It returns the error of the first command that fails.
func copyRow(d *driver.Driver, from, to uint64) error {
	for _, c := range copying(from, to) {
		if _, err := d.Do(c); err != nil {
			return err
		}
	}
	return nil
}

// contents returns n bytes of a buffer.
func (r *harness) contents(b driver.DMA, offset, n int) []byte {
	p := make([]byte, n)
	require.NoError(r, b.Read(offset, p))
	return p
}
