package dispatch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
)

func TestElaborates(t *testing.T) {
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		require.NoError(t, p.Validate())
		_, err := hw.Elaborate(dispatch.Dispatch{Params: p})
		require.NoError(t, err)
	}
}
