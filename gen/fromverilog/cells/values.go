package cells

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Values contains the values of the nets of a module.
type Values struct {
	// Output returns the value of an output that is needed for the first time. A memory has one
	// output per read port.
	Output func(Output) *ir.Expr
	// Undriven returns the value of a net without a driver.
	Undriven func(eda.Bit) *ir.Expr

	from map[eda.Bit]source
	outs map[Output]*ir.Expr
	open []Output // outputs being converted
}

// Output is the output of a cell, or of a read port of a memory.
type Output struct {
	Cell *eda.Cell
	Port int
}

// source is the source of a net: a bit of a value, or of an output that has not been converted yet.
type source struct {
	value *ir.Expr
	Output
	index int
}

// Problem is the reason why a netlist cannot be converted, and the cell that causes it, if known.
type Problem struct {
	Text string
	Cell *eda.Cell
}

func (p *Problem) Error() string { return p.Text }

// Fail panics with a Problem.
func Fail(c *eda.Cell, format string, args ...any) { panic(&Problem{fmt.Sprintf(format, args...), c}) }

// Catch stores the Problem of a panic in err. It must be deferred.
func Catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case *Problem:
		*err = p
	default:
		panic(p)
	}
}

// NewValues returns the values of nets that outputs of cells of m drive. It ignores outputs of the
// cells that skip selects.
func NewValues(m *eda.Module, skip func(*eda.Cell) bool) *Values {
	v := &Values{from: map[eda.Bit]source{}, outs: map[Output]*ir.Expr{}}
	for _, name := range eda.Sorted(m.Cells) {
		c := m.Cells[name]
		if skip(c) {
			continue
		}
		for pin, bits := range c.Pins {
			if c.Directions[pin] != "output" {
				continue
			}
			width := len(bits)
			if c.Type == "$mem_v2" {
				width = c.Number("WIDTH")
			}
			for i, b := range bits {
				v.drive(c, b, source{Output: Output{c, i / width}, index: i % width})
			}
		}
	}
	return v
}

// Bind makes e the value of nets that c drives, or an input port if c is nil.
func (v *Values) Bind(c *eda.Cell, bits []eda.Bit, e *ir.Expr) {
	for i, b := range bits {
		v.drive(c, b, source{value: e, index: i})
	}
}

func (v *Values) drive(c *eda.Cell, b eda.Bit, s source) {
	if _, ok := v.from[b]; ok {
		Fail(c, "a net with several drivers, one of them cell %s", c.Name)
	}
	v.from[b] = s
}

// Driven reports whether a net has a driver.
func (v *Values) Driven(b eda.Bit) bool {
	_, ok := v.from[b]
	return ok
}

// Word returns the value of nets, least significant first.
func (v *Values) Word(bits []eda.Bit) *ir.Expr {
	var parts []*ir.Expr // least significant first
	for len(bits) > 0 {
		n := 1
		if bits[0] <= eda.One {
			for n < len(bits) && bits[n] <= eda.One {
				n++
			}
			parts = append(parts, Literal(bits[:n]))
		} else {
			var e *ir.Expr
			e, n = v.run(bits)
			parts = append(parts, e)
		}
		bits = bits[n:]
	}
	slices.Reverse(parts)
	return concat(parts)
}

// run returns the value of the longest prefix of bits that are consecutive bits of one value, and
// its length.
func (v *Values) run(bits []eda.Bit) (*ir.Expr, int) {
	first := v.source(bits[0])
	n := 1
	for n < len(bits) && bits[n] > eda.One {
		next := v.source(bits[n])
		if next.value != first.value || next.index != first.index+n {
			break
		}
		n++
	}
	return slice(first.value, first.index, n), n
}

// source returns the source of a net with its value.
func (v *Values) source(b eda.Bit) source {
	s, ok := v.from[b]
	switch {
	case !ok:
		s = source{value: v.Undriven(b)}
		v.from[b] = s
	case s.Cell != nil:
		s.value = v.describe(s.Output)
	}
	return s
}

// describe returns the value of an output.
func (v *Values) describe(o Output) *ir.Expr {
	if e := v.outs[o]; e != nil {
		return e
	}
	if i := slices.Index(v.open, o); i >= 0 {
		var names []string
		for _, x := range v.open[i:] {
			names = append(names, x.Cell.Name)
		}
		Fail(o.Cell, "a loop through %s", strings.Join(names, ", "))
	}
	v.open = append(v.open, o)
	e := v.Output(o)
	v.open = v.open[:len(v.open)-1]
	v.outs[o] = e
	return e
}
