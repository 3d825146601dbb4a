package split

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// TestVerify corrupts a design in words in one place at a time.
func TestVerify(t *testing.T) {
	for want, corrupt := range map[string]func(d *Design){
		"gosim: internal error in words, at add (?): operand 0 is computed later": func(d *Design) { d.Ops[0].Args[0] = d.Ops[len(d.Ops)-1].Out },
		"gosim: internal error in words, at concat (?): 5 operands, at most 4 can be read": func(d *Design) {
			d.Ops[0].Code = ir.Concat
			a := d.Ops[0].Args[0]
			d.Ops[0].Args = []netlist.Net{a, a, a, a, a}
		},
		"gosim: internal error in words, at select (?): it reads a list":  func(d *Design) { d.Ops[0].Code = ir.Select },
		"gosim: internal error in words, at add (?): a result of 65 bits": func(d *Design) { d.Width[d.Ops[0].Out] = 65 },
		"gosim: internal error in words, at add (?): 2 results":           func(d *Design) { d.Ops[0].NOut = 2 },
	} {
		x, err := ir.Parse("sums.ir", "module sums {\n  input x : 64\n  input y : 64\n  output q : 64\n  q = add(add(x, y), mul(x, y))\n}\n")
		require.NoError(t, err)
		lowered, problems := drivers.Lower(x)
		require.Empty(t, problems)
		f, problems := netlist.Flatten(lowered)
		require.Empty(t, problems)
		d, err := Words(f)
		require.NoError(t, err)
		corrupt(d)
		require.EqualError(t, d.verify(), want)
	}
}
