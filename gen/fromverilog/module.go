package fromverilog

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/fromverilog/cells"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// importer converts the modules of a netlist.
type importer struct {
	list    *eda.Netlist
	modules map[string]*module
	order   []*module // callees first
	names   names     // of modules
	ports   bool      // clocks are ports
	note    func(string)
}

// module is a module that is being converted.
type module struct {
	*cells.Values
	im        *importer
	m         *eda.Module
	name      string
	out       *ir.Module
	names     names
	ports     map[string]*ir.Signal // by name in the Verilog
	clocks    map[eda.Bit]string    // names of ports
	resets    map[eda.Bit]reset     // asynchronous, by clock
	used      map[eda.Bit]bool      // nets that something reads
	latched   map[eda.Bit]bool      // nets that depend on unused latches
	instances []instance
	mems      map[*eda.Cell]*ir.Mem
	public    map[eda.Bit]string      // names of nets, see netName
	start     map[eda.Bit]eda.Bit     // initial values
	wires     map[cells.Output]string // names of nets that are exactly an output
	named     names                   // names of nets that are signals
}

// design converts the module top and everything below it.
func (im *importer) design(top string) (*ir.Design, error) {
	im.names = names{}
	if err := im.visit(top); err != nil {
		return nil, err
	}
	for _, x := range im.order {
		im.ports = im.ports || len(x.clocks) > 1 || len(x.resets) > 0
	}
	d := &ir.Design{}
	for _, x := range im.order {
		if err := x.guarded(x.convert); err != nil {
			return nil, err
		}
		d.Modules = append(d.Modules, x.out)
	}
	d.Top = d.Modules[len(d.Modules)-1]
	return d, ir.Verify(d)
}

// originals returns the names in the Verilog of the ports of the top, by their names in the IR.
func (im *importer) originals() map[string]string {
	x := im.order[len(im.order)-1]
	out := map[string]string{}
	for name, p := range x.ports {
		out[p.Name] = name
	}
	for _, name := range x.clocks {
		if x.ports[name] == nil { // the module's own clock
			out[x.out.Own.ClockName()] = name
		}
	}
	return out
}

// visit prepares a module after the modules that it instantiates.
func (im *importer) visit(name string) error {
	m := im.list.Modules[name]
	if m == nil {
		return fmt.Errorf("fromverilog: no module %q", name)
	}
	if im.modules[name] != nil {
		return nil
	}
	original := name
	if h := m.Attributes["hdlname"]; h != "" {
		original = strings.TrimPrefix(h, "\\")
	}
	x := &module{im: im, m: m, name: original, names: names{}, ports: map[string]*ir.Signal{}, clocks: map[eda.Bit]string{}, resets: map[eda.Bit]reset{},
		used: map[eda.Bit]bool{}, latched: map[eda.Bit]bool{}, mems: map[*eda.Cell]*ir.Mem{}, wires: map[cells.Output]string{}, named: names{}}
	for _, c := range x.cells() {
		if im.list.Modules[c.Type] == nil {
			continue
		}
		if err := im.visit(c.Type); err != nil {
			return err
		}
	}
	im.modules[name] = x
	im.order = append(im.order, x)
	x.findNames()
	return x.guarded(x.prepare)
}

// cells returns the cells in the order of the source.
func (x *module) cells() (out []*eda.Cell) {
	for _, name := range inOrder(x.m.Cells, func(name string) map[string]string { return x.m.Cells[name].Attributes }) {
		out = append(out, x.m.Cells[name])
	}
	return out
}

// nets returns the names of nets in the order of the source.
func (x *module) nets() []string {
	return inOrder(x.m.Nets, func(name string) map[string]string { return x.m.Nets[name].Attributes })
}

// portNames returns the names of ports in the order of the source.
func (x *module) portNames() []string {
	return inOrder(x.m.Ports, func(name string) map[string]string { return x.m.Nets[name].Attributes })
}

// guarded runs f and adds module and place to its problem.
func (x *module) guarded(f func()) (err error) {
	defer func() {
		if p, ok := err.(*cells.Problem); ok {
			attributes := x.m.Attributes
			if p.Cell != nil && p.Cell.Attributes["src"] != "" {
				attributes = p.Cell.Attributes
			}
			err = fmt.Errorf("%smodule %s: %w", placeOf(attributes).prefix(), x.name, err)
		}
	}()
	defer cells.Catch(&err)
	f()
	return nil
}

// netName returns a public name of a net, if it has one.
func (x *module) netName(b eda.Bit) string {
	if name := x.public[b]; name != "" {
		return name
	}
	return "of an expression"
}

// findNames finds the first public name and the initial value of each net.
func (x *module) findNames() {
	x.public, x.start = map[eda.Bit]string{}, map[eda.Bit]eda.Bit{}
	for _, name := range x.nets() {
		n := x.m.Nets[name]
		init := n.Attributes["init"]
		for i, b := range n.Bits {
			if i < len(init) && init[len(init)-1-i] == '1' {
				x.start[b] = eda.One
			}
			switch {
			case n.Hidden == 1 || x.public[b] != "":
			case len(n.Bits) == 1:
				x.public[b] = name
			default:
				x.public[b] = fmt.Sprintf("%s[%d]", name, i)
			}
		}
	}
}

// failAt fails with the place of a net.
func (x *module) failAt(net, format string, args ...any) {
	cells.Fail(&eda.Cell{Attributes: x.m.Nets[net].Attributes}, format, args...)
}

// convert builds the module of the IR.
func (x *module) convert() {
	x.m.Ground()
	x.out = &ir.Module{Name: x.im.names.legal(x.name), Pos: placeOf(x.m.Attributes).pos()}
	x.out.Body = &ir.Scope{Module: x.out}
	x.Values = cells.NewValues(x.m, func(c *eda.Cell) bool { return flipFlop(c) || x.im.modules[c.Type] != nil })
	x.Output, x.Undriven = x.output, x.undriven
	x.declarePorts()
	next := x.registers()
	for _, c := range x.cells() {
		switch {
		case x.im.modules[c.Type] != nil:
			x.instance(c)
		case c.Type == "$mem_v2":
			x.memory(c)
		}
	}
	x.findWires()
	for _, r := range next {
		x.assign(r.sig, from0(x.Word(r.bits), r.start), r.cell)
	}
	for _, in := range x.instances {
		x.connect(in)
	}
	for _, c := range x.cells() {
		if m := x.mems[c]; m != nil {
			x.out.Body.Stmts = append(x.out.Body.Stmts, x.Writes(m, c)...)
		}
	}
	for _, name := range x.portNames() {
		if p := x.ports[name]; p != nil && p.Kind == ir.Output {
			x.assign(p, x.Word(x.m.Ports[name].Bits), nil)
		}
	}
	x.otherWires()
	x.ownClock()
}

func (x *module) signal(kind ir.Kind, name string, width int, attributes map[string]string) *ir.Signal {
	s := &ir.Signal{Name: x.names.legal(name), Kind: kind, Type: ir.Type{Width: width}, Scope: x.out.Body, Pos: placeOf(attributes).pos()}
	x.out.Body.Signals = append(x.out.Body.Signals, s)
	return s
}

// net declares a signal with the name and the place of a net.
func (x *module) net(kind ir.Kind, name string, width int) *ir.Signal {
	return x.signal(kind, name, width, x.m.Nets[name].Attributes)
}

// assign assigns a value, which the cell c computes, to s. Without a cell, the place is the
// declaration of s.
func (x *module) assign(s *ir.Signal, value *ir.Expr, c *eda.Cell) {
	pos := s.Pos
	if c != nil {
		pos = placeOf(c.Attributes).pos()
	}
	x.out.Body.Stmts = append(x.out.Body.Stmts, &ir.Assign{LHS: ir.LValue{Sig: s}, RHS: value, Pos: pos})
}

// declarePorts declares the ports, except clocks that are not ports of the IR.
func (x *module) declarePorts() {
	for _, name := range x.portNames() {
		p := x.m.Ports[name]
		if p.Direction == "output" {
			x.ports[name] = x.net(ir.Output, name, len(p.Bits))
			x.named[name] = true
		} else if _, clock := x.clocks[p.Bits[0]]; !clock || x.im.ports {
			s := x.net(ir.Input, name, len(p.Bits))
			x.ports[name], x.named[name] = s, true
			if !clock {
				x.Bind(nil, p.Bits, cells.Ref(s))
			}
		}
	}
	x.out.Ports = append(x.out.Ports, x.out.Body.Signals...)
	if x.im.ports {
		x.domains()
	}
}

// output returns the value of an output of a cell: a wire if it has a name.
func (x *module) output(o cells.Output) *ir.Expr {
	var e *ir.Expr
	if m := x.mems[o.Cell]; m != nil {
		e = x.Loaded(m, o.Cell, o.Port)
	} else {
		e = x.Operation(o.Cell)
	}
	name, ok := x.wires[o]
	if !ok {
		return e
	}
	x.named[name] = true
	s := x.net(ir.Wire, name, e.Type.Width)
	x.assign(s, e, o.Cell)
	return cells.Ref(s)
}

// undriven returns the value of a net that nothing drives, unless it is a clock.
func (x *module) undriven(b eda.Bit) *ir.Expr {
	if name, ok := x.clocks[b]; ok {
		x.failAt(name, "clock %s is read as data", name)
	}
	if x.start[b] == eda.Zero {
		x.im.note(fmt.Sprintf("%smodule %s: net %s has no driver and is 0", placeOf(x.m.Attributes).prefix(), x.name, x.netName(b)))
	}
	return cells.Literal([]eda.Bit{x.start[b]})
}

// memory declares a memory.
func (x *module) memory(c *eda.Cell) {
	m := cells.Memory(c, x.names.legal(c.Parameters["MEMID"]), x.out.Body)
	m.Pos = placeOf(c.Attributes).pos()
	if c.Number("WR_PORTS") > 0 {
		m.Domain = x.domain(c.Pins["WR_CLK"][0])
	} else if len(x.out.Domains) > 0 {
		m.Domain = x.out.Domains[0]
	}
	x.mems[c] = m
	x.out.Body.Mems = append(x.out.Body.Mems, m)
}

// findWires finds the outputs of cells whose nets have a name.
func (x *module) findWires() {
	at := map[eda.Bit]cells.Output{}
	width := map[cells.Output]int{}
	for _, c := range x.cells() {
		bits, n := c.Pins["Y"], len(c.Pins["Y"])
		if c.Type == "$mem_v2" {
			bits, n = c.Pins["RD_DATA"], c.Number("WIDTH")
		} else if flipFlop(c) || x.im.modules[c.Type] != nil {
			continue
		}
		for i, b := range bits {
			if i%n == 0 {
				at[b] = cells.Output{Cell: c, Port: i / n}
				width[at[b]] = n
			}
		}
	}
	for _, name := range x.nets() {
		n := x.m.Nets[name]
		o, ok := at[n.Bits[0]]
		if !ok || n.Hidden == 1 || x.named[name] || len(n.Bits) != width[o] || x.wires[o] != "" {
			continue
		}
		bits := o.Cell.Pins["Y"]
		if o.Cell.Type == "$mem_v2" {
			bits = o.Cell.Pins["RD_DATA"][o.Port*width[o]:]
		}
		if equal(n.Bits, bits[:width[o]]) {
			x.wires[o] = name
		}
	}
}

// otherWires declares the named nets that are no signals yet and are driven completely.
func (x *module) otherWires() {
	for _, name := range x.nets() {
		n := x.m.Nets[name]
		if n.Hidden == 1 || x.named[name] || !x.all(n.Bits) {
			continue
		}
		value := x.Word(n.Bits)
		if x.named[name] { // the value was an output of this name
			continue
		}
		s := x.net(ir.Wire, name, len(n.Bits))
		s.Unused = true
		x.assign(s, value, nil)
	}
}

// all reports whether all nets of a word have drivers that the IR has.
func (x *module) all(bits []eda.Bit) bool {
	for _, b := range bits {
		if !x.Driven(b) || x.latched[b] {
			return false
		}
	}
	return true
}
