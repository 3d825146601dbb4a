package syntax

import (
	"fmt"
	"strings"
)

// generate prints a generate loop. The outermost one begins a generate region.
func (p *printer) generate(it *GenerateItem) {
	outer := p.indent == 1
	if outer {
		p.line("generate")
		p.indent++
	}
	v := it.Var.Name
	p.line(fmt.Sprintf("for (%s = 0; %s < %s; %s = %s + 1) begin : %s", v, v, p.as.size(it.Var.N), v, v, it.Label))
	p.indent++
	p.items(it.Body)
	p.indent--
	p.line("end")
	if outer {
		p.indent--
		p.line("endgenerate")
	}
}

// genvars declares the variables of a loop and of the loops in it that are not in seen.
func (p *printer) genvars(g *GenerateItem, seen map[string]bool) {
	var names []string
	var visit func(g *GenerateItem)
	visit = func(g *GenerateItem) {
		if !seen[g.Var.Name] {
			seen[g.Var.Name] = true
			names = append(names, g.Var.Name)
		}
		for _, it := range g.Body {
			if in, ok := it.(*GenerateItem); ok {
				visit(in)
			}
		}
	}
	visit(g)
	if len(names) > 0 {
		p.line("genvar " + strings.Join(names, ", ") + ";")
	}
}

// instance prints an instance with its ports in one column.
func (p *printer) instance(it *InstanceItem) {
	head := it.Module
	switch n := len(it.Params); {
	case n == 1:
		head += " #(." + it.Params[0].Name + "(" + p.as.paramValue(it.Params[0]) + "))"
	case n > 1:
		p.line(it.Module + " #(")
		for i, x := range it.Params {
			s := fmt.Sprintf("%s.%s (%s)", tab, x.Name, p.as.paramValue(x))
			if i < n-1 {
				s += ","
			}
			p.line(s)
		}
		head = ")"
	}
	if len(it.Conns) == 0 {
		p.src(head+" "+it.Name+" ();", it.Src)
		return
	}
	wide := 0
	for _, c := range it.Conns {
		wide = max(wide, len(c.Port))
	}
	p.src(head+" "+it.Name+" (", it.Src)
	for i, c := range it.Conns {
		s := fmt.Sprintf("%s.%-*s (%s)", tab, wide, c.Port, p.as.expr(c.Value))
		if i < len(it.Conns)-1 {
			s += ","
		}
		p.line(s)
	}
	p.line(");")
}

// Head returns the first line of the block, without its label.
func (it *AlwaysItem) Head() string {
	switch {
	case it.Initial:
		return "initial begin"
	case it.Clock != nil:
		return "always @(" + it.events() + ") begin"
	}
	return "always @* begin"
}

// events returns the edges that a clocked block waits for.
func (it *AlwaysItem) events() string {
	s := "posedge " + it.Clock.Name
	switch {
	case it.Reset != nil && it.Low:
		s += " or negedge " + it.Reset.Name
	case it.Reset != nil:
		s += " or posedge " + it.Reset.Name
	}
	return s
}

// always prints an always or initial block.
func (p *printer) always(it *AlwaysItem) {
	head := it.Head()
	if it.Label != "" {
		head += " : " + it.Label
	}
	p.src(head, it.Src)
	p.indent++
	var names []string
	for _, v := range it.Vars {
		names = append(names, v.Name)
	}
	if len(names) > 0 {
		p.line("integer " + strings.Join(names, ", ") + ";")
	}
	var locals []Item
	for _, o := range it.Locals {
		locals = append(locals, &DeclItem{Obj: o})
	}
	p.declarations(locals)
	p.stmts(it.Body)
	p.indent--
	p.line("end")
}
