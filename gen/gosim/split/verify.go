package split

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/guard"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// verify reports the first operation that violates an assumption of package plan about batches of
// instances: operations follow their operands, have one result of one word, and read no lists.
func (d *Design) verify() error {
	ready := make([]bool, len(d.Width))
	for _, c := range d.Consts {
		ready[c.Net] = true
	}
	for _, r := range d.Design.Regs {
		ready[r.Q] = true
	}
	for _, p := range d.Design.Ports {
		if p.Sig.Kind == ir.Input {
			ready[p.Nets[0]] = true
		}
	}
	for _, o := range d.Ops {
		if err := d.problem(o, ready); err != nil {
			return &guard.Error{Where: fmt.Sprintf("in words, at %s (%s)", o.Code, o.From.Pos), Cause: err}
		}
		ready[o.Out] = true
	}
	return nil
}

func (d *Design) problem(o netlist.Op, ready []bool) error {
	for i, a := range o.Args {
		if !ready[a] {
			return fmt.Errorf("operand %d is computed later", i)
		}
	}
	width := d.Width[o.Out]
	switch o.Code {
	case ir.Elem, ir.Update, ir.EqLanes, ir.Select, ir.Route:
		return errors.New("it reads a list")
	case ir.Concat:
		if len(o.Args) > mostJoined {
			return fmt.Errorf("%d operands, at most %d can be read", len(o.Args), mostJoined)
		}
	case ir.Mul, ir.DivU, ir.ModU, ir.ZExt:
	default:
		if width > word {
			return fmt.Errorf("a result of %d bits", width)
		}
	}
	if o.NOut != 1 {
		return fmt.Errorf("%d results", o.NOut)
	}
	return nil
}
