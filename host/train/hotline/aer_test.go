package hotline_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/pcie/config"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train"
)

// aer is the offset of the capability in the configuration space.
const aer = 0x100

// TestErrorReporting: each fault, in either direction, sets the bits and sends the message that
// docs/reference/reliability.md lists.
func TestErrorReporting(t *testing.T) {
	var table strings.Builder
	for _, place := range []fault.Place{fault.DMARead, fault.DMAWrite, fault.WireDown, fault.WireUp} {
		for _, kind := range place.Kinds() {
			plan := once(kind, place, 3)
			if kind == fault.LostNAK {
				continue // as lost_ack, behind a bit_error
			}
			fmt.Fprintf(&table, "| `%s` | `%s` | %s |\n", place, kind, reported(t, plan))
		}
	}
	document, err := os.ReadFile("../../../docs/reference/reliability.md")
	require.NoError(t, err)
	require.Contains(t, string(document), "|---|---|---|---|---|---|\n"+table.String()+"\n", "the table is\n%s", table.String())
}

// reported trains under a fault plan, and returns the errors that the accelerator and the root
// complex have reported.
func reported(t *testing.T, plan *fault.Plan) string {
	j := surviving(t)
	s, h := j.hotline(t)
	x := fault.Inject(s, j.endpoint, plan)
	_, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	require.Len(t, x.Log(), 1)
	require.NoError(t, s.Kernel.RunTo(s.Kernel.Now()+3*s.Config.Endpoint.CompletionTimeout))
	read := func(at int) uint32 {
		v, err := s.Root.ConfigRead(j.endpoint.ID(), at)
		require.NoError(t, err)
		return v
	}
	above := func(at int) uint32 { return s.Switch.OwnErrors().DW(at) | s.Root.OwnErrors().DW(at) }
	return strings.Join([]string{errorsOf(read), inStatus(read(config.Command) >> 16), errorsOf(above), messages(s.Root.Errors())}, " | ")
}

// errorsOf names the bits in the status registers of an AER capability.
func errorsOf(read func(at int) uint32) string {
	var list []string
	for e := config.Error(0); e < 64; e++ {
		at := aer + config.UncorrectableStatus
		if e.Correctable() {
			at = aer + config.CorrectableStatus
		}
		if read(at)>>e.Bit()&1 != 0 {
			list = append(list, e.String())
		}
	}
	return strings.Join(list, ", ")
}

func inStatus(bits uint32) string {
	var list []string
	for bit, name := range map[uint32]string{
		config.ReceivedTargetAbort: "Received Target Abort", config.ReceivedMasterAbort: "Received Master Abort",
		config.DetectedParityError: "Detected Parity Error",
	} {
		if bits&bit != 0 {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

func messages(e link.RootErrors) string {
	var list []string
	for s, n := range e.Messages {
		if n > 0 {
			list = append(list, []string{"ERR_COR", "ERR_NONFATAL", "ERR_FATAL"}[s])
		}
	}
	return strings.Join(list, ", ")
}
