package syntax

import (
	"fmt"
	"regexp"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// checker finds text that tools would refuse or misread: illegal names, names that are
// declared twice, and objects that are used where they are not declared. No such text should
// arise; a defect would otherwise surface in the tools of a user.
type checker struct {
	mod   *Module
	names map[string]bool // that have a meaning here
	known map[*Object]bool
	undo  []func() // takes back what names and known have got, in order
	errs  []error
}

// Check returns what is wrong with the names and declarations of m, nil for a legal module.
func (m *Module) Check() []error {
	c := &checker{mod: m, names: map[string]bool{}, known: map[*Object]bool{}}
	c.name(m.Name, m.Pos)
	for _, o := range m.Ports {
		c.declare(o)
	}
	c.items(m.Items)
	return c.errs
}

func (c *checker) errorf(pos ir.Pos, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("verilog: %s: %s: %s", pos, c.mod.Name, fmt.Sprintf(format, args...)))
}

var legalName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// name checks and records a name that is declared here.
func (c *checker) name(name string, pos ir.Pos) {
	switch {
	case !legalName.MatchString(name) || ir.Keyword(name):
		c.errorf(pos, "%q is not a name in Verilog", name)
	case c.names[name]:
		c.errorf(pos, "%q is declared twice", name)
	}
	if !c.names[name] {
		c.names[name] = true
		c.undo = append(c.undo, func() { delete(c.names, name) })
	}
}

// declare checks the name of an object, which is known from here on.
func (c *checker) declare(o *Object) {
	c.name(o.Name, o.Pos)
	c.know(o)
}

// know records that an object is declared.
func (c *checker) know(o *Object) {
	c.known[o] = true
	c.undo = append(c.undo, func() { delete(c.known, o) })
}

// inside runs a check of a block and then forgets what the block declared.
func (c *checker) inside(block func()) {
	outside := len(c.undo)
	block()
	for _, f := range c.undo[outside:] {
		f()
	}
	c.undo = c.undo[:outside]
}

func (c *checker) items(list []Item) {
	for _, it := range list {
		c.item(it)
	}
}

func (c *checker) item(it Item) {
	switch it := it.(type) {
	case *FormalItem:
		c.inside(func() { c.items(it.Formal) })
		c.inside(func() { c.items(it.Simulated) })
	case *GenerateItem:
		c.name(it.Label, c.mod.Pos)
		c.inside(func() { c.items(it.Body) })
	case *DeclItem:
		WalkItem(it, c.mentions)
		c.declare(it.Obj)
	case *AlwaysItem:
		c.inside(func() { c.always(it) })
	case *InstanceItem:
		c.name(it.Name, c.mod.Pos)
		WalkItem(it, c.mentions)
	default:
		WalkItem(it, c.mentions)
	}
}

func (c *checker) always(it *AlwaysItem) {
	if it.Label != "" {
		c.name(it.Label, c.mod.Pos)
	}
	for _, v := range it.Vars {
		c.name(v.Name, c.mod.Pos)
	}
	for _, o := range it.Locals {
		c.declare(o)
	}
	WalkItem(it, c.mentions)
}

// mentions checks that every object in x is declared.
func (c *checker) mentions(x Expr, _ bool) {
	set := map[*Object]bool{}
	Mention(x, set)
	for o := range set {
		if !c.known[o] {
			c.errorf(o.Pos, "%q is used where it is not declared", o.Name)
			c.know(o) // said once
		}
	}
}
