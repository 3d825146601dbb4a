package axil_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

// proof is a Slave with any registers behind it.
type proof struct{ AddrWidth int }

// most is how many cycles a request waits at most while the master takes answers.
const most = 4

func (p proof) Build(m *hw.Module) axil.Ports {
	io := hw.Ports[axil.Ports](m)
	slave := hw.Inst(m, "slave", axil.Slave(p))
	hw.Connect(slave.Bus, io.Bus)
	hw.Connect(io.Access, slave.Access)
	axil.Check(m, "bus", io.Bus)
	prompt(m, "write", io.Bus.AW.Valid.And(io.Bus.W.Valid), io.Bus.B.Valid, io.Bus.B.Ready)
	prompt(m, "read", io.Bus.AR.Valid, io.Bus.R.Valid, io.Bus.R.Ready)
	return io
}

// prompt asserts that there is an answer after most cycles with a request, if the master
// does not stall answers.
func prompt(m *hw.Module, name string, asks, answered, ready hw.Bits) {
	waits := m.Reg(name+"_waits", 3, 0)
	waits.Set(hw.Mux(asks.And(answered.Not()).And(ready), waits.Inc(), hw.K(0)))
	m.Assert(waits.Le(hw.K(most)), name+": a request is answered in time")
}

func TestFormal(t *testing.T) {
	d, err := hw.Elaborate(proof{3})
	require.NoError(t, err)
	formal.Holds(t, d)
	for register, texts := range map[string][]string{
		"answered":       {"aw: requests do not pile up", "w: requests do not pile up"},
		"read_word_data": {"r: payload stays until the transfer"},
	} {
		d, err := hw.Elaborate(proof{3})
		require.NoError(t, err)
		bench.Stick(d, "axil_slave", register)
		formal.Fails(t, d, texts...)
	}
}
