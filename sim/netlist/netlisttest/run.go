package netlisttest

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/netlist"
)

// Check is the test of a block: what is wrong with d, in a run of a seed.
type Check func(d *ir.Design, seed uint64) error

// Run lets check run the netlist of d. Mutants run with so many seeds, from 1 on, until
// check objects.
func Run(t *testing.T, block string, d *ir.Design, seeds int, check Check) {
	t.Run(block, func(t *testing.T) {
		n, err := netlist.New(d, t.TempDir())
		require.NoError(t, err)
		g, err := n.Design()
		require.NoError(t, err)
		if os.Getenv(reportFile) == "" {
			seeds = 1
		}
		require.NoError(t, check.every(g, seeds), "without a fault")
		var count int
		var seed uint64
		switch _, err := fmt.Sscan(os.Getenv(mutants), &count, &seed); {
		case err == nil:
			report(t, Mutate(t, n, block, count, seed, func(d *ir.Design) error { return check.every(d, seeds) }))
		case os.Getenv(gates) != "":
			report(t, Map(t, n, block, func(d *ir.Design) error { return check.every(d, seeds) }))
		}
	})
}

// every is the first error with any seed, or what stops the check.
func (check Check) every(d *ir.Design, seeds int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	for seed := range uint64(seeds) {
		if err := check(d, seed+1); err != nil {
			return err
		}
	}
	return nil
}

// Mutate lets check run mutants.
func Mutate(t *testing.T, n *netlist.Netlist, block string, count int, seed uint64, check func(*ir.Design) error) Report {
	list, err := n.Mutants(count, seed)
	require.NoError(t, err)
	r := Report{Block: block}
	for _, x := range list {
		d, err := x.Design()
		if err != nil {
			t.Logf("%s: %v", x, err) // a loop
			continue
		}
		r.Mutants++
		if check(d) != nil {
			r.Killed++
			continue
		}
		same, err := x.Equivalent()
		require.NoError(t, err)
		if same {
			r.Equivalent++
			continue
		}
		r.Survivors = append(r.Survivors, x.String())
	}
	return r
}

// Map lets check run the gates, and has them proved.
func Map(t *testing.T, n *netlist.Netlist, block string, check func(*ir.Design) error) Report {
	g, err := n.Gates()
	require.NoError(t, err)
	d, err := g.Design()
	require.NoError(t, err)
	require.NoError(t, check(d), "as gates")
	unproven, err := g.Unproven()
	require.NoError(t, err)
	return Report{Block: block, Gates: g.Count(), Unproven: unproven}
}
