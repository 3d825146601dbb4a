package conformance

import (
	"errors"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// reset: an external reset ends all commands in flight, which then change no memory. Afterwards the
// device can be opened again, including interrupts.
func reset(r *harness, kind driver.ResetKind) {
	for range 3 {
		d := r.prepared()
		b := r.alloc(4096)
		require.NoError(r, b.Write(0, row(1)))
		for range 2 {
			for _, c := range copying(b.Address(), b.Address()+1024) {
				require.NoError(r, d.Submit(c, func(driver.Completion, error) {}))
			}
		}
		require.NoError(r, d.Ring())
		err := r.dev.(driver.Resetter).Reset(kind)
		if errors.Is(err, errors.ErrUnsupported) {
			r.Skip("there is no reset from outside")
		}
		require.NoError(r, err)
		require.Zero(r, r.read(arch.CSRControl), "the device is as after power-up")
		require.NoError(r, b.Write(1024, row(2)))
		d = r.open()
		r.steps(d, append([]arch.Command{rowSize()}, copying(b.Address(), b.Address()+2048)...)...)
		require.Equal(r, row(1), r.contents(b, 2048, rowBytes))
		require.Equal(r, row(2), r.contents(b, 1024, rowBytes))
	}
}
