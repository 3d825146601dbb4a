package top_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
)

func TestElaborates(t *testing.T) {
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		d, err := hw.Elaborate(top.Hotline{Params: p})
		require.NoError(t, err)
		t.Logf("%d modules", len(d.Modules))
	}
}
