package plan

import (
	"github.com/hotline-rtl/hotline/gen/gosim/guard"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// Pass is a step that changes a plan but not the results of the design.
type Pass struct {
	Name  string
	Does  string
	after []string // passes that must run before it: it needs their results, or they would undo its own
	run   func(*Plan)
}

// Passes contains all steps from a vectorized design to a plan that can be printed, in order.
var Passes = []Pass{
	{"shifts", "a slice of a wide value that is shifted becomes a shift with a narrow result", nil, (*Plan).narrowShifts},
	{"decodes", "tests and settings of bits of decoded numbers become shifts", nil, (*Plan).undecode},
	{"ports", "ports get the names that they have in Go", nil, (*Plan).name},
	{"enables", "registers that hold their values get a mask of the lanes that take a new one", []string{"decodes"}, (*Plan).enables},
	{"packing", "nodes of short lanes are evaluated several lanes at a time in a word", []string{"shifts", "decodes", "enables"}, (*Plan).pack},
	{"masks", "nodes of use in some lanes only get a mask", []string{"enables", "packing"}, (*Plan).masks},
	{"choices", "many comparisons of a number with constants become one choice", []string{"decodes", "enables", "masks"}, (*Plan).choices},
	{"units", "nodes become units, functions each, in an order in which they can be evaluated", []string{"masks", "choices"}, (*Plan).schedule},
	{"sinking", "nodes move to the unit that uses them", []string{"units"}, (*Plan).sink},
	{"parts", "parts of a loop that have no value in common become units of their own", []string{"sinking"}, (*Plan).parts},
	{"inputs", "inputs stay where users put them, if no loop over lanes reads them", []string{"ports", "parts"}, (*Plan).direct},
	{"storage", "values used outside their unit are stored, and know who reads them", []string{"parts", "inputs"}, (*Plan).storage},
	{"branches", "what one argument of a choice needs is evaluated if it is taken", []string{"storage"}, (*Plan).branches},
	{"derived", "values that seldom change are kept, and computed after edges that change them", []string{"branches"}, (*Plan).derive},
}

// Flatten returns d without hierarchy and simplified, the form from which plans are built.
func Flatten(d *ir.Design) (*netlist.Design, error) {
	lowered, problems := drivers.Lower(d)
	if err := ir.Join(problems); err != nil {
		return nil, err
	}
	f, problems := netlist.Flatten(lowered)
	f.Simplify()
	return f, ir.Join(problems)
}

// New returns the plan of a design. It calls after, if not nil, after vectorization ("roll") and
// after each pass. The error reports an invariant that the plan violates there.
func New(d *ir.Design, after func(pass string, p *Plan)) (*Plan, error) {
	f, err := Flatten(d)
	if err != nil {
		return nil, err
	}
	p, err := rolled(f)
	if err != nil {
		return nil, err
	}
	return p, p.pass(func(Pass) bool { return true }, after)
}

// rolled vectorizes a flattened design.
func rolled(f *netlist.Design) (p *Plan, err error) {
	defer guard.Recover(func() string { return "while rolling up" }, &err)
	return roll(f), nil
}

// pass runs the selected passes, and verifies the plan before the first pass and after each pass.
func (p *Plan) pass(selected func(Pass) bool, after func(pass string, p *Plan)) error {
	if err := p.verified("roll", after); err != nil {
		return err
	}
	for _, x := range Passes {
		if !selected(x) {
			continue
		}
		if err := x.apply(p); err != nil {
			return err
		}
		if err := p.verified(x.Name, after); err != nil {
			return err
		}
	}
	return nil
}

// verified verifies the plan after a pass and then calls after, if not nil.
func (p *Plan) verified(pass string, after func(pass string, p *Plan)) error {
	if err := p.Verify(); err != nil {
		return &guard.Error{Where: "after pass " + pass, Cause: err}
	}
	if after != nil {
		after(pass, p)
	}
	return nil
}

// apply runs a pass.
func (x Pass) apply(p *Plan) (err error) {
	defer guard.Recover(func() string { return "in pass " + x.Name }, &err)
	x.run(p)
	return nil
}
