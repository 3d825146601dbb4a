package arithmetic

import (
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/lib/fp32"
	"github.com/hotline-rtl/hotline/hw/lib/fp32/fp32test"
	"github.com/hotline-rtl/hotline/sim"
)

// lanes is the number of adders and the number of multipliers.
const lanes = 64

// kinds are the distributions from which pairs are sampled. All have the same number of pairs.
var kinds = []struct {
	name string
	draw func() fp32test.Draw
}{
	{"all bit patterns", always(fp32test.BitPatterns)},
	{"exponents close to each other", always(fp32test.Nearby)},
	{"products around the smallest numbers", always(fp32test.SmallProducts)},
	{"products around the largest number", always(fp32test.LargeProducts)},
	{"borders of the format", borders},
}

func always(d fp32test.Draw) func() fp32test.Draw { return func() fp32test.Draw { return d } }

// borders returns all pairs of numbers at the borders of the format first. Then it samples pairs of
// a number at the borders and a random number.
func borders() fp32test.Draw {
	xs := fp32test.Special()
	pairs := fp32test.AllPairs(xs)
	return func(r *rand.Rand) (a, b uint32) {
		if len(pairs) > 0 {
			p := pairs[0]
			pairs = pairs[1:]
			return p[0], p[1]
		}
		a, b = xs[r.IntN(len(xs))], r.Uint32()
		if r.IntN(2) == 0 {
			return b, a
		}
		return a, b
	}
}

// counts counts the pairs of a kind and their wrong results.
type counts struct{ pairs, sums, products int }

// comparison compares the units that s simulates with the host.
type comparison struct {
	s       sim.Simulator
	a, b    sim.Pin
	sum     sim.Pin
	product sim.Pin
	under   [fp32.Latency + 1][lanes][2]uint32 // operands in flight, a ring over cycles
	log     io.Writer
	printed int
}

func newComparison(s sim.Simulator, log io.Writer) *comparison {
	return &comparison{s: s, a: sim.Find(s, "a"), b: sim.Find(s, "b"), sum: sim.Find(s, "sum"), product: sim.Find(s, "product"), log: log}
}

// run compares at least this number of pairs, rounded up to a multiple of the lanes.
func (c *comparison) run(pairs int, draw fp32test.Draw, r *rand.Rand) (n counts, err error) {
	cycles := (pairs + lanes - 1) / lanes
	for k := range cycles + fp32.Latency {
		now := &c.under[k%len(c.under)]
		c.operands(now, draw, r)
		if k >= fp32.Latency {
			c.check(&c.under[(k-fp32.Latency)%len(c.under)], &n)
		}
		if err := c.s.Step(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// operands samples operands for all lanes and drives the inputs of the units.
func (c *comparison) operands(pairs *[lanes][2]uint32, draw fp32test.Draw, r *rand.Rand) {
	var words [2][lanes / 2]uint64
	for i := range pairs {
		pairs[i][0], pairs[i][1] = draw(r)
		for k, x := range pairs[i] {
			words[k][i/2] |= uint64(x) << (32 * (i % 2))
		}
	}
	c.a.SetWords(words[0][:])
	c.b.SetWords(words[1][:])
}

// check compares the results of these operands with the host's results.
func (c *comparison) check(pairs *[lanes][2]uint32, n *counts) {
	sums, products := c.sum.Words(), c.product.Words()
	for i, p := range pairs {
		n.pairs++
		n.sums += c.differ("+", p, uint32(sums[i/2]>>(32*(i%2))), fp32test.Sum(p[0], p[1]))
		n.products += c.differ("*", p, uint32(products[i/2]>>(32*(i%2))), fp32test.Product(p[0], p[1]))
	}
}

// mostPrinted limits the number of differences that are printed.
const mostPrinted = 20

// differ returns 1 if a result is wrong, and 0 otherwise.
func (c *comparison) differ(operator string, p [2]uint32, got, want uint32) int {
	if got == want {
		return 0
	}
	if c.printed++; c.printed <= mostPrinted {
		fmt.Fprintf(c.log, "%08x %s %08x is %08x, want %08x\n", p[0], operator, p[1], got, want)
	}
	return 1
}
