package external

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// source is Verilog to be simulated.
type source struct {
	design       *ir.Design
	top          string
	clock, reset bool // whether the top module has its own clock and reset
	own          ir.Own
	format       *sim.Format
	files        []verilog.File
}

func newSource(d *ir.Design) (*source, error) {
	for _, m := range d.Modules {
		if m.Extern != nil && len(m.Extern.Sources) == 0 {
			return nil, fmt.Errorf("%s: %s: [extern] Verilog module %s has no Source, which Verilog simulators need", m.Pos, m.Name, m.Extern.Module)
		}
	}
	files, err := verilog.Options{PowerUp: true}.Generate(d)
	if err != nil {
		return nil, err
	}
	return &source{design: d, top: verilog.Top(d, files), clock: d.Top.Clock, reset: d.Top.Reset, own: d.Top.Own, format: sim.NewFormat(sim.PortsOf(d)), files: files}, nil
}

// name returns the name of port i in the wrapper, which is valid in every simulator.
func name(i int) string { return fmt.Sprintf("p%d", i) }

// declaration returns the type of a port or variable of the given width.
func declaration(bits int) string {
	if bits == 1 {
		return ""
	}
	return fmt.Sprintf("[%d:0] ", bits-1)
}

// instance instantiates the top module as dut and connects it to the names of the wrapper.
func (s *source) instance() string {
	var pins []string
	if s.clock {
		pins = append(pins, fmt.Sprintf(".%s(clk)", s.own.ClockName()))
	}
	if s.reset {
		rst := "rst"
		if s.own.Low {
			rst = "!rst"
		}
		pins = append(pins, fmt.Sprintf(".%s(%s)", s.own.ResetName(), rst))
	}
	for i, p := range s.format.Ports {
		pins = append(pins, fmt.Sprintf(".%s(%s)", p.Name, s.pin(i)))
	}
	if s.design.Top != nil {
		for _, p := range s.design.Top.Pads {
			pins = append(pins, fmt.Sprintf(".%s()", p.Name))
		}
	}
	return fmt.Sprintf("  %s dut (\n    %s\n  );\n", s.top, strings.Join(pins, ",\n    "))
}

// pin returns the expression that drives port i of the top module. A clock port has an edge when
// clk has an edge and its bit of the frame is 1.
func (s *source) pin(i int) string {
	if top := s.design.Top; top != nil && top.IsClock(top.Ports[i]) {
		return "clk & " + name(i)
	}
	return name(i)
}

// wrapper returns the module hotline_cosim, which wraps the top module.
func (s *source) wrapper() string {
	ports := []string{"input clk", "input rst"}
	for i, p := range s.format.Ports {
		dir := "output"
		if p.Input {
			dir = "input"
		}
		ports = append(ports, fmt.Sprintf("%s %s%s", dir, declaration(p.Type.Bits()), name(i)))
	}
	return fmt.Sprintf("module hotline_cosim (\n  %s\n);\n%sendmodule\n", strings.Join(ports, ",\n  "), s.instance())
}
