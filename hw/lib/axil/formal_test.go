package axil_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// proof is a Slave with unconstrained registers.
type proof struct{ AddrWidth int }

func (p proof) Build(m *hw.Module) axil.Ports {
	io := hw.Ports[axil.Ports](m)
	slave := hw.Inst(m, "slave", axil.Slave(p))
	hw.Connect(slave.Bus, io.Bus)
	hw.Connect(io.Access, slave.Access)
	axil.Check(m, "bus", io.Bus)
	return io
}

func TestFormal(t *testing.T) {
	d, err := hw.Elaborate(proof{3})
	require.NoError(t, err)
	formal.Holds(t, d)
	for register, texts := range map[string][]string{
		"answered":   {"aw: requests do not pile up", "w: requests do not pile up"},
		"read_valid": {"ar: requests do not pile up"},
	} {
		d, err := hw.Elaborate(proof{3})
		require.NoError(t, err)
		bench.Stick(d, "axil_slave", register)
		formal.Fails(t, d, texts...)
	}
}
