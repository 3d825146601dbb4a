package yosystest

import (
	"fmt"
	"os"
	"testing"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys"
)

// Check is the test of a block. It returns an error if d misbehaves in a run with the given seed.
type Check func(d *ir.Design, seed uint64) error

// Run runs check on the netlist of d. A mutant runs with the given number of seeds, starting at 1,
// until check fails. With -short, Run skips the test.
func Run(t *testing.T, block string, d *ir.Design, seeds int, check Check) {
	t.Run(block, func(t *testing.T) {
		tools.Need(t, "yosys")
		n, err := yosys.New(d, t.TempDir())
		must(t, "netlist", err)
		g, err := n.Design()
		must(t, "netlist", err)
		if os.Getenv(reportFile) == "" {
			seeds = 1
		}
		must(t, "without a fault", check.every(g, seeds))
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

// must fails the test if err is not nil.
func must(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// every returns the first error of check with any seed, or its panic.
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

// Mutate runs check on mutants.
func Mutate(t *testing.T, n *yosys.Netlist, block string, count int, seed uint64, check func(*ir.Design) error) Report {
	list, err := n.Mutants(count, seed)
	must(t, "netlist", err)
	r := Report{Block: block}
	for _, x := range list {
		d, err := x.Design()
		if err != nil {
			t.Logf("%s: %v", x, err) // a combinational loop
			continue
		}
		r.Mutants++
		if check(d) != nil {
			r.Killed++
			continue
		}
		same, err := x.Equivalent()
		must(t, "netlist", err)
		if same {
			r.Equivalent++
			continue
		}
		r.Survivors = append(r.Survivors, x.String())
	}
	return r
}

// Map runs check on the gates and counts the bits that are not proved equal.
func Map(t *testing.T, n *yosys.Netlist, block string, check func(*ir.Design) error) Report {
	g, err := n.Gates()
	must(t, "netlist", err)
	d, err := g.Design()
	must(t, "netlist", err)
	must(t, "as gates", check(d))
	unproven, err := g.Unproven()
	must(t, "netlist", err)
	return Report{Block: block, Gates: g.Count(), Unproven: unproven}
}
