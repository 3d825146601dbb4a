package hw

import (
	"fmt"
	"reflect"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/late"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// Generator is a hardware module with ports P: a comparable value whose Build method describes the
// module. A struct field may have the tag hw:"parameter"; it must be an int that is used as a
// width only, or the Shape of a payload. Modules that differ only in this field become one Verilog
// module with a parameter. verilog.Generate reports logic that cannot be derived from a Verilog
// parameter.
type Generator[P any] interface {
	Build(m *Module) P
}

// Namer is a Generator that chooses the name of its module. The default name is derived from the
// type and its parameters, for example fifo_w32_d16.
type Namer interface{ ModuleName() string }

// Elaborate builds g and everything that it instantiates. The error joins one *Error per mistake:
// mistakes in parameters first, then the others, each group sorted by position.
func Elaborate[P any](g Generator[P], options ...Option) (*ir.Design, error) {
	el := &elaboration{
		built: map[variant]*built{}, names: map[string]any{}, within: map[string]string{},
		refused: map[*ir.Signal]bool{}, adopted: map[*Error]bool{}, sources: map[string]string{},
	}
	for _, set := range options {
		set(el)
	}
	return el.run(g, describer[P], ir.Caller(0))
}

// describer calls Build of any generator with ports P.
func describer[P any](g any, m *Module) any { return g.(Generator[P]).Build(m) }

// maxDepth limits the hierarchy, to stop modules that instantiate themselves with ever different
// parameters.
const maxDepth = 100

// elaboration is the state of one call of Elaborate.
type elaboration struct {
	errs    errorList
	params  []*Error // mistakes in parameters found by Build methods
	own     ir.Own   // of the top
	late    bool     // see LateCrossings
	built   map[variant]*built
	names   map[string]any      // module name to Generator value
	within  map[string]string   // module name to the name of its first parent
	refused map[*ir.Signal]bool // signals whose driving Set had a mistake
	adopted map[*Error]bool     // mistakes of constants, reported to the first module that uses them
	sources map[string]string   // Verilog files by name
	current *Module             // module whose Build runs
	depth   int
	probing bool // building for other values of a Verilog parameter
	design  ir.Design
}

// built is a finished module, or a module in progress (module is nil).
type built struct {
	module *ir.Module
	ports  any // as returned by Build
}

// run builds and checks the design of g. Drivers and latches are checked even after other
// mistakes, so that one run reports them all. Loops are not, because the check requires all
// values.
func (el *elaboration) run(g any, build func(any, *Module) any, pos ir.Pos) (d *ir.Design, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case fatal:
			for _, e := range r.errs {
				if e.Module == "" {
					e.Module = el.current.ir.Name
				}
				el.errs.add(e)
			}
			d, err = nil, el.err()
		default:
			panic(r)
		}
	}()
	el.design.Top = el.build(variant{g, el.own.Async}, build, pos).module
	if top := el.design.Top; top.Extern != nil {
		el.errs.add(newError(pos, "extern", top.Name, "the top is a black box; instantiate it in a module"))
	}
	el.sortOut()
	lowered, problems := drivers.Lower(&el.design)
	el.report(problems)
	for _, m := range el.design.Modules {
		el.overwritten(m)
		el.labels(m)
	}
	if err := el.err(); err != nil {
		return nil, err
	}
	el.report(netlist.Loops(lowered))
	if err := el.err(); err != nil {
		return nil, err
	}
	el.report(netlist.Crossings(lowered))
	if err := el.err(); err != nil {
		return nil, err
	}
	if el.late {
		late.Crossings(&el.design)
	}
	return &el.design, nil
}

func (el *elaboration) report(problems []ir.Problem) {
	for _, p := range problems {
		if p.ID != "driver" || !el.refused[p.Sig] {
			el.errs.add(newError(p.Pos, p.ID, p.Module, "%s", p.Text))
		}
	}
}

// err returns the joined mistakes, or nil. For a module with invalid parameters, and for the
// modules that it instantiates, it reports only the invalid parameters.
func (el *elaboration) err() error {
	impossible := map[string]bool{}
	for _, e := range el.params {
		impossible[e.Module] = true
	}
	inside := func(module string) bool {
		for module != "" && !impossible[module] {
			module = el.within[module]
		}
		return module != ""
	}
	var all errorList
	for _, e := range el.params {
		if !inside(el.within[e.Module]) {
			all.add(e)
		}
	}
	for _, e := range el.errs.list {
		if !inside(e.Module) {
			all.add(e)
		}
	}
	return all.err()
}

// build elaborates a generator once for each kind of own reset.
func (el *elaboration) build(as variant, run func(any, *Module) any, pos ir.Pos) *built {
	g, name := as.g, as.name(el.own)
	p, wrong := genericOf(g)
	as.g = key(g)
	b := el.built[as]
	switch {
	case !reflect.ValueOf(g).Comparable():
		el.errs.add(newError(pos, "param", name, "parameters of type %T are not comparable: use no slices, maps or functions", g))
	case b != nil && b.module == nil:
		panic(fatal{[]*Error{newError(pos, "param", name, "instantiates itself with equal parameters")}})
	case b != nil:
		return b
	}
	if el.depth++; el.depth > maxDepth {
		panic(fatal{[]*Error{newError(pos, "param", name, "instances nest deeper than %d: does the module instantiate itself without end?", maxDepth)}})
	}
	b = &built{}
	el.built[as] = b
	errs, params := len(el.errs.list), len(el.params)
	if other, taken := el.names[name]; taken {
		el.errs.add(newError(pos, "name", name, "two modules have this name: %s and %s; give one a ModuleName", title(other), title(g)))
	}
	outer := el.current
	if _, taken := el.names[name]; !taken && outer != nil {
		el.within[name] = outer.ir.Name
	}
	el.names[name] = g
	own := el.own
	own.Async = as.async
	m := newModule(el, name, g, own, pos)
	if wrong != "" {
		m.errorf(pos, "param", "%s", wrong)
	}
	el.current = m
	b.ports = run(g, m)
	if outer == nil {
		m.checkPorts(b.ports, pos)
	}
	m.finish()
	for _, f := range m.machines {
		f.check()
	}
	el.current = outer
	el.depth--
	if outer == nil {
		m.expose()
	}
	m.settle()
	m.standIn()
	m.checkPads()
	m.ir.Clock, m.ir.Reset = m.ir.Clocking()
	b.module = m.ir
	el.design.Modules = append(el.design.Modules, m.ir)
	if p != nil && m.extern != nil {
		m.errorf(pos, "param", "%s is a Verilog parameter of a black box; give it a value with Param", p.name)
	}
	if p != nil && len(el.errs.list) == errs && len(el.params) == params {
		m.ir.Generic = el.family(variant{g, as.async}, p, pos)
		el.probe(variant{g, as.async}, p, run, pos)
	}
	return b
}

// key returns a map key that is equal for generators of the same module. A generator that is not
// comparable gets a unique key.
func key(g any) any {
	if reflect.ValueOf(g).Comparable() {
		return g
	}
	return new(int)
}

func title(g any) string { return fmt.Sprintf("%T%s", g, describe(reflect.ValueOf(g))) }
