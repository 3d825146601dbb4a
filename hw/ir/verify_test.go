package ir_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// parts are the objects of sample that the tests below corrupt.
type parts struct {
	d         *ir.Design
	leaf, top *ir.Module
	body      *ir.Scope // of top
	lane      *ir.For
	inst      *ir.Instance
	signal    map[string]*ir.Signal
}

func sampleParts(t *testing.T) *parts {
	d, err := ir.Parse("sample.ir", sample)
	require.NoError(t, err)
	p := &parts{d: d, leaf: d.Modules[0], top: d.Top, body: d.Top.Body, signal: map[string]*ir.Signal{}}
	p.lane = p.body.Fors[0]
	p.inst = p.lane.Body.Insts[0]
	for _, m := range d.Modules {
		m.Body.Walk(func(s *ir.Scope) {
			for _, g := range s.Signals {
				p.signal[g.Name] = g
			}
		})
	}
	return p
}

// assign returns the assignment to the signal with the given name.
func (p *parts) assign(name string) *ir.Assign {
	var out *ir.Assign
	for _, m := range p.d.Modules {
		m.Body.Walk(func(s *ir.Scope) {
			ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
				if a, ok := st.(*ir.Assign); ok && a.LHS.Sig.Name == name && out == nil {
					out = a
				}
			})
		})
	}
	return out
}

func (p *parts) ref(name string) *ir.Expr {
	return &ir.Expr{Op: ir.Ref, Type: p.signal[name].Type, Sig: p.signal[name]}
}

func (p *parts) memWrite() *ir.MemWrite {
	for _, s := range p.body.Stmts {
		if w, ok := s.(*ir.MemWrite); ok {
			return w
		}
	}
	return nil
}

func (p *parts) choose() *ir.Switch { return p.leaf.Body.Stmts[4].(*ir.Switch) }

func (p *parts) when() *ir.When { return p.body.Stmts[len(p.body.Stmts)-1].(*ir.When) }

func TestVerifyRejects(t *testing.T) {
	for _, c := range []struct {
		name    string
		corrupt func(*parts)
		want    string
	}{
		{"no modules", func(p *parts) { p.d.Modules = nil }, "without modules"},
		{"nil module", func(p *parts) { p.d.Modules[0] = nil }, "a module is nil"},
		{"top", func(p *parts) { p.d.Top = p.leaf }, "the last module is not the top"},
		{"module order", func(p *parts) { p.d.Modules[0], p.d.Modules[1] = p.top, p.leaf }, "is not declared before it"},
		{"module names", func(p *parts) { p.leaf.Name = "top" }, "two modules have this name"},
		{"module keyword", func(p *parts) { p.leaf.Name = "module" }, "not a legal name of a module"},
		{"no body", func(p *parts) { p.leaf.Body = nil }, "the body is missing"},
		{"body nests", func(p *parts) { p.leaf.Body.Parent = p.body }, "the body is missing or belongs to another scope"},
		{"clock", func(p *parts) { p.leaf.Clock = false }, "clock false and reset true, expected true and true"},
		{"reset", func(p *parts) { p.leaf.Reset = false }, "clock true and reset false, expected true and true"},

		{"probe", func(p *parts) { p.d.Probes[0].Clock = true }, "leaf_w16: clock true and reset false, expected false and false"},
		{"name of a probe", func(p *parts) { p.d.Probes[0].Name = "top" }, "two modules have this name"},
		{"name of a generic", func(p *parts) { p.leaf.Generic.Name = "top" }, `generic "top": not a legal name, or the name of another module`},
		{"name of a parameter", func(p *parts) { p.leaf.Generic.Param = "a b" }, `generic "leaf": parameter "a b": not a legal name`},
		{"two parameters", func(p *parts) { p.leaf.Generic.Param = "DEPTH" }, `generic "leaf": modules differ in more than a value of DEPTH`},
		{"other parameters", func(p *parts) { p.leaf.Parameters[0].Value = "3" }, `generic "leaf": modules differ in more than a value of WIDTH`},
		{"value twice", func(p *parts) { p.leaf.Generic.Value = 16 }, `generic "leaf": two modules for WIDTH = 16`},

		{"name", func(p *parts) { p.signal["row"].Name = "Row" }, `reg "Row": not a legal name`},
		{"keyword", func(p *parts) { p.signal["row"].Name = "wire" }, `reg "wire": not a legal name`},
		{"clk", func(p *parts) { p.signal["row"].Name = "clk" }, `reg "clk": not a legal name`},
		{"duplicate", func(p *parts) { p.signal["row"].Name = "scaled" }, `wire "scaled": the name is taken`},
		{"duplicate of a loop", func(p *parts) { p.lane.Name = "row" }, `the name is taken`},

		{"scope of a signal", func(p *parts) { p.signal["row"].Scope = p.lane.Body }, `"row" is recorded in another scope`},
		{"scope of a memory", func(p *parts) { p.body.Mems[0].Scope = p.lane.Body }, `memory "words" is recorded in another scope`},
		{"scope of a module", func(p *parts) { p.lane.Body.Module = p.leaf }, "a scope belongs to another module"},
		{"loop body", func(p *parts) { p.lane.Body.Parent = nil }, `the body of loop "lane" does not nest`},
		{"loop count", func(p *parts) { p.lane.N = 0 }, `loop "lane" has 0 iterations`},
		{"width", func(p *parts) { p.signal["row"].Type.Width = 0 }, `"row": 0 bits`},
		{"length", func(p *parts) { p.signal["v"].Type.Len = -1 }, `"v": 8 bits, -1 elements`},
		{"depth", func(p *parts) { p.body.Mems[0].Depth = 0 }, `memory "words" has depth 0`},
		{"contents", func(p *parts) { p.body.Mems[0].Init = []uint64{1} }, `the contents of memory "words" are not 13 words of 8 bits`},
		{"word of contents", func(p *parts) { p.body.Mems[0].Init = append(make([]uint64, 12), 256) }, `the contents of memory "words" are not 13 words of 8 bits`},
		{"style", func(p *parts) { p.body.Mems[0].Style = "magic" }, `memory "words" has style "magic"`},

		{"reset value without reset", func(p *parts) { p.signal["row"].Init = []uint64{0} }, `"row" has a reset value but no reset`},
		{"reset of a wire", func(p *parts) { p.signal["scaled"].HasReset = true }, `wire "scaled" has a reset`},
		{"reset value too wide", func(p *parts) { p.signal["sum"].Init = []uint64{256} }, `the reset value of "sum" is not a constant of 8 bits`},
		{"reset value too short", func(p *parts) { p.signal["wide"].Init = []uint64{0} }, `the reset value of "wide" is not a constant of 100 bits`},
		{"enum of another module", func(p *parts) { p.signal["row"].Enum = p.leaf.Enums[0] }, `"row" has 8 bits and is of enum state, which the module lacks or has other bits`},
		{"enum of other bits", func(p *parts) { p.signal["sum"].Enum = p.leaf.Enums[0] }, `"sum" has 8 bits and is of enum state, which the module lacks or has other bits`},
		{"no enum", func(p *parts) { p.leaf.Enums = []*ir.Enum{nil} }, "an enum is nil"},
		{"two enums", func(p *parts) { p.leaf.Enums = append(p.leaf.Enums, &ir.Enum{Name: "state", Width: 2}) }, "two enums state"},
		{"name of an enum", func(p *parts) { p.leaf.Enums[0].Name = "State" }, `enum "State" of 2 bits: not a legal name, or more than 64 bits`},
		{"width of an enum", func(p *parts) { p.leaf.Enums[0].Width = 65 }, `enum "state" of 65 bits: not a legal name, or more than 64 bits`},
		{"name of a value", func(p *parts) { p.leaf.Enums[0].Values[1].Name = "idle" }, `enum state: "idle": not a legal name, or there twice`},
		{"order of values", func(p *parts) { p.leaf.Enums[0].Values[1].Value = 0 }, `enum state: "busy" is not in the order of values`},
		{"value too big", func(p *parts) { p.leaf.Enums[0].Values[2].Value = 4 }, `enum state: "done" is 4, which has no 2 bits`},
		{"constant with two values", func(p *parts) { p.leaf.Enums[0].Values[2].Value = 3 }, "constant STATE_DONE is 2 here and 3 elsewhere"},

		{"port list", func(p *parts) { p.top.Ports = p.top.Ports[1:] }, `port "x" is not in its place`},
		{"port list too long", func(p *parts) { p.top.Ports = append(p.top.Ports, p.signal["row"]) }, "the port list has 6 entries, the body 5 ports"},
		{"port in a loop", func(p *parts) { p.signal["scaled"].Kind = ir.Input }, `port "scaled" is declared in a loop`},
		{"pins", func(p *parts) { p.inst.Pins = p.inst.Pins[1:] }, `instance "leaf" has 2 pins for 3 ports`},
		{"pin order", func(p *parts) { p.inst.Pins[0], p.inst.Pins[1] = p.inst.Pins[1], p.inst.Pins[0] }, `the pin of instance "leaf" for port "a" does not fit`},
		{"pin type", func(p *parts) { p.inst.Pins[0].Type.Width = 9 }, `the pin of instance "leaf" for port "a" does not fit`},
		{"pin kind", func(p *parts) { p.inst.Pins[0].Kind = ir.Reg }, `pin "leaf_a" is a reg`},
		{"reset pin type", func(p *parts) { p.inst.Reset.Type.Width = 2 }, `the pin of instance "leaf" for port "rst" does not fit`},
		{"reset pin of nothing", func(p *parts) { p.inst.Reset = nil }, `"leaf_rst" is not the pin that its instance has`},
		{"reset of what has none", func(p *parts) { p.leaf.Reset = false }, `instance "leaf" has a reset, module leaf_w8 has none`},
		{"pin without instance", func(p *parts) { p.signal["scaled"].Pin = p.inst.Pins[0].Pin }, `"scaled" is not the pin that its instance has`},
		{"pin elsewhere", func(p *parts) { p.lane.Body.Insts, p.body.Insts = nil, p.lane.Body.Insts }, "4 pins are not signals of the scope of their instance"},
		{"instance of a later module", func(p *parts) { p.inst.Of = p.top }, `instance "leaf" is of a module that is not declared before it`},

		{"nil signal", func(p *parts) { p.lane.Body.Signals[0] = nil }, "a scope declares nil"},
		{"nil case", func(p *parts) { p.choose().Cases[0] = nil }, "a case is nil"},
		{"nil statement", func(p *parts) { p.body.Stmts[0] = nil }, "<nil> is not a statement"},
		{"assignment to nothing", func(p *parts) { p.assign("row").LHS.Sig = nil }, "a signal that the module does not declare"},
		{"assignment to another module", func(p *parts) { p.assign("row").LHS.Sig = p.signal["sum"] }, "a signal that the module does not declare"},
		{"assignment to an input", func(p *parts) { p.assign("row").LHS.Sig = p.signal["x"] }, `"x" is assigned but driven from outside`},
		{"assignment to an output pin", func(p *parts) { p.assign("scaled").LHS.Sig = p.signal["leaf_q"] }, `"leaf_q" is assigned but driven from outside`},
		{"assignment from outside a loop", func(p *parts) { p.assign("row").LHS.Sig = p.signal["scaled"] }, `"scaled" is assigned outside the scope`},
		{"element of a scalar", func(p *parts) { p.assign("row").LHS.Part = true }, `an element of "row" is assigned, which has 8 bits`},
		{"element and index", func(p *parts) { p.assign("ready").LHS.Dyn = p.ref("sel") }, `an element of "ready" is assigned`},
		{"element out of range", func(p *parts) { p.assign("ready").LHS.Index.Const = 1 }, `element of "ready": 1 to 4 is beyond 0 to 3`},
		{"loop variable outside", func(p *parts) { p.assign("part").LHS.Index = p.assign("ready").LHS.Index }, "a loop variable outside its loop"},
		{"width of an index", func(p *parts) { p.assign("rows").LHS.Dyn = p.ref("x") }, "the index has 8 bits, expected 2"},
		{"width of a value", func(p *parts) { p.assign("row").RHS = p.ref("sel") }, "the value of row has 2 bits, expected 8"},
		{"nil value", func(p *parts) { p.assign("row").RHS = nil }, "an expression is nil"},
		{"condition", func(p *parts) { p.when().Cond = p.ref("x") }, "the condition has 8 bits, expected 1"},
		{"assertion", func(p *parts) { p.body.Stmts[0] = &ir.Assert{Cond: p.ref("x")} }, "the assertion has 8 bits, expected 1"},
		{"switch of a vector", func(p *parts) {
			p.choose().Of = &ir.Expr{Op: ir.Unpack, Type: ir.Type{Width: 1, Len: 8}, Args: []*ir.Expr{p.ref("sum")}}
		}, "the value of a switch has 8x1 bits, expected 1"},
		{"nil switch", func(p *parts) { p.choose().Of = nil }, "the value of a switch is not sound"},
		{"case without value", func(p *parts) { p.choose().Cases[0].Values = nil }, "a case without a value; expected at least one"},
		{"case not constant", func(p *parts) { p.choose().Cases[0].Values[0] = p.ref("state") }, "the value of a case is not constant"},
		{"case width", func(p *parts) { p.choose().Cases[0].Values[0].Type.Width = 3 }, "the value of a case has 3 bits, expected 2"},
		{"cases overlap", func(p *parts) { p.choose().Cases[0].Values[0].Val[0] = 1 }, "2'd1 is a value of two cases"},
		{"address", func(p *parts) { p.memWrite().Addr = p.ref("x") }, "the address of words has 8 bits, expected 4"},
		{"data", func(p *parts) { p.memWrite().Data = p.ref("sel") }, "the data of words has 2 bits, expected 8"},
		{"mask", func(p *parts) { p.memWrite().Mask = &ir.Expr{Type: ir.Type{Width: 3}, Val: []uint64{0}} }, `a mask of 3 bits for the 8 of a word of "words"`},
		{"memory elsewhere", func(p *parts) { p.lane.Body.Stmts = append(p.lane.Body.Stmts, p.memWrite()) }, "a memory is written outside the scope"},
		{"nil memory", func(p *parts) { p.memWrite().Mem = nil }, "a memory is written outside the scope"},

		{"cycle", func(p *parts) { e := p.assign("sum").RHS; e.Args[0] = e }, "add is an operand of itself"},
		{"nil operand", func(p *parts) { p.assign("sum").RHS.Args[0] = nil }, "an expression is nil"},
		{"signal of another module", func(p *parts) { p.assign("row").RHS = p.ref("sum") }, "ref of something that the module does not declare"},
		{"memory of another module", func(p *parts) { p.assign("row").RHS.Mem = &ir.Mem{Depth: 16, Width: 8} }, "memread of something that the module does not declare"},
		{"value of a loop", func(p *parts) { p.assign("row").RHS = p.ref("scaled") }, "the value of row depends on a loop"},
		{"values of two loops", func(p *parts) {
			l := &ir.For{Name: "other", N: 4}
			l.Body = &ir.Scope{Module: p.top, Parent: p.body, Loop: l}
			p.body.Fors = append(p.body.Fors, l)
			v := &ir.Expr{Op: ir.LoopConst, Type: ir.Type{Width: 8}, Index: ir.Affine{Terms: []ir.Term{{Loop: l, Mul: 1}}}}
			p.assign("scaled").RHS.Args[0] = v
		}, "the operands of mul are of two loops"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := sampleParts(t)
			c.corrupt(p)
			require.ErrorContains(t, ir.Verify(p.d), c.want)
		})
	}
}

// TestVerifyTypes: every operator rejects operands and results of other types.
func TestVerifyTypes(t *testing.T) {
	b := func(w int) ir.Type { return ir.Type{Width: w} }
	v := func(n, w int) ir.Type { return ir.Type{Width: w, Len: n} }
	type op struct {
		op   ir.Op
		t    ir.Type
		args []ir.Type
	}
	args := func(ts ...ir.Type) []ir.Type { return ts }
	check := func(o op) error {
		m := &ir.Module{Name: "m"}
		m.Body = &ir.Scope{Module: m}
		e := &ir.Expr{Op: o.op, Type: o.t}
		for i, a := range o.args {
			g := &ir.Signal{Name: "in" + string(rune('0'+i)), Type: a, Scope: m.Body}
			m.Ports = append(m.Ports, g)
			e.Args = append(e.Args, &ir.Expr{Op: ir.Ref, Type: a, Sig: g})
		}
		out := &ir.Signal{Name: "out", Kind: ir.Output, Type: o.t, Scope: m.Body}
		m.Ports = append(m.Ports, out)
		m.Body.Signals = m.Ports
		m.Body.Stmts = []ir.Stmt{&ir.Assign{LHS: ir.LValue{Sig: out}, RHS: e}}
		return ir.Verify(&ir.Design{Top: m, Modules: []*ir.Module{m}})
	}
	sound := []op{
		{ir.Not, b(8), args(b(8))}, {ir.Lowest, b(8), args(b(8))},
		{ir.RedAnd, b(1), args(b(8))}, {ir.RedXor, b(1), args(b(8))},
		{ir.Add, b(8), args(b(8), b(8))}, {ir.Sub, b(8), args(b(8), b(8))}, {ir.Mul, b(8), args(b(8), b(8))},
		{ir.DivU, b(8), args(b(8), b(8))}, {ir.ModU, b(8), args(b(8), b(8))},
		{ir.And, b(8), args(b(8), b(8))}, {ir.Or, v(3, 8), args(v(3, 8), v(3, 8))}, {ir.Xor, v(3, 8), args(v(3, 8), v(3, 8))},
		{ir.Eq, b(1), args(b(8), b(8))}, {ir.Ne, b(1), args(b(8), b(8))}, {ir.LtU, b(1), args(b(8), b(8))},
		{ir.LeU, b(1), args(b(8), b(8))}, {ir.LtS, b(1), args(b(8), b(8))},
		{ir.Shl, b(8), args(b(8), b(3))}, {ir.ShrU, b(8), args(b(8), b(9))}, {ir.ShrS, b(8), args(b(8), b(1))},
		{ir.Mux, b(8), args(b(1), b(8), b(8))}, {ir.Mux, v(3, 8), args(b(1), v(3, 8), v(3, 8))},
		{ir.Slice, b(3), args(b(8))}, {ir.Concat, b(11), args(b(8), b(3))}, {ir.ZExt, b(9), args(b(8))}, {ir.SExt, b(8), args(b(8))},
		{ir.VecOf, v(2, 8), args(b(8), b(8))}, {ir.Pack, b(24), args(v(3, 8))}, {ir.Unpack, v(3, 8), args(b(24))},
		{ir.ElemAt, b(8), args(v(3, 8))}, {ir.Elem, b(8), args(v(3, 8), b(2))}, {ir.Elem, b(8), args(v(1, 8), b(1))},
		{ir.Update, v(3, 8), args(v(3, 8), b(2), b(8))}, {ir.EqLanes, b(3), args(v(3, 8), b(8))},
		{ir.Select, b(8), args(b(3), v(3, 8))}, {ir.Encode, b(2), args(b(3))},
		{ir.PopCount, b(2), args(b(3))}, {ir.Route, v(5, 3), args(b(3), v(3, 8))},
	}
	for _, o := range sound {
		require.NoError(t, check(o), o.op)
		short, long := o, o
		short.args, long.args = o.args[1:], append(args(o.args[0]), o.args...)
		require.ErrorContains(t, check(short), o.op.String(), "an operand less")
		if o.op != ir.Concat && o.op != ir.VecOf {
			require.ErrorContains(t, check(long), o.op.String(), "an operand more")
		}
		if o.op != ir.Route {
			vector := o
			vector.t.Len += 4
			require.ErrorContains(t, check(vector), o.op.String(), "another length of the result")
		}
		if o.op != ir.Slice && o.op != ir.ZExt && o.op != ir.SExt {
			wide := o
			wide.t.Width += 30
			require.ErrorContains(t, check(wide), o.op.String(), "another width of the result")
		}
		for i := range o.args {
			scalar := o
			scalar.args = append(args(), o.args...)
			if scalar.args[i].Len = 0; !o.args[i].IsVec() {
				scalar.args[i].Len = 7
			}
			require.ErrorContains(t, check(scalar), o.op.String(), "a vector for a scalar or reverse, operand %d", i)
		}
	}
	for _, o := range []op{
		{ir.Slice, b(9), args(b(8))}, {ir.ZExt, b(7), args(b(8))}, {ir.SExt, b(7), args(b(8))},
		{ir.Add, b(8), args(b(8), b(7))}, {ir.Eq, b(1), args(b(8), b(7))}, {ir.Mux, b(8), args(b(2), b(8), b(8))},
		{ir.Mux, b(8), args(b(1), b(8), b(7))}, {ir.Elem, b(8), args(v(3, 8), b(3))}, {ir.Update, v(3, 8), args(v(3, 8), b(2), b(7))},
		{ir.EqLanes, b(3), args(v(3, 8), b(7))}, {ir.Select, b(8), args(b(4), v(3, 8))}, {ir.Route, v(5, 3), args(b(4), v(3, 8))},
		{ir.VecOf, v(2, 8), args(b(8), b(7))}, {ir.Op(200), b(1), nil},
	} {
		require.Error(t, check(o), o.op)
	}
}

func TestVerifyLeaves(t *testing.T) {
	for _, c := range []struct {
		name string
		e    func(*parts) *ir.Expr
		want string
	}{
		{"name of a constant", func(*parts) *ir.Expr {
			return &ir.Expr{Op: ir.Const, Type: ir.Type{Width: 8}, Val: []uint64{0}, Label: "quiet"}
		}, `constant "quiet": not a legal name`},
		{"constant too big", func(*parts) *ir.Expr { return &ir.Expr{Op: ir.Const, Type: ir.Type{Width: 8}, Val: []uint64{256}} }, "const: [100] is not a value of 8 bits"},
		{"constant too long", func(*parts) *ir.Expr { return &ir.Expr{Op: ir.Const, Type: ir.Type{Width: 8}, Val: []uint64{1, 0}} }, "const: [1 0] is not a value of 8 bits"},
		{"constant vector", func(*parts) *ir.Expr {
			return &ir.Expr{Op: ir.Const, Type: ir.Type{Width: 8, Len: 2}, Val: []uint64{1}}
		}, "const of gives 2x8"},
		{"reference", func(p *parts) *ir.Expr { return &ir.Expr{Op: ir.Ref, Type: ir.Type{Width: 8}, Sig: p.signal["sel"]} }, "ref: no signal of 8 bits"},
		{"reference to nothing", func(*parts) *ir.Expr { return &ir.Expr{Op: ir.Ref, Type: ir.Type{Width: 8}} }, "ref: no signal of 8 bits"},
		{"no memory", func(p *parts) *ir.Expr {
			return &ir.Expr{Op: ir.MemRead, Type: ir.Type{Width: 8}, Args: []*ir.Expr{p.ref("sel")}}
		}, "memread: no memory"},
		{"slice", func(p *parts) *ir.Expr {
			return &ir.Expr{Op: ir.Slice, Type: ir.Type{Width: 8}, Lo: -1, Args: []*ir.Expr{p.ref("x")}}
		}, "slice of 8 gives 8"},
		{"index too big", func(p *parts) *ir.Expr {
			a := ir.Affine{Terms: []ir.Term{{Loop: p.lane, Mul: 100}}}
			return &ir.Expr{Op: ir.LoopConst, Type: ir.Type{Width: 8}, Index: a}
		}, "loop: 0 to 300 is beyond 0 to 255"},
		{"index without a loop", func(p *parts) *ir.Expr {
			return &ir.Expr{Op: ir.LoopConst, Type: ir.Type{Width: 8}, Index: ir.Affine{Terms: []ir.Term{{Mul: 1}}}}
		}, "loop: a term without a loop variable"},
		{"index with terms out of order", func(p *parts) *ir.Expr {
			inner := p.lane.Body.Fors[0]
			a := ir.Affine{Terms: []ir.Term{{Loop: inner, Mul: 1}, {Loop: p.lane, Mul: 1}}}
			return &ir.Expr{Op: ir.LoopConst, Type: ir.Type{Width: 8}, Index: a}
		}, "loop: the terms are not of nested loops, outermost first"},
	} {
		p := sampleParts(t)
		p.assign("row").RHS = c.e(p)
		require.ErrorContains(t, ir.Verify(p.d), c.want, c.name)
	}
}

// TestVerifyReportsAll: Verify reports all mistakes.
func TestVerifyReportsAll(t *testing.T) {
	p := sampleParts(t)
	p.assign("row").RHS = p.ref("sel")
	p.leaf.Clock = false
	p.signal["x"].Name = "X"
	require.EqualError(t, ir.Verify(p.d), "leaf_w8: clock false and reset true, expected true and true\n"+
		"top: input \"X\": not a legal name\n"+
		"top: the value of row has 2 bits, expected 8")
}
