package drivers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
)

// lower parses a module with the declarations and statements of text and returns its lowered form.
func lower(t *testing.T, text string) (*drivers.Scope, []ir.Problem) {
	head := "module m "
	if strings.Contains(text, "reg ") || strings.Contains(text, "mem ") {
		head += "clock "
	}
	d, err := ir.Parse("test", head+text)
	require.NoError(t, err)
	l, problems := drivers.Lower(d)
	return l.Modules[d.Top].Scopes[d.Top.Body], problems
}

// show formats an expression.
func show(e *ir.Expr) string {
	switch e.Op {
	case ir.Const:
		return ir.ConstText(e.Type.Width, e.Val)
	case ir.Ref:
		return e.Sig.Name
	case ir.LoopConst:
		return e.Index.String()
	case ir.ElemAt:
		return show(e.Args[0]) + "[" + e.Index.String() + "]"
	}
	if e.Op == ir.Slice {
		return fmt.Sprintf("%s[%d:%d]", show(e.Args[0]), e.Lo+e.Type.Width-1, e.Lo)
	}
	s := e.Op.String() + "("
	for i, a := range e.Args {
		if i > 0 {
			s += ", "
		}
		s += show(a)
	}
	return s + ")"
}

func TestLower(t *testing.T) {
	const ports = "{ input c : 1 input d : 1 input s : 2 input x : 4 input y : 4 output q : 4\n"
	const regs = "{ input c : 1 input d : 1 input s : 2 input x : 4 input y : 4 reg q : 4\n"
	const vec = "{ input c : 1 input s : 2 input x : 4 reg q : 3x4\n"
	for _, c := range []struct{ name, text, want string }{
		{"last wins", ports + "q = x q = y }", "q = y"},
		{"when", ports + "q = x when c { q = y } }", "q = mux(c, y, x)"},
		{"else", ports + "when c { q = y } else { q = x } }", "q = mux(c, y, x)"},
		{"chain", ports + "q = 4'd0 when c { q = y } else when d { q = x } }", "q = mux(c, y, mux(d, x, 4'd0))"},
		{"nested", ports + "q = x when c { when d { q = y } } }", "q = mux(c, mux(d, y, x), x)"},
		{"register holds", regs + "when c { q = x } }", "q = mux(c, x, q)"},
		{"equal values", regs + "when c { when d { q = x } q = y } else { q = q } }", "q = mux(c, y, q)"},
		{"equal signals", ports + "when c { q = x } else { q = x } }", "q = x"},
		{"equal constants", ports + "when c { q = 4'd3 } else { q = 4'd3 } }", "q = 4'd3"},
		{"equal elements", "{ input c : 1 input v : 2x4 output q : 4 when c { q = v[1] } else { q = v[1] } }", "q = v[1]"},
		{"different elements", "{ input c : 1 input v : 2x4 output q : 4 when c { q = v[1] } else { q = v[0] } }", "q = mux(c, v[1], v[0])"},
		{"hold in both", regs + "when c { when 1'd0 { q = x } } }", "q = q"},
		{"always", ports + "when 1'd1 { q = x } else { q = y } }", "q = x"},
		{"never", ports + "q = y when 1'd0 { q = x } }", "q = y"},
		{"never, a register", regs + "when 1'd0 { q = x } }", "q = q"},
		{"switch", ports + "q = 4'd0 switch s { case 2'd1 { q = x } case 2'd2, 2'd3 { q = y } } }",
			"q = mux(eq(s, 2'd1), x, mux(or(eq(s, 2'd2), eq(s, 2'd3)), y, 4'd0))"},
		{"default", ports + "switch s { case 2'd1 { q = x } default { q = y } } }", "q = mux(eq(s, 2'd1), x, y)"},
		{"complete", ports + "switch s { case 2'd0, 2'd3 { q = x } case 2'd1 { q = y } case 2'd2 { q = 4'd2 } } }",
			"q = mux(or(eq(s, 2'd0), eq(s, 2'd3)), x, mux(eq(s, 2'd1), y, 4'd2))"},
		{"complete but not assigned", regs + "switch s { case 2'd0, 2'd3 { q = x } case 2'd1 { } case 2'd2 { q = y } } }",
			"q = mux(or(eq(s, 2'd0), eq(s, 2'd3)), x, mux(eq(s, 2'd2), y, q))"},
		{"default overridden", regs + "switch s { case 2'd0 { q = x } case 2'd1 { } default { q = y } } }",
			"q = mux(eq(s, 2'd0), x, mux(not(or(eq(s, 2'd0), eq(s, 2'd1))), y, q))"},
		{"constant switch", ports + "switch 2'd1 { case 2'd0 { q = x } case 2'd1 { q = y } } }", "q = y"},
		{"constant switch, default", ports + "switch 2'd2 { case 2'd0 { q = x } default { q = y } } }", "q = y"},
		{"elements", vec + "q[0] = x when c { q[1] = x } q[2] = q[0] }", "q[0] = x; q[1] = mux(c, x, q[1]); q[2] = q[0]"},
		{"dynamic element", vec + "when c { q[s] = x } }", "q = mux(c, update(q, s, x), q)"},
		{"elements after all", vec + "q = vec(x, x, x) q[2] = 4'd1 }", "q = update(vec(x, x, x), 2, 4'd1)"},
		{"bits", ports + "q[3:2] = s q[1:0] = x[3:2] }", "q = concat(s, x[3:2])"},
		{"bits, the last first", ports + "q[1:0] = s q[3:2] = x[3:2] }", "q = concat(x[3:2], s)"},
		{"bits that overlap", ports + "q[2:0] = x[2:0] when c { q[3:1] = y[2:0] } else { q[3:3] = d } }",
			"q = concat(mux(c, y[2:0][2:2], d), mux(c, y[2:0][1:0], x[2:0][2:1]), x[2:0][0:0])"},
		{"bits of a register", regs + "when c { q[2:1] = s } q[0:0] = d when d { q = x } }",
			"q = concat(mux(d, x[3:3], q[3:3]), mux(d, x[2:1], mux(c, s, q[2:1])), mux(d, x[0:0], d))"},
		{"bits of an element", vec + "q[0] = x q[1][3:2] = s q[1][1:0] = s q[2] = x }", "q[0] = x; q[1] = concat(s, s); q[2] = x"},
		{"bits of a dynamic element", vec + "q[s][1:0] = s }", "q = update(q, s, concat(elem(q, s)[3:2], s))"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, problems := lower(t, c.text)
			require.Empty(t, problems)
			got := ""
			for _, d := range s.Drives {
				if got != "" {
					got += "; "
				}
				got += d.LHS.Sig.Name
				if d.LHS.Part {
					got += "[" + d.LHS.Index.String() + "]"
				}
				got += " = " + show(d.Value)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestLowerEffects(t *testing.T) {
	s, problems := lower(t, `reset { input c : 1 input d : 1 input s : 2 input x : 4 mem m1 : 4x4
		m1[s] = x
		when c { m1[s] = 4'd1 } else when d { assert c "never" }
		switch s { case 2'd0 { m1[s] = 4'd2 } case 2'd1 { } default { assert d "rest" } }
		when not(c) { } else { m1[s] = 4'd3 }
	}`)
	require.Empty(t, problems)
	var writes, checks []string
	for _, w := range s.Writes {
		writes = append(writes, show(w.Enable)+": "+show(w.Data))
	}
	for _, c := range s.Checks {
		checks = append(checks, show(c.Enable)+": "+show(c.Cond))
	}
	require.Equal(t, []string{"1'd1: x", "c: 4'd1", "eq(s, 2'd0): 4'd2", "c: 4'd3"}, writes)
	require.Equal(t, []string{"and(not(c), d): c", "not(or(eq(s, 2'd0), eq(s, 2'd1))): d"}, checks)
}

// TestLowerIsProportional: the cost of lowering depends on the assignments in branches, not on the
// assignments before them.
func TestLowerIsProportional(t *testing.T) {
	cost := func(text string) (nodes int) {
		d, err := ir.Parse("test", text)
		require.NoError(t, err)
		l, problems := drivers.Lower(d)
		require.Empty(t, problems)
		seen := map[*ir.Expr]bool{}
		for _, d := range l.Modules[d.Top].Scopes[d.Top.Body].Drives {
			ir.WalkExpr(d.Value, seen, func(*ir.Expr) { nodes++ })
		}
		return nodes + int(testing.AllocsPerRun(1, func() { drivers.Lower(d) }))
	}
	declare := func(n int) string {
		s := "module m clock { input c : 1 input s : 12 input x : 4\n"
		for i := range n {
			s += fmt.Sprintf("reg r%d : 4\n", i)
		}
		return s
	}
	shapes := map[string]func(n int) string{
		"a when for each register": func(n int) string {
			s := declare(n)
			for i := range n {
				s += fmt.Sprintf("when c { r%d = x }\n", i)
			}
			return s + "}"
		},
		"a case for each register": func(n int) string {
			s := declare(n) + "switch s {\n"
			for i := range n {
				s += fmt.Sprintf("case 12'd%d { r%d = x }\n", i, i)
			}
			return s + "} }"
		},
	}
	for name, shape := range shapes {
		require.Less(t, cost(shape(800)), 5*cost(shape(400))/2, name)
	}
}

func TestProblems(t *testing.T) {
	const in = "{ input c : 1 input s : 2 input x : 4 "
	for _, c := range []struct{ text, want string }{
		{"wire w : 4 }", `driver: wire "w" has no driver`},
		{"reg r : 2x4 r[1] = x }", `driver: reg "r" element 0 has no driver`},
		{"wire w : 2x4 w[0] = x for l 2 { w[l] = x } }", `driver: wire "w" element 0 has two drivers, the other at ?`},
		{"wire w : 4 for l 2 { w = x } }", `driver: wire "w" has a driver in several iterations of a loop`},
		{"wire w : 2x4 w = vec(x, x) for l 1 { for k 2 { w[l+k] = x } } }", `driver: wire "w" element 0 has two drivers, the other at ?`},
		{"for l 3 { wire w : 2x4 w[0] = x for k 1 { w[k] = x } } }", `driver: wire "w" element 0 has two drivers, the other at ?`},
		{"for l 2 { wire w : 2x4 w[l] = x } }", `driver: wire "w" element 1 has no driver`},
		{"wire w : 4 when c { w = x } }", `latch: "w" has no value on some path through here; set a default before`},
		{"wire w : 4 when c { w = x } else { when x[0] { w = x } } }", `latch: "w" has no value on some path through here; set a default before`},
		{"wire w : 4 when c { } else { w = x } }", `latch: "w" has no value on some path through here; set a default before`},
		{"wire w : 4 switch s { case 2'd0 { w = x } default { } } }", `latch: "w" has no value on some path through here; set a default before`},
		{"wire w : 4 switch s { case 2'd0 { } default { w = x } } }", `latch: "w" has no value on some path through here; set a default before`},
		{"wire w : 4 w[3:1] = 3'd0 }", `driver: wire "w" has no driver for bit 0`},
		{"wire w : 4 w[3:1] = 3'd0 for l 1 { w[2:0] = 3'd0 } }", `driver: wire "w" has two drivers for bits 2 to 1, the other at ?`},
		{"wire w : 4 w[3:1] = 3'd0 for l 1 { w[0:0] = c } }", `driver: wire "w" has drivers of its bits in several loops; use a vector`},
		{"wire w : 2x4 w[0] = x w[1][2:0] = 3'd0 }", `driver: wire "w" element 1 has no driver for bit 3`},
		{"wire w : 4 w[1:0] = s when c { w[3:2] = s } }", `latch: "w" has no value for bits 3 to 2 on some path through here; set a default before`},
		{"wire w : 2x4 w[c] = x w[c] = x }", `latch: an element of "w" is assigned before the other elements have a value; set all of it first`},
	} {
		_, problems := lower(t, in+c.text)
		require.Len(t, problems, 1, c.text)
		require.Equal(t, c.want, problems[0].ID+": "+problems[0].Text, c.text)
		require.Equal(t, "m", problems[0].Module)
	}
}
