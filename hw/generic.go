package hw

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/internal/snake"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// generic is the field of a generator that is a Verilog parameter, tagged hw:"parameter": an int,
// or the Shape of a number whose width is the parameter.
type generic struct {
	name  string // of the field
	index []int
	shape bool
	value int
}

// probed are additional parameter values. Comparing their Verilog with the design's shows how the
// text depends on the parameter. The differences of the values are pairwise coprime, so that no
// logarithm, quotient or minimum is mistaken for an affine function.
var probed = []int{16, 32, 53}

// genericOf returns the Verilog parameter of g, or nil if it has none. wrong describes a mistake
// in it.
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
		case !fits: // a field of a port record, if the generator is also its record of ports
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

// verilog returns the name of the parameter in Verilog, which is WIDTH for the shape of a number.
func (p *generic) verilog() string {
	if p.shape {
		return "WIDTH"
	}
	return strings.ToUpper(snake.Case(p.name))
}

// with returns a copy of g with another value of the parameter.
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

// generalize makes b one of the modules that differ in the value of p.
func (b *built) generalize(p *generic) {
	b.generic, b.family = p, variant{p.with(b.g, probed[0]), b.as.async}
	b.module.Generic = &ir.Generic{Param: p.verilog(), Value: p.value, Probe: slices.Contains(probed, p.value)}
	for i, q := range b.module.Parameters {
		if q.Name == snake.Case(p.name) {
			b.module.Parameters[i].Generic = true
			if p.shape && q.Doc != "" {
				b.module.Parameters[i].Doc = "bits of the " + q.Doc
			}
		}
	}
}

// probe builds the module of as for other values of its parameter p. Mistakes found in these
// builds are reported with the reason for the build.
func (el *elaboration) probe(as variant, p *generic, run func(any, *Module) any, pos ir.Pos) {
	if el.probing {
		return // the family has been probed for an outer module
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
