package isa_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/isa"
)

func TestElaborates(t *testing.T) {
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		_, err := hw.Elaborate(isa.ISA{Params: p})
		require.NoError(t, err)
	}
}
