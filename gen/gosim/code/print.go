package code

import (
	"fmt"
	"strings"
)

// Print writes statements, which Prune has processed, as Go. gofmt defines their layout.
func Print(b *strings.Builder, body []Stmt) {
	p := &printer{b}
	p.block(body)
}

type printer struct{ b *strings.Builder }

// reads reports whether statements read a variable.
func reads(body []Stmt, x *Expr) bool {
	p := newPruning()
	p.count(body)
	return p.reads[x.text] > 0
}

func (p *printer) f(format string, args ...any) { fmt.Fprintf(p.b, format, args...) }

func (p *printer) block(body []Stmt) {
	for _, s := range body {
		p.stmt(s)
	}
}

func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Define:
		p.f("%s\n", s)
	case *Var:
		p.f("var %s %s\n", s.Name, s.Type)
	case *Assign:
		p.f("%s %s %s\n", s.To, s.Operator, s.X)
	case *If:
		p.choice(s)
	case *Switch:
		p.f("switch %s {\n", s.X)
		for _, c := range s.Cases {
			list(p.b, "case ", c.Values, ":\n")
			p.block(c.Body)
		}
		if len(s.Else) > 0 {
			p.f("default:\n")
			p.block(s.Else)
		}
		p.f("}\n")
	case *Range:
		p.f("for %srange %s {\n", p.header(s), s.N)
		p.block(s.Body)
		p.f("}\n")
	case *Count:
		step := fmt.Sprintf("%s += %d", s.Index, s.Step)
		if s.Step == 1 {
			step = s.Index.String() + "++"
		}
		p.f("for %s := %s; %s < %s; %s {\n", s.Index, s.From, s.Index, s.To, step)
		p.block(s.Body)
		p.f("}\n")
	case *Bits:
		p.bits(s)
	case *Do:
		p.f("%s\n", s.X)
	case *Return:
		p.f("return %s\n", s.X)
	default:
		panic(fmt.Sprintf("code: statement %T", s))
	}
}

// String returns the declaration in Go.
func (d *Define) String() string {
	if d.Int || d.X.typed() {
		return fmt.Sprintf("%s := %s", d.Name, d.X)
	}
	return fmt.Sprintf("%s := %s", d.Name, Word(d.X))
}

func (p *printer) choice(s *If) {
	if len(s.Then) == 0 {
		s = &If{s.Init, s.Cond.False(), s.Else, nil}
	}
	p.f("if ")
	if s.Init != nil {
		p.f("%s; ", s.Init)
	}
	p.f("%s {\n", s.Cond)
	p.block(s.Then)
	if len(s.Else) == 1 {
		if other, ok := s.Else[0].(*If); ok {
			p.f("} else ")
			p.choice(other)
			return
		}
	}
	if len(s.Else) > 0 {
		p.f("} else {\n")
		p.block(s.Else)
	}
	p.f("}\n")
}

// header declares the variables of a loop that its body reads.
func (p *printer) header(s *Range) string {
	index, elem := "_", "_"
	if s.Index != nil && reads(s.Body, s.Index) {
		index = s.Index.text
	}
	if s.Elem != nil && reads(s.Body, s.Elem) {
		elem = s.Elem.text
	}
	switch {
	case elem != "_":
		return fmt.Sprintf("%s, %s := ", index, elem)
	case index != "_":
		return index + " := "
	}
	return ""
}

func (p *printer) bits(s *Bits) {
	first := ""
	if s.X != nil {
		first = (&Define{Name: s.Mask, X: s.X}).String()
	}
	p.f("for %s; %s != 0; %s &= %s - 1 {\n", first, s.Mask, s.Mask, s.Mask)
	if reads(s.Body, s.Bit) {
		number := Call("model.FirstBit", s.Mask)
		if s.Base != nil {
			number = number.Add(s.Base)
		}
		p.f("%s := %s\n", s.Bit, number)
	}
	p.block(s.Body)
	p.f("}\n")
}
