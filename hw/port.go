package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Collision specifies the value that the Ports of a memory read when the word is written in the
// same cycle.
type Collision uint8

const (
	// OldWord is the value before the write.
	OldWord Collision = iota
	// NewWord is the written value, which registers next to the memory forward. Without masks,
	// synthesis tools infer a RAM with an arbitrary read-during-write behaviour, which every RAM
	// provides.
	NewWord
	// AnyWord is an undefined value, for the smallest and fastest RAM. Engines read the old word;
	// the interpreter can also return other words (interp.DontCare).
	AnyWord
)

// OnWrite specifies the value that the Ports of the memory read during a write to the same word.
// Call it before all ports and writes. The default is OldWord.
func (mem Mem[T]) OnWrite(c Collision) Mem[T] {
	mem.g.onWrite(c, ir.Caller(0))
	return mem
}

func (g *memory) onWrite(c Collision, pos ir.Pos) {
	if !g.declared(use{pos: pos}) {
		return
	}
	if len(g.ports)+len(g.writes) > 0 {
		g.m.errorf(pos, "memory", "OnWrite of memory %q follows a port or a write; call it where the memory is declared", g.ir.Name)
	}
	g.on, g.ir.Any = c, c != OldWord
}

// Port is a registered read port of a memory. From the cycle after a Read on, Data is the word
// that the last Read selected. Another register that captures Data in every cycle becomes the
// output register of a block RAM.
type Port[T any] struct {
	Data T
	p    *port
}

// Port declares a read port whose register is called name.
func (mem Mem[T]) Port(name string) (rd Port[T]) {
	rd.p = mem.g.port(name, &rd.Data, ir.Caller(0))
	return rd
}

// Port declares a read port whose register is called name.
func (rom ROM[T]) Port(name string) (rd Port[T]) {
	rd.p = rom.g.port(name, &rd.Data, ir.Caller(0))
	return rd
}

// Read reads the word at addr under the current conditions, or 0 beyond the depth. Each port has
// exactly one Read.
func (rd Port[T]) Read(addr Bits) {
	rd.p.read(addr, ir.Caller(0))
}

// port is a read port under construction.
type port struct {
	of     *memory
	name   string
	stored *ir.Signal // the register that the memory is read into
	data   *ir.Signal // the result: stored, or a wire if new words bypass the memory
	broken bool       // the declaration has a mistake
	addr   *ir.Expr   // nil before Read
	list   *[]ir.Stmt // the block that contains Read
	pos    ir.Pos     // of Read; of Port until Read is called
}

// port declares a read port and sets the record that data points to.
func (g *memory) port(name string, data any, pos ir.Pos) *port {
	if !g.declared(use{pos: pos}) {
		return nil
	}
	m := g.m
	u := m.statement(pos)
	switch {
	case g.ir.Scope != m.scope:
		u.errorf("scope", "port %q is outside the scope that declares memory %q", name, g.ir.Name)
	case m.list != &m.scope.Stmts:
		u.errorf("scope", "port %q is inside a condition; put Read inside it", name)
	}
	t := ir.Type{Width: g.ir.Width}
	p := &port{of: g, name: m.under + name, broken: u.broken, pos: pos}
	if g.on == NewWord {
		p.data = m.declare(ir.Wire, name, t, pos)
		p.stored = m.own(ir.Reg, p.name+"_stored", t, g.ir.Domain, pos)
	} else {
		p.data = m.declare(ir.Reg, name, t, pos)
		p.stored = p.data
	}
	p.data.Doc = g.ir.Doc
	if p.broken {
		m.refusePort(p)
	}
	g.ports = append(g.ports, p)
	g.of.unpack(m, Bits{m.ref(p.data, pos)}, data, pos)
	return p
}

// own declares a signal with its complete name. If it is a register, d is its clock.
func (m *Module) own(kind ir.Kind, name string, t ir.Type, d *ir.Domain, pos ir.Pos) *ir.Signal {
	m.claim(kind.String(), name, pos)
	s := m.signal(kind, name, t, pos)
	if kind == ir.Reg {
		s.Domain = d
	}
	return s
}

func (p *port) read(addr Bits, pos ir.Pos) {
	if p == nil {
		refuse(begin(pos, addr.value), "a port that was never declared")
		return
	}
	if p.broken {
		return
	}
	m, g := p.of.m, p.of.ir
	u := m.statement(pos, addr.value)
	a := u.want(addr.value, IndexWidth(g.Depth), "address of "+g.Name)
	u.visible(a)
	switch {
	case p.addr != nil:
		u.errorf("memory", "port %q reads already at %s; choose the address with Mux, or declare another port", p.name, p.pos)
	case m.scope != g.Scope:
		u.errorf("scope", "port %q reads outside the scope that declares it", p.name)
	}
	if u.broken {
		m.refusePort(p)
		return
	}
	p.addr, p.list, p.pos = a.e, m.list, pos
	m.add(p.assign(p.stored, &ir.Expr{Op: ir.MemRead, Type: p.stored.Type, Mem: g, Args: []*ir.Expr{a.e}, Pos: pos}))
}

// refusePort prevents reports that the signals of p have no driver.
func (m *Module) refusePort(p *port) {
	m.el.refused[p.stored], m.el.refused[p.data] = true, true
}

// finish completes the memories of the current scope.
func (m *Module) finish() {
	for _, g := range m.memories {
		if g.ir.Scope != m.scope {
			continue
		}
		if n := len(g.writes); n > 2 && (g.ir.Style == "block" || g.ir.Style == "ultra") {
			m.errorf(g.ir.Pos, "memory", "memory %q has %d writes, and a RAM of style %s has 2 ports; use registers, or choose what is written first", g.ir.Name, n, g.ir.Style)
		}
		for _, p := range g.ports {
			if p.addr == nil && !m.el.refused[p.stored] {
				m.errorf(p.pos, "memory", "port %q never reads; call Read", p.name)
				m.refusePort(p)
			}
		}
		if g.on == NewWord {
			m.pass(g)
		}
	}
}
