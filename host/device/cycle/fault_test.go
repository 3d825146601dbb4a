package cycle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

const nowhere = 1 << 50 // beyond all memory

// fails runs a command that must end with a status.
func (r *harness) fails(c arch.Command, status link.Error) driver.Completion {
	r.t.Helper()
	got, err := r.drv.Do(c)
	require.Equal(r.t, &driver.StatusError{Command: c, Status: arch.Status(status)}, err)
	return got
}

// TestAddressesThatNobodyClaims: for an unmapped address, the command that needs the data fails
// with the completer's status, and the next command succeeds.
func TestAddressesThatNobodyClaims(t *testing.T) {
	j := newJob(t, 2, 20, 1)
	r, lookups := j.r, uint32(len(j.index))
	row, out := r.alloc(64), r.alloc(64)
	require.NoError(t, r.memory.WriteFloat32s(row.at, []float32{3, 5, 7}))

	r.do(driver.DMARead(nowhere, 64))
	r.fails(driver.VMul(1), link.UnsupportedRequest)
	r.do(driver.DMARead(row.at, 64))
	r.do(driver.VMul(2))
	r.do(driver.DMAWrite(out.at, 64))
	got := make([]float32, 3)
	require.NoError(t, r.memory.ReadFloat32s(out.at, got))
	require.Equal(t, []float32{6, 10, 14}, got)

	r.fails(driver.Learn(0, nowhere, j.n), link.UnsupportedRequest)
	r.fails(driver.Classify(0, nowhere, j.n, out.at), link.UnsupportedRequest)
	r.fails(driver.Update(0, nowhere, 5), link.UnsupportedRequest)
	cold := r.do(driver.Classify(0, j.words.at, j.n, out.at))
	require.Equal(t, lookups, cold.Value1)

	r.do(driver.SWrite(arch.RegTable+1, nowhere))
	r.fails(driver.Gather(0, j.n), link.UnsupportedRequest)
	r.do(driver.SWrite(arch.RegTable+1, j.bases[1]))
	require.Equal(t, lookups, r.do(driver.Gather(0, j.n)).Value1)

	counters, err := r.drv.Counters()
	require.NoError(t, err)
	require.Positive(t, counters.RowsRead)
}

// TestFaultsOfRows: the answer to a row's read is poisoned, aborted or lost.
func TestFaultsOfRows(t *testing.T) {
	for _, c := range []struct {
		fault func(p *pcie.TLP) link.Fate
		want  link.Error
	}{
		{func(p *pcie.TLP) link.Fate { p.EP = true; return link.Fate{} }, link.Poisoned},
		{func(p *pcie.TLP) link.Fate {
			p.Kind, p.Status, p.Length, p.Data = pcie.Cpl, pcie.CA, 0, nil
			return link.Fate{}
		}, link.CompleterAbort},
		{func(*pcie.TLP) link.Fate { return link.Fate{Drop: true} }, link.Timeout},
	} {
		j := newJob(t, 1, 20, 1)
		r := j.r
		bitmap := r.alloc(64)
		r.do(driver.Classify(0, j.words.at, j.n, bitmap.at))
		rows := 0
		r.slot.Inject(func(dir link.Direction, _ des.Time, p *pcie.TLP) link.Fate {
			if dir == link.Down && p.Kind == pcie.CplD && len(p.Data) == rowBytes {
				if rows++; rows == 30 { // the first is the command
					return c.fault(p)
				}
			}
			return link.Fate{}
		})
		r.fails(driver.Gather(0, j.n), c.want)
		done := r.do(driver.Gather(0, j.n))
		require.EqualValues(t, len(j.index), done.Value1)
	}
}

// TestLinkDown: without a link the card's reads fail, and the driver reports that the device is
// gone.
func TestLinkDown(t *testing.T) {
	r := newHarness(t, 0)
	r.slot.SetUp(false)
	_, err := r.drv.Do(driver.Fence())
	require.ErrorIs(t, err, driver.ErrGone)
}
