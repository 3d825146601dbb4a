package hw

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/internal/snake"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// generic is the field of a generator that is a Verilog parameter, hw:"parameter" in its
// tag: an int, or the Shape of a number, whose width it is then.
type generic struct {
	name  string // of the field
	index []int
	shape bool
	value int
}

// probed are values that say, beside those of the design, how text follows from the
// parameter. No two of their differences have a factor in common, so that no logarithm,
// half or limit follows as an affine function does.
var probed = []int{16, 32, 53}

// genericOf is the Verilog parameter of g, nil if it has none. The text tells what is
// wrong with it.
func genericOf(g any) (p *generic, wrong string) {
	v := reflect.ValueOf(g)
	if reflect.Indirect(v).Kind() != reflect.Struct {
		return nil, ""
	}
	for _, f := range reflect.VisibleFields(reflect.Indirect(v).Type()) {
		text, tagged := f.Tag.Lookup("hw")
		if !tagged || !f.IsExported() {
			continue
		}
		at := reflect.Indirect(v).FieldByIndex(f.Index)
		number, isShape := at.Interface().(Shape[Bits])
		switch fits := at.CanInt() || at.Type().Implements(shapeType); {
		case !fits && text == "parameter":
			return nil, fmt.Sprintf("%s is a Verilog parameter, and no int or hw.Shape", f.Name)
		case !fits: // a port, if the ports of the module are its parameters, too
		case text != "parameter":
			return nil, fmt.Sprintf("the tag of %s is %q; the only one of a parameter is \"parameter\"", f.Name, text)
		case p != nil:
			return nil, fmt.Sprintf("%s and %s are both a Verilog parameter; one can be", p.name, f.Name)
		case v.Kind() == reflect.Pointer:
			return nil, fmt.Sprintf("%s is a Verilog parameter, so the generator must be no pointer", f.Name)
		case isShape && number.s != nil:
			p = &generic{f.Name, f.Index, true, number.Bits()}
		case at.CanInt():
			p = &generic{f.Name, f.Index, false, int(at.Int())}
		}
	}
	if n, ok := g.(Namer); p != nil && ok {
		if other := p.with(g, p.value+1).(Namer); other.ModuleName() != n.ModuleName() {
			return nil, fmt.Sprintf("ModuleName depends on %s, which is a parameter of one Verilog module", p.name)
		}
	}
	return p, ""
}

// verilog is the name of the parameter in Verilog: WIDTH for the shape of a number.
func (p *generic) verilog() string {
	if p.shape {
		return "WIDTH"
	}
	return strings.ToUpper(snake.Case(p.name))
}

// with is g with another value.
func (p *generic) with(g any, n int) any {
	v := reflect.New(reflect.TypeOf(g)).Elem()
	v.Set(reflect.ValueOf(g))
	if p.shape {
		v.FieldByIndex(p.index).Set(reflect.ValueOf(Width(n)))
	} else {
		v.FieldByIndex(p.index).SetInt(int64(n))
	}
	return v.Interface()
}

// family says of which Verilog module that of as is one for the value of p.
func (el *elaboration) family(as variant, p *generic, pos ir.Pos) *ir.Generic {
	others := slices.DeleteFunc(parameters(nil, reflect.ValueOf(as.g)), func(q param) bool { return q.name == p.name })
	out := &ir.Generic{Name: as.of(moduleName(as.g, p), el.own), Params: describeAll(others), Param: p.verilog(), Value: p.value, Probe: slices.Contains(probed, p.value)}
	same := p.with(as.g, probed[0]) // for all of the family
	if other, taken := el.names[out.Name]; taken && other != same {
		el.errs.add(newError(pos, "name", out.Name, "two modules have this name: %s and, without %s, %s; give one a ModuleName", title(other), p.name, title(as.g)))
	}
	el.names[out.Name] = same
	return out
}

// probe builds the module of as, whose parameter is p, for other values of it. What is
// wrong with them says why they are built.
func (el *elaboration) probe(as variant, p *generic, run func(any, *Module) any, pos ir.Pos) {
	if el.probing {
		return // the family has been probed for a module outside
	}
	el.probing = true
	defer func() { el.probing = false }()
	errs, params := len(el.errs.list), len(el.params)
	for _, n := range probed {
		if n == p.value {
			continue
		}
		el.build(variant{p.with(as.g, n), as.async}, run, pos)
		if wrong := slices.Concat(el.errs.list[errs:], el.params[params:]); len(wrong) > 0 {
			for _, e := range wrong {
				e.Text += fmt.Sprintf(" (for %s %d: it is a Verilog parameter and must allow any value)", p.name, n)
			}
			return
		}
	}
}
