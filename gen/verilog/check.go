package verilog

import (
	"fmt"
	"regexp"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// checker looks for what no tool reads as it is meant: names that are none or have
// another meaning where they stand, and objects that are read or assigned where they
// are not declared. The passes before leave none; text that is wrong would else be
// found by the tools of whoever uses it.
type checker struct {
	mod   *module
	names map[string]bool // that have a meaning here
	known map[*object]bool
	undo  []func() // takes back what names and known have got, in order
	errs  []error
}

// check lists what is wrong with m.
func (m *module) check() []error {
	c := &checker{mod: m, names: map[string]bool{}, known: map[*object]bool{}}
	c.name(m.name, m.pos)
	for _, o := range m.ports {
		c.declare(o)
	}
	c.items(m.items)
	return c.errs
}

func (c *checker) errorf(pos ir.Pos, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("verilog: %s: %s: %s", pos, c.mod.name, fmt.Sprintf(format, args...)))
}

var legalName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (c *checker) name(name string, pos ir.Pos) {
	switch {
	case !legalName.MatchString(name) || ir.Keyword(name):
		c.errorf(pos, "%q is no name in Verilog", name)
	case c.names[name]:
		c.errorf(pos, "%q is declared twice", name)
	}
	if !c.names[name] {
		c.names[name] = true
		c.undo = append(c.undo, func() { delete(c.names, name) })
	}
}

func (c *checker) declare(o *object) {
	c.name(o.name, o.pos)
	c.know(o)
}

func (c *checker) know(o *object) {
	c.known[o] = true
	c.undo = append(c.undo, func() { delete(c.known, o) })
}

// inside checks what stands in a block: what it declares is unknown behind it.
func (c *checker) inside(block func()) {
	outside := len(c.undo)
	block()
	for _, f := range c.undo[outside:] {
		f()
	}
	c.undo = c.undo[:outside]
}

func (c *checker) items(list []item) {
	for _, it := range list {
		c.item(it)
	}
}

func (c *checker) item(it item) {
	switch it := it.(type) {
	case *formalItem:
		c.inside(func() { c.items(it.formal) })
		c.inside(func() { c.items(it.simulated) })
	case *generateItem:
		c.name(it.label, c.mod.pos)
		c.inside(func() { c.items(it.body) })
	case *declItem:
		walkItem(it, c.mentions)
		c.declare(it.obj)
	case *alwaysItem:
		c.inside(func() { c.always(it) })
	case *instanceItem:
		c.name(it.name, c.mod.pos)
		walkItem(it, c.mentions)
	default:
		walkItem(it, c.mentions)
	}
}

func (c *checker) always(it *alwaysItem) {
	if it.label != "" {
		c.name(it.label, c.mod.pos)
	}
	for _, v := range it.vars {
		c.name(v.name, c.mod.pos)
	}
	for _, o := range it.locals {
		c.declare(o)
	}
	walkItem(it, c.mentions)
}

// mentions checks that all that x reads or assigns is declared.
func (c *checker) mentions(x expr, _ bool) {
	set := map[*object]bool{}
	mention(x, set)
	for o := range set {
		if !c.known[o] {
			c.errorf(o.pos, "%q is used where it is not declared", o.name)
			c.know(o) // said once
		}
	}
}
