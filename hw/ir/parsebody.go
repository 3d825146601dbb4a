package ir

import (
	"slices"
	"strings"
)

// body parses the contents of s and the closing brace.
func (p *parser) body(s *Scope) {
	p.nest(func() {
		for !p.have("}") {
			if !p.declaration(s) {
				s.Stmts = p.stmt(s.Stmts)
			}
		}
	})
}

// declaration parses a declaration of s, if one is next.
func (p *parser) declaration(s *Scope) bool {
	if p.ahead().kind != nameToken {
		return false
	}
	switch p.peek().text {
	case "input", "output", "wire", "reg":
		p.signal(s)
	case "pin":
		p.pin(s)
	case "inst":
		p.take()
		in := &Instance{Name: p.name("instance")}
		p.word(":")
		t := p.expect(nameToken, "the name of a module")
		if in.Of = p.modules[t.text]; in.Of == nil {
			p.failf(t, "module %s is not declared before its use", t.text)
		}
		in.Domain = p.clock()
		p.pads(in)
		in.Pins = make([]*Signal, len(in.Of.Ports))
		s.Insts = append(s.Insts, in)
		p.insts[in.Name] = in
	case "mem":
		p.mem(s)
	case "for":
		p.take()
		l := &For{Name: p.name("loop"), N: p.number("a count")}
		l.Body = &Scope{Module: p.mod, Parent: s, Loop: l}
		s.Fors = append(s.Fors, l)
		p.loops[l.Name] = l
		p.word("{")
		p.body(l.Body)
	default:
		return false
	}
	return true
}

// enum parses an enum after its keyword.
func (p *parser) enum() {
	t := p.expect(nameToken, "the name of an enum")
	if p.enums[t.text] != nil {
		p.failf(t, "enum %s is declared already", t.text)
	}
	e := &Enum{Name: t.text, Width: p.number("a width"), Hex: p.have("hex")}
	for p.ahead().text == "=" {
		v := EnumValue{Name: p.expect(nameToken, "the name of a value").text}
		p.word("=")
		if c := p.constant(); c.Type.Width == e.Width && e.Width <= 64 {
			v.Value = c.Uint()
		} else {
			p.failf(t, "values of enum %s have %d bits, expected %d, and 64 at most", e.Name, c.Type.Width, e.Width)
		}
		e.Values = append(e.Values, v)
	}
	p.enums[e.Name] = e
	p.mod.Enums = append(p.mod.Enums, e)
}

func (p *parser) signal(s *Scope) {
	kind := slices.Index([]string{"input", "output", "wire", "reg"}, p.take().text)
	g := &Signal{Kind: Kind(kind), Name: p.name("signal"), Scope: s}
	p.word(":")
	g.Type = p.typ()
	for p.have("len") {
		g.Lens = append(g.Lens, p.number("a length"))
	}
	if p.have("reset") {
		g.HasReset, g.Init = true, p.constant().Val
	}
	g.Domain, g.Crosses = p.clock(), p.crossing()
	g.Unused = p.mark("unused")
	g.Kept = p.mark("kept")
	if p.have("enum") {
		t := p.expect(nameToken, "the name of an enum")
		if g.Enum = p.enums[t.text]; g.Enum == nil {
			p.failf(t, "enum %s is not declared before its use", t.text)
		}
	}
	if p.have("group") {
		g.Group = p.text()
	}
	if p.have("doc") {
		g.Doc = p.text()
	}
	if g.Kind == Input {
		for _, at := range p.pending[g.Name] {
			*at = g
		}
		delete(p.pending, g.Name)
	}
	if g.Kind == Input || g.Kind == Output {
		p.mod.Ports = append(p.mod.Ports, g)
	}
	s.Signals = append(s.Signals, g)
	p.signals[g.Name] = g
}

// crossing parses how a register captures values of other clocks.
func (p *parser) crossing() Crossing {
	if p.have("settles") {
		return CrossSettled
	}
	if !p.have("crosses") {
		return NoCrossing
	}
	t := p.expect(nameToken, "level, gray, flow or held")
	for c := CrossLevel; c <= CrossHeld; c++ {
		if c.String() == "crosses "+t.text {
			return c
		}
	}
	p.failf(t, "no crossing is called %s; use level, gray, flow or held", t.text)
	return NoCrossing
}

func (p *parser) pin(s *Scope) {
	p.take()
	g := &Signal{Kind: Wire, Name: p.name("pin"), Scope: s}
	p.word(":")
	g.Type = p.typ()
	arrow := p.expect(markToken, "-> or <-")
	t := p.expect(nameToken, "the name of an instance")
	in := p.insts[t.text]
	if in == nil {
		p.failf(t, "instance %s is not declared before its use", t.text)
	}
	p.word(".")
	t = p.expect(nameToken, "the name of a port")
	port, at := p.port(in, t)
	if (port.Kind == Input) != (arrow.text == "->") || port.Type != g.Type {
		p.failf(t, "port %s is an %s of %s bits", port.Name, port.Kind, port.Type)
	}
	g.Pin = &Pin{Inst: in, Port: port}
	g.Unused = p.mark("unused")
	*at = g
	s.Signals = append(s.Signals, g)
	p.signals[g.Name] = g
}

// mark takes a word, unless it is the name of a signal in a statement.
func (p *parser) mark(word string) bool {
	if next := p.ahead().text; next == "=" || next == "[" {
		return false
	}
	return p.have(word)
}

// port returns the port of the given name and the location of the instance's pin for it.
func (p *parser) port(in *Instance, t token) (port *Signal, at **Signal) {
	i := slices.IndexFunc(in.Of.Ports, func(q *Signal) bool { return q.Name == t.text })
	switch {
	case i >= 0:
		port, at = in.Of.Ports[i], &in.Pins[i]
	case t.text == ResetPort.Name:
		port, at = ResetPort, &in.Reset
	}
	if at == nil || *at != nil {
		p.failf(t, "module %s has no port %s left", in.Of.Name, t.text)
	}
	return port, at
}

func (p *parser) mem(s *Scope) {
	p.take()
	m := &Mem{Name: p.name("memory"), Scope: s}
	p.word(":")
	t := p.expect(typeToken, "depth x width")
	depth, width, _ := strings.Cut(t.text, "x")
	m.Depth, m.Width = p.atoi(t, depth), p.atoi(t, width)
	m.Domain = p.clock()
	if p.have("style") {
		m.Style = p.text()
	}
	m.Any = p.have("any")
	if p.have("doc") {
		m.Doc = p.text()
	}
	if p.have("init") {
		p.contents(t, m)
	}
	s.Mems = append(s.Mems, m)
	p.mems[m.Name] = m
}

// contents parses the initial contents of m. Missing words are zero.
func (p *parser) contents(t token, m *Mem) {
	if m.Depth < 1 || m.Width < 1 || m.Width > MaxWidth {
		p.failf(t, "contents of %d words of %d bits", m.Depth, m.Width)
	}
	for i := 0; p.peek().kind == constToken; i++ {
		t = p.peek()
		c := p.constant()
		if i == m.Depth || c.Type.Width != m.Width {
			p.failf(t, "the contents of memory %s are not %d words of %d bits", m.Name, m.Depth, m.Width)
		}
		m.Init = append(m.Init, c.Val...)
	}
	if m.Init == nil {
		p.failf(t, "no contents after init")
	}
	m.Init = append(m.Init, make([]uint64, m.Depth*Words(m.Width)-len(m.Init))...)
}

func (p *parser) block() (out []Stmt) {
	p.word("{")
	p.nest(func() {
		for !p.have("}") {
			out = p.stmt(out)
		}
	})
	return out
}

// stmt parses a statement and appends it to list. A temp is not appended.
func (p *parser) stmt(list []Stmt) []Stmt {
	t := p.peek()
	next := p.ahead().text
	switch {
	case t.kind == tempToken:
		p.take()
		p.word("=")
		if p.temps[t.text] != nil {
			p.failf(t, "%s is defined twice", t.text)
		}
		p.temps[t.text] = p.expr()
		return list
	case next == "=" || next == "[":
		return append(list, p.assign())
	case p.have("when"):
		return append(list, p.when())
	case p.have("switch"):
		return append(list, p.choose())
	}
	for _, kind := range []Claim{Checked, Assumed, Covered} {
		if p.have(kind.String()) {
			return append(list, &Assert{Kind: kind, Cond: p.expr(), Text: p.text(), Domain: p.clock()})
		}
	}
	p.failf(t, "found %s, expected a statement or declaration", t)
	return nil
}

func (p *parser) when() *When {
	first := &When{Cond: p.expr(), Then: p.block()}
	for w := first; p.have("else"); {
		if !p.have("when") {
			w.Else = p.block()
			break
		}
		next := &When{Cond: p.expr(), Then: p.block()}
		w.Else = []Stmt{next}
		w = next
	}
	return first
}

func (p *parser) choose() *Switch {
	s := &Switch{Of: p.expr()}
	p.word("{")
	for p.have("case") {
		c := &Case{Values: []*Expr{p.constant()}}
		for p.have(",") {
			c.Values = append(c.Values, p.constant())
		}
		c.Body = p.block()
		s.Cases = append(s.Cases, c)
	}
	if p.have("default") {
		s.Default = p.block()
	}
	p.word("}")
	return s
}

// assign parses an assignment or a memory write.
func (p *parser) assign() Stmt {
	t := p.expect(nameToken, "the name of a signal or memory")
	if m := p.mems[t.text]; m != nil {
		p.word("[")
		w := &MemWrite{Mem: m, Addr: p.expr()}
		if p.have(",") {
			w.Mask = p.expr()
		}
		p.word("]")
		p.word("=")
		w.Data = p.expr()
		return w
	}
	a := &Assign{LHS: LValue{Sig: p.signals[t.text]}}
	if a.LHS.Sig == nil {
		p.failf(t, "signal or memory %s is not declared before its use", t.text)
	}
	if a.LHS.Sig.Type.IsVec() && p.have("[") {
		if a.LHS.Part = p.atAffine(); a.LHS.Part {
			a.LHS.Index = p.affine()
		} else {
			a.LHS.Dyn = p.expr()
		}
		p.word("]")
	}
	if p.have("[") {
		hi := p.number("the highest bit")
		p.word(":")
		a.LHS.Lo = p.number("the lowest bit")
		a.LHS.Bits = hi - a.LHS.Lo + 1
		p.word("]")
		if a.LHS.Bits < 1 {
			p.failf(t, "bits %d down to %d of %s", hi, a.LHS.Lo, t.text)
		}
	}
	p.word("=")
	a.RHS = p.expr()
	if got, want := a.RHS.Type, a.LHS.Type(); got != want {
		p.failf(t, "%s takes %s bits, found %s", t.text, want, got)
	}
	return a
}
