package fault_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/fault"
)

// TestFaultsOfTheGuest: examples/faults/guest.hcl contains every fault that needs no bus reset, at
// every place that a guest has, and docs/reference/reliability.md states their number.
func TestFaultsOfTheGuest(t *testing.T) {
	p, err := fault.Load("../../../examples/faults/guest.hcl")
	require.NoError(t, err)
	var got, want []string
	for _, r := range p.Rules {
		require.True(t, r.Required, "%v", r)
		got = append(got, r.String())
	}
	for _, place := range append(fault.Places(), fault.Wires()...) {
		for _, kind := range place.Kinds() {
			switch {
			case place == fault.GPURead || place == fault.VectorWr: // a guest has no GPUs
			case kind == fault.Overflow || kind == fault.LinkDown: // a bus reset
			case kind == fault.LostNAK: // a NAK follows another fault
			default:
				want = append(want, fault.Rule{Kind: kind, Place: place}.String())
			}
		}
	}
	require.ElementsMatch(t, want, got)
	page, err := os.ReadFile("../../../docs/reference/reliability.md")
	require.NoError(t, err)
	require.Contains(t, string(page), fmt.Sprintf("it meets the %d faults of", len(got)))
}
