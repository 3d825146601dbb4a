package build

import (
	"github.com/hotline-rtl/hotline/gen/verilog/plan"
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// builder translates a planned unit to a syntax tree.
type builder struct {
	u       *plan.Module
	opt     Options
	names   *syntax.Names
	body    *scope
	scopes  map[*ir.Scope]*scope
	genvars []string // by nesting depth
	uses    map[*ir.Expr]int
	weights map[*ir.Expr]int       // cache of builder.weight
	signs   map[*ir.Expr]bool      // cache of builder.isSigned
	objs    map[any]*syntax.Object // by *ir.Signal and *ir.Mem
	named   map[*ir.Expr]*syntax.Object
	equal   map[string]*syntax.Object   // named expressions by scope and text
	consts  map[string]*syntax.Object   // localparams of loops
	widest  map[string]int              // bits of a localparam that are read
	labels  map[labelKey]*syntax.Object // localparams of constants
	values  map[*syntax.Object]*ir.Expr

	vars    map[*ir.For]*syntax.LoopVar
	inside  map[string]string // names of what blocks declare
	locals  map[simplify.Target]*syntax.Object
	last    []syntax.Item // at the end of the module
	spelled map[*ir.Expr]string

	where     context
	simulated bool                // assertions are for simulators, not for formal tools
	target    string              // what the current statement drives, for names
	defaulted map[*ir.Signal]bool // has a value already in the current block
}

// context is where an expression is going to stand.
type context uint8

const (
	continuous context = iota // assign, connection or clocked block
	sensitive                 // always @*
)

// Options choose how a module is written.
type Options struct {
	Source bool // put the position in the Go source behind statements
	// parameter reports whether a module is a Verilog module with a parameter, for one of its
	// values. It is asked for modules that are instantiated.
	Parameter func(*ir.Module) bool
}

// Module translates a planned unit to a syntax tree.
func Module(u *plan.Module, opt Options) *syntax.Module {
	b := &builder{u: u, opt: opt, names: newNames(u.IR), scopes: map[*ir.Scope]*scope{},
		uses: u.CountUses(), weights: map[*ir.Expr]int{}, signs: map[*ir.Expr]bool{}, objs: map[any]*syntax.Object{}, named: map[*ir.Expr]*syntax.Object{},
		equal: map[string]*syntax.Object{}, consts: map[string]*syntax.Object{}, widest: map[string]int{}, labels: map[labelKey]*syntax.Object{}, values: map[*syntax.Object]*ir.Expr{},
		vars: map[*ir.For]*syntax.LoopVar{}, locals: map[simplify.Target]*syntax.Object{}, spelled: map[*ir.Expr]string{}, inside: map[string]string{}}
	b.body = b.frames(u.Body, nil, 0)
	u.Body.Walk(b.declare)
	m := &syntax.Module{Name: u.IR.Name, Pos: u.IR.Pos, Names: b.names, Ports: b.ports()}
	b.findLoopConsts()
	b.adopt()
	b.scope(u.Body)
	b.declareLabels()
	m.Items = append(b.body.items(), b.last...)
	return m
}

// src is the nearest source position, if the text is to show it.
func (b *builder) src(p ir.Pos) string {
	if fs := p.Frames(); b.opt.Source && len(fs) > 0 {
		return fs[0].String()
	}
	return ""
}
