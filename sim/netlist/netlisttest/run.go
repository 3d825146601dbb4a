package netlisttest

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/netlist"
)

// Report is what became of the mutants of a block.
type Report struct {
	Block              string
	Mutants            int // that are designs
	Killed, Equivalent int
	Survivors          []string
	Cells              int
}

// Run lets check run the netlist of d and mutants of it, with so many seeds, from 1 on.
func Run(t *testing.T, block string, d *ir.Design, seeds int, check func(*ir.Design, uint64) error) {
	t.Run(block, func(t *testing.T) {
		n, err := netlist.New(d, t.TempDir())
		require.NoError(t, err)
		g, err := n.Design()
		require.NoError(t, err)
		require.NoError(t, every(g, seeds, check), "without a fault")
		count, seed := 6, uint64(1)
		if s := os.Getenv("HOTLINE_MUTANTS"); s != "" {
			_, err := fmt.Sscan(s, &count, &seed)
			require.NoError(t, err)
		}
		list, err := n.Mutants(count, seed)
		require.NoError(t, err)
		r := Report{Block: block}
		for _, x := range list {
			d, err := x.Design()
			if err != nil {
				t.Logf("%s: %v", x, err)
				continue
			}
			r.Mutants++
			if killed(func() error { return every(d, seeds, check) }) {
				r.Killed++
			} else if same, err := x.Equivalent(); same {
				r.Equivalent++
			} else {
				require.NoError(t, err)
				t.Logf("survives: %s", x)
				r.Survivors = append(r.Survivors, x.String())
			}
		}
		t.Logf("%s: %d of %d, %d equivalent", block, r.Killed, r.Mutants, r.Equivalent)
		report(t, r)
	})
}

// every is the first error of check with any seed.
func every(d *ir.Design, seeds int, check func(*ir.Design, uint64) error) error {
	for seed := range uint64(seeds) {
		if err := check(d, seed+1); err != nil {
			return err
		}
	}
	return nil
}

// killed tells whether check objects, or stops at a mistake.
func killed(check func() error) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = true
		}
	}()
	return check() != nil
}

// report appends r to the file that is asked for.
func report(t *testing.T, r Report) {
	path := os.Getenv("HOTLINE_REPORT")
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, json.NewEncoder(f).Encode(r))
}
