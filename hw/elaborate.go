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
// parameter. The tags doc:"..." and unit:"..." describe a field in the header of the Verilog.
type Generator[P any] interface {
	Build(m *Module) P
}

// Namer is a Generator that chooses the name of its module. The default is the name of the type in
// snake case. Modules of one name in a design also get the parameters that distinguish them, for
// example fifo_depth16.
type Namer interface{ ModuleName() string }

// Elaborate builds g and everything that it instantiates. The error joins one *Error per mistake:
// mistakes in parameters first, then the others, each group sorted by position.
func Elaborate[P any](g Generator[P], options ...Option) (*ir.Design, error) {
	el := &elaboration{
		built:   map[variant]*built{},
		refused: map[*ir.Signal]bool{}, adopted: map[*Error]bool{}, sources: map[string]string{}, imports: map[string]*ir.Design{},
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
	all     []*built              // in the order in which they were begun
	refused map[*ir.Signal]bool   // signals whose driving Set had a mistake
	adopted map[*Error]bool       // mistakes of constants, reported to the first module that uses them
	sources map[string]string     // Verilog files by name
	imports map[string]*ir.Design // designs of Import, by text
	current *Module               // module whose Build runs
	depth   int
	probing bool // building for other values of a Verilog parameter
	design  ir.Design
}

// built is a module. It is in progress until done.
type built struct {
	g       any
	as      variant
	base    string // name without parameters
	pkg     string // path of the package of the generator
	pos     ir.Pos // of the first instance
	labels  []label
	outer   *ir.Module // the first module that instantiates it, or nil
	module  *ir.Module
	ports   any // as returned by Build
	generic *generic
	family  variant // represents all modules that differ only in generic
	done    bool
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
					e.of = el.current.ir
				}
				el.errs.add(e)
			}
			el.nameModules(nil)
			d, err = nil, el.err()
		default:
			panic(r)
		}
	}()
	el.design.Top = el.build(variant{g, el.own.Async}, build, pos).module
	if top := el.design.Top; top.Extern != nil {
		el.mistake(top, pos, "extern", "the design is foreign Verilog; instantiate it in a module")
	}
	el.nameModules(el.sortOut())
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

// mistake records a mistake in a module.
func (el *elaboration) mistake(of *ir.Module, pos ir.Pos, id, format string, args ...any) {
	e := newError(pos, id, "", format, args...)
	e.of = of
	el.errs.add(e)
}

// report records problems that were found after all modules have names.
func (el *elaboration) report(problems []ir.Problem) {
	named := map[string]*ir.Module{}
	for _, b := range el.all {
		named[b.module.Name] = b.module
	}
	for _, p := range problems {
		if p.ID != "driver" || !el.refused[p.Sig] {
			el.mistake(named[p.Module], p.Pos, p.ID, "%s", p.Text)
		}
	}
}

// err returns the joined mistakes, or nil. For a module with invalid parameters, and for the
// modules that it instantiates, it reports only the invalid parameters.
func (el *elaboration) err() error {
	outer, impossible := map[*ir.Module]*ir.Module{}, map[*ir.Module]bool{}
	for _, b := range el.all {
		outer[b.module] = b.outer
	}
	for _, e := range el.params {
		impossible[e.of] = true
	}
	inside := func(m *ir.Module) bool {
		for m != nil && !impossible[m] {
			m = outer[m]
		}
		return m != nil
	}
	var all errorList
	add := func(e *Error) {
		if e.of != nil {
			e.Module = e.of.Name
		}
		all.add(e)
	}
	for _, e := range el.params {
		if !inside(outer[e.of]) {
			add(e)
		}
	}
	for _, e := range el.errs.list {
		if !inside(e.of) {
			add(e)
		}
	}
	return all.err()
}

// build elaborates a generator once for each kind of own reset.
func (el *elaboration) build(as variant, run func(any, *Module) any, pos ir.Pos) *built {
	g, name := as.g, baseName(as.g)
	p, wrong := genericOf(g)
	as.g = key(g)
	b := el.built[as]
	switch {
	case b != nil && !b.done:
		panic(fatal{[]*Error{newError(pos, "param", name, "instantiates itself with equal parameters")}})
	case b != nil:
		return b
	}
	if el.depth++; el.depth > maxDepth {
		panic(fatal{[]*Error{newError(pos, "param", name, "instances nest deeper than %d: does the module instantiate itself without end?", maxDepth)}})
	}
	outer, own := el.current, el.own
	own.Async = as.async
	m := newModule(el, name, g, own, pos)
	b = &built{g: g, as: as, base: name, pkg: reflect.Indirect(reflect.ValueOf(g)).Type().PkgPath(), pos: pos, labels: labels(g, as.async), module: m.ir}
	if outer != nil {
		b.outer = outer.ir
	}
	el.built[as], el.all = b, append(el.all, b)
	errs, params := len(el.errs.list), len(el.params)
	if !reflect.ValueOf(g).Comparable() {
		m.errorf(pos, "param", "parameters of type %T are not comparable: use no slices, maps or functions", g)
	}
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
	m.implement()
	m.checkPads()
	m.ir.Clock, m.ir.Reset = m.ir.Clocking()
	b.done = true
	el.design.Modules = append(el.design.Modules, m.ir)
	if p != nil && m.extern != nil {
		m.errorf(pos, "param", "%s is a Verilog parameter of a black box; give it a value with Param", p.name)
	}
	if p != nil && len(el.errs.list) == errs && len(el.params) == params {
		b.generalize(p)
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
