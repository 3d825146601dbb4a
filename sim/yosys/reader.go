package yosys

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/fromverilog/cells"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// reader converts a module of Yosys to the IR.
type reader struct {
	*cells.Values
	m      *eda.Module
	gold   *eda.Module        // source of the names of registers
	states map[string]ir.Type // registers of the design
	out    *ir.Module
	mems   map[*eda.Cell]*ir.Mem
}

// read converts the netlist of top. The result has the ports of top; the reset, if there is one, is
// an additional last port.
func (r *reader) read(top *ir.Module) (d *ir.Design, err error) {
	defer func() {
		if err != nil {
			d, err = nil, fmt.Errorf("yosys: %s: %w", top.Name, err)
		}
	}()
	defer cells.Catch(&err)
	r.mems = map[*eda.Cell]*ir.Mem{}
	r.out = &ir.Module{Name: top.Name, Own: top.Own}
	r.Values = cells.NewValues(r.m, func(c *eda.Cell) bool { return c.Type == "$dff" || c.Type == "$_DFF_P_" })
	r.Output = func(o cells.Output) *ir.Expr {
		if x := r.mems[o.Cell]; x != nil {
			return r.Loaded(x, o.Cell, o.Port)
		}
		return r.Operation(o.Cell)
	}
	r.Undriven = func(b eda.Bit) *ir.Expr {
		cells.Fail(nil, "net %d has no driver", b)
		return nil
	}
	r.out.Body = &ir.Scope{Module: r.out}
	r.ports(top)
	r.state()
	for _, p := range r.out.Ports {
		if p.Kind == ir.Output {
			r.assign(p, cells.Unpacked(r.Word(r.m.Ports[p.Name].Bits), p.Type))
		}
	}
	r.out.Clock, r.out.Reset = r.out.Clocking()
	return &ir.Design{Top: r.out, Modules: []*ir.Module{r.out}}, nil
}

// ports declares the ports of top.
func (r *reader) ports(top *ir.Module) {
	declare := func(p *ir.Signal) {
		s := &ir.Signal{Name: p.Name, Kind: p.Kind, Type: p.Type, Lens: p.Lens, Scope: r.out.Body}
		r.out.Ports, r.out.Body.Signals = append(r.out.Ports, s), append(r.out.Body.Signals, s)
		if p.Kind == ir.Input {
			r.Bind(nil, r.m.Ports[p.Name].Bits, cells.Packed(cells.Ref(s)))
		}
	}
	for _, p := range top.Ports {
		declare(p)
	}
	if top.Reset {
		declare(&ir.Signal{Name: top.Own.ResetName(), Kind: ir.Input, Type: ir.Type{Width: 1}})
	}
	for _, x := range top.Domains {
		r.out.Domains = append(r.out.Domains, &ir.Domain{Clock: r.out.Port(x.Clock.Name)})
	}
}

func (r *reader) assign(s *ir.Signal, value *ir.Expr) {
	r.out.Body.Stmts = append(r.out.Body.Stmts, &ir.Assign{LHS: ir.LValue{Sig: s}, RHS: value})
}
