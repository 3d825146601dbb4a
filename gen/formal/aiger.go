package formal

import (
	"bytes"
	"fmt"
)

// aiger encodes c in the binary AIGER format. The only output is 1 if an assertion fails. Inputs
// are numbered first, then latches, then operators.
func (c *circuit) aiger() []byte {
	number := make([]lit, c.nodes)
	next := lit(1)
	count := func(l lit) {
		number[l/2] = 2 * next
		next++
	}
	for _, in := range c.inputs {
		count(in)
	}
	for _, l := range c.latches {
		count(l.out)
	}
	for _, a := range c.ands {
		count(a.out)
	}
	as := func(l lit) lit { return number[l/2] ^ l&1 }

	var out bytes.Buffer
	fmt.Fprintf(&out, "aig %d %d %d 1 %d\n", next-1, len(c.inputs), len(c.latches), len(c.ands))
	for _, l := range c.latches {
		fmt.Fprintf(&out, "%d\n", as(l.next))
	}
	fmt.Fprintf(&out, "%d\n", as(c.fails))
	for _, a := range c.ands {
		x, y := as(a.a), as(a.b)
		difference(&out, as(a.out)-max(x, y))
		difference(&out, max(x, y)-min(x, y))
	}
	return out.Bytes()
}

// difference appends a number in groups of seven bits, lowest first.
func difference(out *bytes.Buffer, n lit) {
	for ; n > 0x7f; n >>= 7 {
		out.WriteByte(byte(n) | 0x80)
	}
	out.WriteByte(byte(n))
}
