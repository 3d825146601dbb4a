package build

import (
	"github.com/hotline-rtl/hotline/gen/verilog/plan"
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// builder translates a planned module to a syntax tree.
type builder struct {
	plan  *plan.Module
	opt   Options
	names *syntax.Names

	// Scopes and what they declare.
	body    *scope
	scopes  map[*ir.Scope]*scope
	genvars []string // by nesting depth
	vars    map[*ir.For]*syntax.LoopVar
	objs    map[any]*syntax.Object             // by *ir.Signal, *ir.Mem, "clk" and "rst"
	locals  map[simplify.Target]*syntax.Object // variables of blocks that assign a part of a net
	inside  map[string]string                  // names of declarations in blocks
	last    []syntax.Item                      // at the end of the module

	// Names of intermediate values.
	uses    map[*ir.Expr]int
	weights map[*ir.Expr]int  // cache of weight
	signs   map[*ir.Expr]bool // cache of isSigned
	named   map[*ir.Expr]*syntax.Object
	equal   map[string]*syntax.Object // named expressions by scope and text
	spelled map[*ir.Expr]string       // cache of spell

	// Named constants.
	consts map[string]*syntax.Object   // functions of loop variables
	widest map[string]int              // bits of a function of loop variables that are read
	labels map[labelKey]*syntax.Object // other constants
	values map[*syntax.Object]*ir.Expr // of labels

	// Of the present item or statement.
	where     context
	simulated bool                // assertions are for simulators, not for formal tools
	target    string              // that is driven, for names
	defaulted map[*ir.Signal]bool // has a value already in the present block
}

// context is the kind of item that an expression is written in.
type context uint8

const (
	continuous context = iota // assign, connection or clocked block
	sensitive                 // always @*
)

// Options chooses how modules are written.
type Options struct {
	Source bool // comments with the position in the Go source
	// Parameter reports whether a module that is instantiated is printed as a Verilog module
	// with a parameter.
	Parameter func(*ir.Module) bool
}

// Module returns the syntax tree of a planned module, without Header and Param. It has a name
// for each intermediate value that cannot be written, or should not be repeated, inside an
// expression.
func Module(p *plan.Module, opt Options) *syntax.Module {
	b := &builder{plan: p, opt: opt, names: newNames(p.IR),
		scopes: map[*ir.Scope]*scope{}, vars: map[*ir.For]*syntax.LoopVar{},
		objs: map[any]*syntax.Object{}, locals: map[simplify.Target]*syntax.Object{}, inside: map[string]string{},
		uses: p.CountUses(), weights: map[*ir.Expr]int{}, signs: map[*ir.Expr]bool{},
		named: map[*ir.Expr]*syntax.Object{}, equal: map[string]*syntax.Object{}, spelled: map[*ir.Expr]string{},
		consts: map[string]*syntax.Object{}, widest: map[string]int{},
		labels: map[labelKey]*syntax.Object{}, values: map[*syntax.Object]*ir.Expr{}}
	b.body = b.scopesOf(p.Body, nil, 0)
	p.Body.Walk(b.declare)
	m := &syntax.Module{Name: p.IR.Name, Pos: p.IR.Pos, Names: b.names, Ports: b.ports()}
	b.findLoopConsts()
	b.adopt()
	b.scope(p.Body)
	b.declareLabels()
	m.Items = append(b.body.items(), b.last...)
	return m
}

// src returns the nearest source position if the text shows it, else "".
func (b *builder) src(p ir.Pos) string {
	if fs := p.Frames(); b.opt.Source && len(fs) > 0 {
		return fs[0].String()
	}
	return ""
}
