package functional_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// TestErrorsOfTheLinkAreThoseOfTheAccelerator: link and accelerator use the same error codes, so
// that the model can pass them on unchanged.
func TestErrorsOfTheLinkAreThoseOfTheAccelerator(t *testing.T) {
	codes := map[link.Error]arch.DMAError{
		link.OK: arch.DMAOK, link.Timeout: arch.ErrTimeout, link.Parity: arch.ErrParity, link.FLR: arch.ErrFLR,
		link.Poisoned: arch.ErrPoisoned, link.UnsupportedRequest: arch.ErrUnsupported, link.CompleterAbort: arch.ErrAbort,
	}
	for e, code := range codes {
		require.EqualValues(t, code, e)
	}
	for _, v := range arch.DMAOK.Enum().Values() {
		_, ours := codes[link.Error(v.Value)]
		require.Equal(t, v.Value != uint64(arch.ErrShort), ours, "%s: the accelerator's own is ErrShort alone", v.Name)
	}
}
