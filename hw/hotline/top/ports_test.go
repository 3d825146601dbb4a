package top

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// provedPorts maps prefixes of output names to the module that drives them through wires only.
// gen/formal proves that the module obeys the rules of its ports.
var provedPorts = map[string]string{
	"s_axil_":            "axil_slave",
	"m_axis_read_desc_":  "dma_read",
	"s_axis_read_data_":  "dma_read",
	"m_axis_write_desc_": "dma_write",
	"m_axis_write_data_": "dma_write",
	"irq_req":            "interrupt_line",
	"irq_level":          "completer",
}

func TestPortsAreOfProvedBlocks(t *testing.T) {
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		d, err := hw.Elaborate(Hotline{p})
		require.NoError(t, err)
		require.NoError(t, portsProved(d.Top))
		for _, st := range d.Top.Body.Stmts {
			a, ok := st.(*ir.Assign)
			if !ok || a.LHS.Sig.Kind != ir.Output {
				continue
			}
			right := a.RHS
			a.RHS = &ir.Expr{Op: ir.Not, Type: right.Type, Args: []*ir.Expr{right}}
			require.EqualError(t, portsProved(d.Top), a.LHS.Sig.Name+" comes from no proved block")
			a.RHS = right
		}
	}
}

// portsProved returns an error that names an output not driven by its module.
func portsProved(m *ir.Module) error {
	for _, p := range m.Ports {
		if p.Kind != ir.Output {
			continue
		}
		proved := false
		for name, block := range provedPorts {
			proved = proved || strings.HasPrefix(p.Name, name) && slices.ContainsFunc(bench.OriginOf(m, p).Inside, func(i *ir.Instance) bool {
				return strings.HasPrefix(i.Of.Name, block)
			})
		}
		if !proved {
			return fmt.Errorf("%s comes from no proved block", p.Name)
		}
	}
	return nil
}
