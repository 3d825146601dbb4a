package ir

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// maxNesting limits the recursion of the parser.
const maxNesting = 1000

// Parse parses the text form of a design. name is the file name for error messages, which contain
// the line and the expected syntax. The returned design is verified.
func Parse(name, text string) (*Design, error) {
	tokens, err := scan(name, text)
	if err != nil {
		return nil, err
	}
	p := &parser{file: name, tokens: tokens, modules: map[string]*Module{}}
	d, err := p.design()
	if err != nil {
		return nil, err
	}
	if err := Verify(d); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// parser consumes tokens. The first mistake unwinds it with a syntaxError.
type parser struct {
	file    string
	tokens  []token
	modules map[string]*Module
	mod     *Module
	names   map[string]bool // declared in mod
	signals map[string]*Signal
	mems    map[string]*Mem
	insts   map[string]*Instance
	loops   map[string]*For
	temps   map[string]*Expr
	enums   map[string]*Enum
	domains map[string]*Domain    // by clock
	pending map[string][]**Signal // clocks and resets of domains whose ports are not declared yet
	depth   int
}

type syntaxError struct{ error }

func (p *parser) design() (d *Design, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case syntaxError:
			d, err = nil, r.error
		default:
			panic(r)
		}
	}()
	d = &Design{}
	for p.peek().kind != endToken {
		if p.have("probe") {
			d.Probes = append(d.Probes, p.module())
			continue
		}
		if t := p.peek(); len(d.Probes) > 0 {
			p.failf(t, "found %s, expected a probe: modules come before probes", t)
		}
		p.word("module")
		d.Modules = append(d.Modules, p.module())
	}
	if len(d.Modules) == 0 {
		return nil, errors.New(p.file + ": no module")
	}
	d.Top = d.Modules[len(d.Modules)-1]
	return d, nil
}

func (p *parser) failf(t token, format string, args ...any) {
	panic(syntaxError{fmt.Errorf("%s:%d: %s", p.file, t.line, fmt.Sprintf(format, args...))})
}

func (p *parser) peek() token { return p.tokens[0] }

// ahead returns the token after the next.
func (p *parser) ahead() token { return p.tokens[min(1, len(p.tokens)-1)] }

func (p *parser) take() token {
	t := p.tokens[0]
	if t.kind != endToken {
		p.tokens = p.tokens[1:]
	}
	return t
}

// expect takes a token of the kind.
func (p *parser) expect(kind tokenKind, what string) token {
	t := p.take()
	if t.kind != kind {
		p.failf(t, "found %s, expected %s", t, what)
	}
	return t
}

// word takes the name or mark text.
func (p *parser) word(text string) {
	if t := p.take(); t.kind == stringToken || t.text != text {
		p.failf(t, "found %s, expected %q", t, text)
	}
}

// have takes the name or mark text if it is next.
func (p *parser) have(text string) bool {
	if t := p.peek(); t.kind == stringToken || t.text != text {
		return false
	}
	p.take()
	return true
}

// name takes a name that is declared here.
func (p *parser) name(what string) string {
	t := p.expect(nameToken, "the name of a "+what)
	if p.names[t.text] {
		p.failf(t, "%s is declared already", t.text)
	}
	p.names[t.text] = true
	return t.text
}

// nest runs f one level deeper.
func (p *parser) nest(f func()) {
	if p.depth++; p.depth > maxNesting {
		p.failf(p.peek(), "nested deeper than %d", maxNesting)
	}
	f()
	p.depth--
}

func (p *parser) number(what string) int {
	t := p.expect(numberToken, what)
	return p.atoi(t, t.text)
}

func (p *parser) atoi(t token, digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil || n > MaxDepth || n < -MaxDepth {
		p.failf(t, "the number %s is out of range", digits)
	}
	return n
}

func (p *parser) text() string { return p.unquote(p.expect(stringToken, "a string")) }

func (p *parser) unquote(t token) string {
	s, err := strconv.Unquote(t.text)
	if err != nil {
		p.failf(t, "%s is not a string of Go", t.text)
	}
	return s
}

// typ parses a type such as 8 or 4x8.
func (p *parser) typ() Type {
	t := p.take()
	switch t.kind {
	case numberToken:
		return p.within(t, Type{Width: p.atoi(t, t.text)})
	case typeToken:
		n, w, _ := strings.Cut(t.text, "x")
		if n == "0" {
			p.failf(t, "a vector without elements")
		}
		return p.within(t, Type{Len: p.atoi(t, n), Width: p.atoi(t, w)})
	}
	p.failf(t, "found %s, expected a type", t)
	return Type{}
}

func (p *parser) within(t token, ty Type) Type {
	if problem := ty.problem(); problem != "" {
		p.failf(t, "%s", problem)
	}
	return ty
}

// constant parses the width, the value and the label of a constant.
func (p *parser) constant() *Expr {
	t := p.expect(constToken, "a constant")
	number, label, labelled := strings.Cut(t.text, `"`)
	width, digits, _ := strings.Cut(number, "'")
	base := 10
	if digits[0] == 'h' {
		base = 16
	}
	e := &Expr{Op: Const, Type: p.within(t, Type{Width: p.atoi(t, width)})}
	v, _ := new(big.Int).SetString(digits[1:], base)
	if v.BitLen() > e.Type.Width {
		p.failf(t, "%s does not fit in %s bits", digits[1:], width)
	}
	e.Val = make([]uint64, Words(e.Type.Width))
	for i := range e.Val {
		e.Val[i] = v.Uint64()
		v.Rsh(v, 64)
	}
	e.Hex = base == 16 && ConstText(e.Type.Width, e.Val) != number
	if labelled {
		e.Label = p.unquote(token{text: `"` + label, line: t.line})
	}
	return e
}

func (p *parser) parameter() Parameter {
	x := Parameter{Name: p.text(), Value: p.text(), Generic: p.have("verilog")}
	if p.peek().text == "meaning" && p.ahead().kind == stringToken {
		p.take()
		x.Doc = p.text()
	}
	return x
}

func (p *parser) module() *Module {
	t := p.peek()
	m := &Module{Name: p.expect(nameToken, "the name of a module").text}
	if p.modules[m.Name] != nil {
		p.failf(t, "module %s is declared twice", m.Name)
	}
	m.Own = p.own()
	m.Clock, m.Reset = p.have("clock"), p.have("reset")
	m.Body = &Scope{Module: m}
	p.mod, p.names, p.signals, p.mems = m, map[string]bool{}, map[string]*Signal{}, map[string]*Mem{}
	p.insts, p.loops, p.temps = map[string]*Instance{}, map[string]*For{}, map[string]*Expr{}
	p.word("{")
	for p.peek().text == "parameter" && p.ahead().kind == stringToken {
		p.take()
		m.Parameters = append(m.Parameters, p.parameter())
	}
	if p.peek().text == "generic" && p.ahead().kind == nameToken {
		p.take()
		m.Generic = &Generic{Name: p.take().text, Param: p.text(), Value: p.number("a value"), Probe: p.have("probe")}
	}
	if p.have("doc") {
		m.Doc = p.text()
	}
	if p.peek().text == "extern" && p.ahead().kind == stringToken {
		p.take()
		m.Extern = p.extern()
	}
	for p.peek().text == "pad" && p.ahead().kind == nameToken {
		p.pad()
	}
	p.enums = map[string]*Enum{}
	for p.have("enum") {
		p.enum()
	}
	p.domains, p.pending = map[string]*Domain{}, map[string][]**Signal{}
	for p.peek().text == "domain" && p.ahead().kind == nameToken {
		p.domain()
	}
	p.body(m.Body)
	for _, name := range slices.Sorted(maps.Keys(p.pending)) {
		p.failf(t, "no input %s for a domain", name)
	}
	m.Body.Walk(func(s *Scope) {
		for _, in := range s.Insts {
			if i := slices.Index(in.Pins, nil); i >= 0 {
				p.failf(t, "instance %s has no pin for port %s", in.Name, in.Of.Ports[i].Name)
			}
		}
	})
	p.modules[m.Name] = m
	return m
}
