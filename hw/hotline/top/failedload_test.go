package top

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// failedLoads lists ways in which a read of a load fails, with the resulting status of the command.
var failedLoads = []struct {
	dma.Fault
	status arch.Status
}{
	{dma.Fault{Error: 10}, 10}, // all words arrive
	{dma.Fault{Error: 10, Short: true}, 10},
	{dma.Fault{Short: true, Beats: 3}, arch.Status(arch.ErrShort)},
	{dma.Fault{Poison: true}, arch.Status(arch.ErrPoisoned)},
}

// sweepCounters are the counters of sweeps of the lookup engines and of the rows after them.
var sweepCounters = []uint64{arch.CSRLookups, arch.CSRCacheHits, arch.CSRLookupCycles, arch.CSRHotLookups, arch.CSRConflicts,
	arch.CSRWindowStalls, arch.CSRQueueStalls, arch.CSRLearnCycles, arch.CSRRowsRead, arch.CSRRowsWritten}

// firstLoadFails runs classify and learn on halves that were not loaded since power-up, and fails
// the given read of each load. It returns the sweep counters that are not 0.
func firstLoadFails(t *testing.T, d *ir.Design, read int, f dma.Fault, want arch.Status) (counted []string) {
	const inputs, readBytes = 200, 512
	s, err := newSystem(d, sizes[0].Params, 1)
	require.NoError(t, err)
	require.NoError(t, s.ready())
	s.setUp(t)
	s.batch(inputs)
	s.fail(hostWords+uint64(read)*readBytes, f)
	other := classify(inputs)
	other.Flags = 1
	for _, c := range []arch.Command{classify(inputs), other, learn(inputs)} {
		status, values, err := s.run(c)
		require.NoError(t, err)
		require.Equal(t, want, status)
		require.Zero(t, values)
	}
	for _, offset := range sweepCounters {
		if v := s.csr(t, offset); v != 0 {
			counted = append(counted, fmt.Sprintf("%#x: %d", offset, v))
		}
	}
	return counted
}

// TestFailedFirstLoadStartsNoSweep fails each read of the first load of a half, in each way. The
// engines must neither look up nor count words that never arrived.
func TestFailedFirstLoadStartsNoSweep(t *testing.T) {
	d, err := hw.Elaborate(Hotline{sizes[0].Params})
	require.NoError(t, err)
	for read := range 4 {
		for _, f := range failedLoads {
			require.Empty(t, firstLoadFails(t, d, read, f.Fault, f.status), "read %d, %+v", read, f.Fault)
		}
	}
}

// TestSweepOfAFailedLoadIsNoticed lets the dispatcher continue after a failed load. Then the status
// and the values of the completions are correct, but the counters are not.
func TestSweepOfAFailedLoadIsNoticed(t *testing.T) {
	d, err := hw.Elaborate(Hotline{sizes[0].Params})
	require.NoError(t, err)
	spoilt := 0
	for _, m := range d.Modules {
		ir.WalkStmts(m.Body.Stmts, func(s ir.Stmt) {
			a, ok := s.(*ir.Assign)
			if ok && strings.HasPrefix(m.Name, "dispatch") && a.LHS.Sig.Name == "failed" {
				a.RHS = &ir.Expr{Op: ir.Const, Type: a.RHS.Type, Val: []uint64{0}, Pos: a.Pos}
				spoilt++
			}
		})
	}
	require.Equal(t, 1, spoilt)
	for _, f := range failedLoads {
		require.NotEmpty(t, firstLoadFails(t, d, 0, f.Fault, f.status), "%+v", f.Fault)
	}
}
