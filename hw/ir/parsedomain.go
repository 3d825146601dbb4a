package ir

// own parses how a module names its own clock and reset.
func (p *parser) own() (o Own) {
	if p.have("clk") {
		o.Clock = p.expect(nameToken, "the name of the clock").text
	}
	if p.have("rst") {
		o.Reset = p.expect(nameToken, "the name of the reset").text
	}
	o.Low, o.Async = p.have("low"), p.have("async")
	return o
}

// domain parses a clock that is a port, and its reset.
func (p *parser) domain() {
	p.take()
	d := &Domain{}
	t := p.peek()
	name := p.expect(nameToken, "the name of a clock").text
	if p.domains[name] != nil {
		p.failf(t, "domain %s is declared already", name)
	}
	p.domains[name] = d
	p.pending[name] = append(p.pending[name], &d.Clock)
	if p.have("reset") {
		reset := p.expect(nameToken, "the name of a reset").text
		p.pending[reset] = append(p.pending[reset], &d.Reset)
		d.Low, d.Async = p.have("low"), p.have("async")
	}
	p.mod.Domains = append(p.mod.Domains, d)
}

// clock parses the clock that a declaration follows. It returns nil if there is none.
func (p *parser) clock() *Domain {
	if p.peek().text != "clock" || p.ahead().kind != nameToken {
		return nil
	}
	p.take()
	t := p.take()
	d := p.domains[t.text]
	if d == nil {
		p.failf(t, "domain %s is not declared before its use", t.text)
	}
	return d
}
