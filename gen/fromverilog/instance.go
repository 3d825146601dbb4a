package fromverilog

import (
	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/fromverilog/cells"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// instance is an instance whose inputs are not connected yet.
type instance struct {
	*ir.Instance
	cell *eda.Cell
}

// instance declares an instance and binds the nets that its outputs drive.
func (x *module) instance(c *eda.Cell) {
	child := x.im.modules[c.Type]
	in := instance{&ir.Instance{Name: x.names.legal(c.Name), Of: child.out, Pos: placeOf(c.Attributes).pos()}, c}
	if child.out.Clock && len(x.out.Domains) > 0 { // of memories without writes
		in.Domain = x.out.Domains[0]
	}
	for _, name := range child.portNames() {
		p := child.ports[name]
		if p == nil {
			continue
		}
		pin := x.signal(ir.Wire, c.Name+"_"+name, p.Type.Width, c.Attributes)
		pin.Pin = &ir.Pin{Inst: in.Instance, Port: p}
		in.Pins = append(in.Pins, pin)
		if p.Kind == ir.Output {
			pin.Unused = true
			x.Bind(c, c.Pins[name], cells.Ref(pin))
		}
	}
	x.out.Body.Insts = append(x.out.Body.Insts, in.Instance)
	x.instances = append(x.instances, in)
}

// connect assigns the inputs of an instance.
func (x *module) connect(in instance) {
	child := x.im.modules[in.cell.Type]
	at := 0
	for _, name := range child.portNames() {
		p := child.ports[name]
		if p == nil {
			continue
		}
		pin := in.Pins[at]
		at++
		if p.Kind == ir.Output {
			continue
		}
		x.assign(pin, x.input(child, in.cell, name), in.cell)
	}
}

// input returns the value of an input of an instance. Bits that the instance does not read are 0,
// so that they may be clocks.
func (x *module) input(child *module, c *eda.Cell, name string) *ir.Expr {
	inside := child.m.Ports[name].Bits
	bits := make([]eda.Bit, len(inside))
	copy(bits, c.Pins[name])
	if _, clock := child.clocks[inside[0]]; clock {
		return cells.Ref(x.ports[x.clocks[bits[0]]])
	}
	for i, b := range bits {
		if _, clock := x.clocks[b]; clock && !child.used[inside[i]] {
			bits[i] = eda.Zero
		}
	}
	return x.Word(bits)
}
