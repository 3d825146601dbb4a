package gosim

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/flat"
	"github.com/hotline-rtl/hotline/hw/ir/net"
)

// pass is a step that changes a plan, and no result of the design.
type pass struct {
	name  string
	does  string
	after []string // passes whose results it needs, or which would undo its own
	run   func(*plan)
}

// passes are all steps from a design that has been rolled up to one that can be printed, in their
// order.
var passes = []pass{
	{"shifts", "a slice of a wide value that is shifted becomes a shift with a narrow result", nil, (*plan).narrowShifts},
	{"decodes", "tests and settings of bits of decoded numbers become shifts", nil, (*plan).undecode},
	{"ports", "ports get the names that they have in Go", nil, (*plan).name},
	{"enables", "registers that hold their values get a mask of the lanes that take a new one", []string{"decodes"}, (*plan).enables},
	{"packing", "nodes of short lanes are evaluated several lanes at a time in a word", []string{"shifts", "decodes", "enables"}, (*plan).pack},
	{"masks", "nodes of use in some lanes only get a mask", []string{"enables", "packing"}, (*plan).masks},
	{"units", "nodes become units, functions each, in an order in which they can be evaluated", []string{"masks"}, (*plan).schedule},
	{"sinking", "nodes move to the unit that uses them", []string{"units"}, (*plan).sink},
	{"inputs", "a design of a single unit reads its inputs where users put them", []string{"ports", "sinking"}, (*plan).direct},
	{"storage", "values used outside their unit are stored, and know who reads them", []string{"sinking", "inputs"}, (*plan).storage},
}

// newPlan makes the plan of a design. After rolling up ("roll") and after each pass it calls
// after, if there is one.
func newPlan(d *ir.Design, after func(pass string, p *plan)) (*plan, error) {
	lowered, problems := net.Lower(d)
	if err := ir.Join(problems); err != nil {
		return nil, err
	}
	f, problems := flat.Flatten(lowered)
	if err := ir.Join(problems); err != nil {
		return nil, err
	}
	p := roll(f)
	if after != nil {
		after("roll", p)
	}
	for _, x := range passes {
		x.run(p)
		if after != nil {
			after(x.name, p)
		}
	}
	return p, nil
}
