package yosys

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// reader converts a module of Yosys to the IR. Internally, it reports a broken netlist by a panic
// of type problem.
type reader struct {
	m      *eda.Module
	gold   *eda.Module        // source of the names of registers
	states map[string]ir.Type // registers of the design
	out    *ir.Module
	from   map[eda.Bit]source // by net
	outs   map[output]*ir.Expr
	mems   map[*eda.Cell]*ir.Mem
	open   []output // outputs being converted
}

// source is the source of a net: a bit of a value, or of an output that has not been converted yet.
type source struct {
	value *ir.Expr
	output
	index int
}

// output is the output of a cell. A memory has one output per read port.
type output struct {
	cell *eda.Cell
	port int
}

// problem is the reason why a netlist cannot be read.
type problem string

func fail(format string, args ...any) { panic(problem(fmt.Sprintf(format, args...))) }

// read converts the netlist of top. The result has the ports of top; the reset, if there is one, is
// an additional last port.
func (r *reader) read(top *ir.Module) (d *ir.Design, err error) {
	r.from, r.outs, r.mems = map[eda.Bit]source{}, map[output]*ir.Expr{}, map[*eda.Cell]*ir.Mem{}
	r.out = &ir.Module{Name: top.Name, Own: top.Own}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case problem:
			d, err = nil, fmt.Errorf("yosys: %s: %s", top.Name, string(p))
		default:
			panic(p)
		}
	}()
	r.out.Body = &ir.Scope{Module: r.out}
	r.ports(top)
	r.drivers()
	r.state()
	for _, p := range r.out.Ports {
		if p.Kind == ir.Output {
			r.assign(p, unpacked(r.word(r.m.Ports[p.Name].Bits), p.Type))
		}
	}
	r.out.Clock, r.out.Reset = r.out.Clocking()
	return &ir.Design{Top: r.out, Modules: []*ir.Module{r.out}}, nil
}

// ports declares the ports of top.
func (r *reader) ports(top *ir.Module) {
	declare := func(p *ir.Signal) {
		s := &ir.Signal{Name: p.Name, Kind: p.Kind, Type: p.Type, Lens: p.Lens, Scope: r.out.Body}
		r.out.Ports, r.out.Body.Signals = append(r.out.Ports, s), append(r.out.Body.Signals, s)
		if p.Kind != ir.Input {
			return
		}
		for i, b := range r.m.Ports[p.Name].Bits {
			r.from[b] = source{value: packed(ref(s)), index: i}
		}
	}
	for _, p := range top.Ports {
		declare(p)
	}
	if top.Reset {
		declare(&ir.Signal{Name: top.Own.ResetName(), Kind: ir.Input, Type: ir.Type{Width: 1}})
	}
	for _, x := range top.Domains {
		r.out.Domains = append(r.out.Domains, &ir.Domain{Clock: r.out.Port(x.Clock.Name)})
	}
}

// drivers records which cell drives each net.
func (r *reader) drivers() {
	for _, name := range eda.Sorted(r.m.Cells) {
		c := r.m.Cells[name]
		for pin, bits := range c.Pins {
			if c.Directions[pin] != "output" {
				continue
			}
			for i, b := range bits {
				width := len(bits)
				if c.Type == "$mem_v2" {
					width = c.Number("WIDTH")
				}
				r.from[b] = source{output: output{c, i / width}, index: i % width}
			}
		}
	}
}

// word returns the value of nets, least significant first.
func (r *reader) word(bits []eda.Bit) *ir.Expr {
	var parts []*ir.Expr // least significant first
	for len(bits) > 0 {
		n := 1
		if bits[0] <= eda.One {
			for n < len(bits) && bits[n] <= eda.One {
				n++
			}
			parts = append(parts, literal(bits[:n]))
		} else {
			var e *ir.Expr
			e, n = r.run(bits)
			parts = append(parts, e)
		}
		bits = bits[n:]
	}
	slices.Reverse(parts)
	return concat(parts)
}

// run returns the value of the longest prefix of bits that are consecutive bits of one value, and
// its length.
func (r *reader) run(bits []eda.Bit) (*ir.Expr, int) {
	first := r.source(bits[0])
	n := 1
	for n < len(bits) && bits[n] > eda.One {
		next := r.source(bits[n])
		if next.value != first.value || next.index != first.index+n {
			break
		}
		n++
	}
	return slice(first.value, first.index, n), n
}

// source returns the source of a net with its value.
func (r *reader) source(b eda.Bit) source {
	s, ok := r.from[b]
	if !ok {
		fail("net %d has no driver", b)
	}
	if s.cell != nil {
		s.value = r.describe(s.output)
	}
	return s
}

// describe returns the value of an output of a cell without state.
func (r *reader) describe(o output) *ir.Expr {
	if e := r.outs[o]; e != nil {
		return e
	}
	if i := slices.Index(r.open, o); i >= 0 {
		var names []string
		for _, x := range r.open[i:] {
			names = append(names, x.cell.Name)
		}
		fail("a loop through %s", strings.Join(names, ", "))
	}
	r.open = append(r.open, o)
	e := r.operation(o)
	r.open = r.open[:len(r.open)-1]
	r.outs[o] = e
	return e
}

func (r *reader) assign(s *ir.Signal, value *ir.Expr) {
	r.out.Body.Stmts = append(r.out.Body.Stmts, &ir.Assign{LHS: ir.LValue{Sig: s}, RHS: value})
}
