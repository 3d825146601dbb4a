package wrap

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// TestStreamsLeaveStages checks that the outputs of a wrapper are registers of a Stage or a Skid,
// and that one stream comes from one instance. The register interface for software must come from
// the accelerator.
func TestStreamsLeaveStages(t *testing.T) {
	axi, err := hw.Elaborate(AXI{least()})
	require.NoError(t, err)
	pcie, err := hw.Elaborate(VerilogPCIe{least()})
	require.NoError(t, err)
	xdma, err := hw.Elaborate(XDMA{least()})
	require.NoError(t, err)
	for d, streams := range map[*ir.Design][]string{
		axi:  {"m_axi_aw", "m_axi_w", "m_axi_ar"},
		pcie: {"m_axis_dma_read_desc_", "m_axis_source_desc_", "m_axis_sink_desc_", "m_axis_sink_data_", "m_axis_dma_write_desc_"},
		xdma: {"m_axis_c2h_"},
	} {
		require.NoError(t, leaveStages(d.Top, streams))
		refusesLogic(t, d.Top, streams)
	}
}

// leaveStages returns an error that names another output of m. It ignores ready signals,
// descriptors of XDMA and interrupts.
func leaveStages(m *ir.Module, streams []string) error {
	from := map[string][]*ir.Instance{}
	for _, p := range m.Ports {
		if p.Kind != ir.Output || strings.HasSuffix(p.Name, "ready") || strings.Contains(p.Name, "_dsc_byp_") || strings.Contains(p.Name, "irq_") {
			continue
		}
		o := bench.OriginOf(m, p)
		if strings.HasPrefix(p.Name, "s_axil_") {
			if len(o.Inside) == 0 || o.Inside[0].Of.Name != "hotline" {
				return fmt.Errorf("%s is not that of the accelerator", p.Name)
			}
			continue
		}
		i := slices.IndexFunc(streams, func(s string) bool { return strings.HasPrefix(p.Name, s) })
		if i < 0 {
			return fmt.Errorf("%s is of no stream", p.Name)
		}
		if o.Register == nil || !isStage(o.Inside[len(o.Inside)-1].Of) {
			return fmt.Errorf("%s leaves no stage", p.Name)
		}
		if known := from[streams[i]]; known != nil && !slices.Equal(known, o.Inside) {
			return fmt.Errorf("%s leaves another stage than the rest of its stream", p.Name)
		}
		from[streams[i]] = o.Inside
	}
	if len(from) < len(streams) {
		return fmt.Errorf("%d streams, want %d", len(from), len(streams))
	}
	return nil
}

// isStage reports whether a module belongs to package skid.
func isStage(m *ir.Module) bool {
	return strings.HasPrefix(m.Name, "stage") || strings.HasPrefix(m.Name, "skid")
}

// refusesLogic checks that leaveStages detects an inverter before an output, and an output of
// another stream.
func refusesLogic(t *testing.T, m *ir.Module, streams []string) {
	inverted, exchanged := 0, 0
	other := map[ir.Type]*ir.Expr{} // outputs of the previous stream
	for _, name := range streams {
		own := map[ir.Type]*ir.Expr{}
		for _, st := range m.Body.Stmts {
			a, ok := st.(*ir.Assign)
			if !ok || !strings.HasPrefix(a.LHS.Sig.Name, name) || strings.HasSuffix(a.LHS.Sig.Name, "ready") {
				continue
			}
			right := a.RHS
			a.RHS = &ir.Expr{Op: ir.Not, Type: right.Type, Args: []*ir.Expr{right}}
			require.EqualError(t, leaveStages(m, streams), a.LHS.Sig.Name+" leaves no stage")
			inverted++
			if a.RHS = other[right.Type]; a.RHS != nil {
				require.ErrorContains(t, leaveStages(m, streams), "leaves another stage")
				exchanged++
			}
			a.RHS, own[right.Type] = right, right
		}
		other = own
	}
	require.GreaterOrEqual(t, inverted, 3*len(streams))
	require.GreaterOrEqual(t, exchanged, len(streams)-1)
}
