package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
)

// chooser has the given number of cases.
type chooser struct{ Cases int }

func (p chooser) Build(m *hw.Module) struct{} {
	x, out := m.In("x", 2), m.Out("out", 2)
	out.Set(hw.K(3))
	sw := m.Switch(x)
	for i := range p.Cases {
		sw = sw.Case(hw.K(i), func() { out.Set(hw.K(i)) })
	}
	sw.Default(func() { out.Set(x) })
	return struct{}{}
}

// TestSwitchWithoutCases: the Default of a Switch without cases is unconditional.
func TestSwitchWithoutCases(t *testing.T) {
	d, err := hw.Elaborate(chooser{1})
	require.NoError(t, err)
	require.Contains(t, d.String(), "default")
	d, err = hw.Elaborate(chooser{0})
	require.ErrorContains(t, err, "[overwrite]")
	require.Nil(t, d)
}
