package fromverilog

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Imported is an imported design.
type Imported struct {
	*ir.Design
	options Options
	ports   map[string]string // names in the Verilog, by name in the design
}

// Original returns a design with the ports of d that contains the Verilog as a black box.
// Simulators of Verilog run the original files with it.
func (d *Imported) Original() (*ir.Design, error) {
	box, top := d.shell("hotline_box", d.ports), d.shell("hotline_original", nil)
	box.Extern = &ir.Extern{Module: d.options.Top, Params: d.options.Params}
	for _, file := range d.options.Files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		box.Extern.Sources = append(box.Extern.Sources, ir.Source{Name: filepath.Base(file), Text: string(text)})
	}
	ir.StandIn(box, nil, box.Clock, false)
	in := &ir.Instance{Name: "dut", Of: box}
	for i, p := range box.Ports {
		outside := top.Ports[i]
		pin := &ir.Signal{Name: "dut_" + outside.Name, Kind: ir.Wire, Type: p.Type, Scope: top.Body, Pin: &ir.Pin{Inst: in, Port: p}}
		in.Pins = append(in.Pins, pin)
		to, from := pin, outside
		if p.Kind == ir.Output {
			to, from = outside, pin
		}
		top.Body.Stmts = append(top.Body.Stmts, &ir.Assign{LHS: ir.LValue{Sig: to}, RHS: &ir.Expr{Op: ir.Ref, Type: p.Type, Sig: from}})
	}
	top.Body.Signals = append(top.Body.Signals, in.Pins...)
	top.Body.Insts = []*ir.Instance{in}
	out := &ir.Design{Top: top, Modules: []*ir.Module{box, top}}
	if err := ir.Verify(out); err != nil {
		return nil, fmt.Errorf("fromverilog: %s as a black box: %w", d.options.Top, err)
	}
	return out, nil
}

// shell returns a module with the ports of d. Ports get the names that the map has for them.
func (d *Imported) shell(name string, names map[string]string) *ir.Module {
	rename := func(port string) string {
		if n := names[port]; n != "" {
			return n
		}
		return port
	}
	m := &ir.Module{Name: name, Own: d.Top.Own, Clock: d.Top.Clock}
	m.Own.Clock = rename(d.Top.Own.ClockName())
	m.Body = &ir.Scope{Module: m}
	for _, p := range d.Top.Ports {
		m.Ports = append(m.Ports, &ir.Signal{Name: rename(p.Name), Kind: p.Kind, Type: p.Type, Scope: m.Body, Pos: p.Pos})
	}
	for _, x := range d.Top.Domains {
		y := &ir.Domain{Clock: m.Port(rename(x.Clock.Name)), Low: x.Low, Async: x.Async}
		if x.Reset != nil {
			y.Reset = m.Port(rename(x.Reset.Name))
		}
		m.Domains = append(m.Domains, y)
	}
	m.Body.Signals = append(m.Body.Signals, m.Ports...)
	return m
}
