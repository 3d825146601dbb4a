package arithmetic

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/rebuilt"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// Run compares pairs of operands in the compiled model of the units. If this program does not
// contain the model, Run builds a program that does.
func Run(pairs int, seed uint64, out io.Writer) error {
	d, err := hw.Elaborate(units{lanes})
	if err != nil {
		return err
	}
	if s, ok := compiled.Find(d); ok {
		return campaign(s, pairs, seed, out)
	}
	return rebuilt.Run(d, out, out, "arithmetic", fmt.Sprintf("--pairs=%d", pairs), fmt.Sprintf("--seed=%d", seed))
}

// campaign compares the same number of pairs of each kind and prints a table.
func campaign(s sim.Simulator, pairs int, seed uint64, out io.Writer) error {
	fmt.Fprintln(out, "| pairs | number | sums that differ | products that differ |\n|---|---:|---:|---:|")
	c := newComparison(s, out)
	var all counts
	for i, kind := range kinds {
		n, err := c.run((pairs+len(kinds)-1)/len(kinds), kind.draw(), rand.New(rand.NewPCG(seed, uint64(i))))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "| %s | %d | %d | %d |\n", kind.name, n.pairs, n.sums, n.products)
		all = counts{all.pairs + n.pairs, all.sums + n.sums, all.products + n.products}
	}
	fmt.Fprintf(out, "| all | %d | %d | %d |\n", all.pairs, all.sums, all.products)
	if all.sums+all.products > 0 {
		return errors.New("units and host differ")
	}
	return nil
}
