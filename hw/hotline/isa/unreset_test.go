package isa

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func TestRemovedResetsAreNoticed(t *testing.T) {
	p := sizes[0].Params
	d, err := hw.Elaborate(Of(p))
	require.NoError(t, err)
	require.Empty(t, bench.Unreset(d, 32, func(seed uint64) error {
		return errors.Join(checkRings(d, p, seed, 0), scenarios["registers"](d, p, seed), scenarios["bases"](d, p, seed))
	}))
}
