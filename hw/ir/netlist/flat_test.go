package netlist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/hw/random"
)

func lower(t testing.TB, text string) *drivers.Design {
	d, err := ir.Parse("test", text)
	require.NoError(t, err)
	l, problems := drivers.Lower(d)
	require.Empty(t, problems)
	return l
}

func flatten(t testing.TB, text string) *netlist.Design {
	f, problems := netlist.Flatten(lower(t, text))
	require.Empty(t, problems)
	return f
}

// show formats the operation that computes n.
func show(f *netlist.Design, n netlist.Net) string {
	for _, p := range f.Ports {
		for k, m := range p.Nets {
			if m == n && p.Sig.Kind == ir.Input {
				return fmt.Sprintf("%s%s", p.Sig.Name, map[bool]string{true: fmt.Sprintf("[%d]", k)}[p.Sig.Type.IsVec()])
			}
		}
	}
	for _, c := range f.Consts {
		if c.Net == n {
			return ir.ConstText(int(f.Width[n]), c.Val)
		}
	}
	for _, r := range f.Regs {
		if r.Q == n {
			return r.Path
		}
	}
	for _, op := range f.Ops {
		if n < op.Out || n >= op.Out+netlist.Net(op.NOut) {
			continue
		}
		args := make([]string, len(op.Args))
		for i, a := range op.Args {
			args[i] = show(f, a)
		}
		s := fmt.Sprintf("%s(%s)", op.Code, strings.Join(args, ", "))
		if op.Code == ir.Slice {
			s += fmt.Sprintf("[%d+:%d]", op.Lo, f.Width[n])
		}
		if op.NOut > 1 {
			s += fmt.Sprintf(".%d", n-op.Out)
		}
		return s
	}
	return "?"
}

// last formats the operation for the last element of the last port.
func last(f *netlist.Design) string {
	nets := f.Ports[len(f.Ports)-1].Nets
	return show(f, nets[len(nets)-1])
}

func TestOperations(t *testing.T) {
	const in = "module m { input a : 8 input b : 8 input v : 3x8 input c : 1 input i : 2 "
	for _, c := range []struct{ text, want string }{
		{"output q : 8 q = add(a, v[1]) }", "add(a, v[1])"},
		{"output q : 8 q = v[i] }", "elem(i, v[0], v[1], v[2])"},
		{"output q : 3x8 q = update(v, i, a) }", "update(i, a, v[0], v[1], v[2]).2"},
		{"output q : 3 q = eqlanes(v, a) }", "eqlanes(a, v[0], v[1], v[2])"},
		{"output q : 8 q = select(a[2:0], v) }", "select(slice(a)[0+:3], v[0], v[1], v[2])"},
		{"output q : 2x3 q = route:2x3(a[2:0], v) }", "route(slice(a)[0+:3], v[0], v[1], v[2]).1"},
		{"output q : 8 q = select(3'd7, v) }", "or(v[0], v[1], v[2])"},
		{"output q : 24 q = pack(v) }", "concat(v[2], v[1], v[0])"},
		{"output q : 3x8 q = mux(c, v, vec(a, b, a)) }", "mux(c, v[2], a)"},
		{"output q : 3x8 q = xor(v, vec(a, b, a)) }", "xor(v[2], a)"},
		{"output q : 2x4 q = unpack:2x4(a) }", "slice(a)[4+:4]"},
		// The source of a slice is not computed:
		{"output q : 8 q = pack(v)[15:8] }", "v[1]"},
		{"output q : 8 q = pack(v)[19:12] }", "concat(slice(v[2])[0+:4], slice(v[1])[4+:4])"},
		{"output q : 12 q = concat(a, c, b)[12:1] }", "concat(slice(a)[0+:4], c, slice(b)[1+:7])"},
		{"output q : 2 q = a[7:2][4:3] }", "slice(a)[5+:2]"},
		{"output q : 2x8 q = unpack:2x8(concat(a, b)) }", "a"},
		// Also through a named wire:
		{"output q : 2 wire w : 6 w = a[7:2] q = w[4:3] }", "slice(a)[5+:2]"},
		{"output q : 3 wire w : 17 w = concat(a, c, b) q = w[6:4] }", "slice(b)[4+:3]"},
		{"output q : 4 wire w : 17 w = concat(a, c, b) q = w[9:6] }", "slice(concat(a, c, b))[6+:4]"},
		// A reassembled value is used directly:
		{"output q : 8 wire w : 2x4 w = unpack:2x4(a) q = concat(w[1], w[0]) }", "a"},
		{"output q : 6 wire w : 2x4 w = unpack:2x4(a) q = concat(w[1][1:0], w[0]) }", "slice(a)[0+:6]"},
		{"output q : 12 wire w : 2x4 w = unpack:2x4(a) q = concat(b[3:0], pack(w)) }", "concat(slice(b)[0+:4], a)"},
		{"output q : 8 wire w : 2x4 w = unpack:2x4(a) q = concat(w[0], w[1]) }", "concat(slice(a)[0+:4], slice(a)[4+:4])"},
		// A shift by a constant is a slice at another position:
		{"output q : 8 q = shl(a, 3'd2) }", "concat(slice(a)[0+:6], 2'd0)"},
		{"output q : 8 q = shru(a, 3'd2) }", "zext(slice(a)[2+:6])"},
		{"output q : 8 q = shrs(a, 3'd2) }", "sext(slice(a)[2+:6])"},
		{"output q : 8 q = shl(a, 4'd8) }", "8'd0"},
		{"output q : 8 q = shru(a, 80'h10000000000000000001) }", "8'd0"},
		{"output q : 8 q = shrs(a, 4'd9) }", "sext(slice(a)[7+:1])"},
		{"output q : 8 q = shru(a, 1'd0) }", "a"},
		{"output q : 3 q = shru(a, 3'd2)[3:1] }", "slice(a)[3+:3]"},
		{"output q : 2 q = shru(a, 3'd4)[6:5] }", "2'd0"},
		// A choice between equal values, or with a constant condition, is removed:
		{"output q : 8 q = mux(c, a, a) }", "a"},
		{"output q : 8 q = mux(1'd1, a, b) }", "a"},
		{"output q : 3x8 q = mux(1'd0, v, vec(a, b, a)) }", "a"},
		{"output q : 8 wire w : 8 w = add(a, b) q = mux(c, w, add(a, b)) }", "add(a, b)"},
	} {
		require.Equal(t, c.want, last(flatten(t, in+c.text)), c.text)
	}
}

func TestHierarchy(t *testing.T) {
	f, problems := netlist.FlattenAll(lower(t, `
		module leaf clock reset {
			input x : 8 output q : 8
			reg r : 8 reset 8'd3
			mem m1 : 4x8
			r = add(r, x)  q = m1[r[1:0]]  m1[x[1:0]] = r
			assert ne(r, 8'd9) "nine"
		}
		module top clock reset {
			input a : 3x8 output q : 8
			wire v : 3x8
			for lane 3 {
				inst one : leaf
				pin one_x : 8 -> one.x  pin one_q : 8 <- one.q
				one_x = add(a[lane*-1+2], loop:8(lane))
				v[lane] = one_q
			}
			q = select(3'd7, v)
		}`))
	require.Empty(t, problems)
	require.Len(t, f.Mems, 3)
	require.Len(t, f.Writes, 3)
	require.Len(t, f.Checks, 3)
	require.Equal(t, "lane[1].one.m1", f.Mems[1].Path)
	require.Equal(t, "lane[2].one", f.Checks[2].Path)
	paths := map[string]bool{}
	for i, r := range f.Regs {
		paths[r.Path] = true
		require.True(t, r.Reset)
		require.Equal(t, []uint64{3}, r.Init)
		require.Equal(t, fmt.Sprintf("add(%s, add(a[%d], 8'd%d))", r.Path, 2-i, i), show(f, r.D))
	}
	require.Equal(t, map[string]bool{"lane[0].one.r": true, "lane[1].one.r": true, "lane[2].one.r": true}, paths)
	var names []string
	for _, v := range f.Vars {
		names = append(names, strings.Join(v.Path, "."))
	}
	require.Equal(t, []string{"a", "q", "v", "lane[0].one_x", "lane[0].one_q", "lane[0].one.x", "lane[0].one.q", "lane[0].one.r",
		"lane[1].one_x", "lane[1].one_q", "lane[1].one.x", "lane[1].one.q", "lane[1].one.r",
		"lane[2].one_x", "lane[2].one_q", "lane[2].one.x", "lane[2].one.q", "lane[2].one.r"}, names)
}

// TestClear: registers with a reset and assertions include the reset conditions of the surrounding
// instances.
func TestClear(t *testing.T) {
	f := flatten(t, `
		module leaf clock reset {
			output q : 8
			reg r : 8 reset 8'd3
			reg free : 8
			r = add(r, free)  free = r  q = free
			assert ne(r, 8'd9) "nine"
		}
		module mid clock reset {
			input c : 1 output q : 8
			wire v : 2x8
			for lane 2 {
				inst one : leaf
				pin one_q : 8 <- one.q
				pin one_rst : 1 -> one.rst
				one_rst = eq(loop:1(lane), c)
				v[lane] = one_q
			}
			inst two : leaf
			pin two_q : 8 <- two.q
			q = xor(two_q, select(2'd3, v))
		}
		module top clock reset {
			input c : 1 output q : 8 output p : 8
			wire on : 1
			inst none : mid
			pin none_q : 8 <- none.q  pin none_c : 1 -> none.c
			inst some : mid
			pin some_q : 8 <- some.q  pin some_c : 1 -> some.c  pin some_rst : 1 -> some.rst
			none_c = c  some_c = c  some_rst = on  on = ne(some_q, 8'h0)
			q = some_q  p = none_q
		}`)
	clear := map[string]string{}
	some := func(n netlist.Net) string { return strings.ReplaceAll(show(f, n), show(f, f.Ports[1].Nets[0]), "q") }
	for _, r := range f.Regs {
		clear[r.Path] = "none"
		if r.Clear != netlist.None {
			clear[r.Path] = some(r.Clear)
		}
	}
	require.Equal(t, map[string]string{
		"none.two.r": "none", "none.two.free": "none",
		"none.lane[0].one.r": "eq(1'd0, c)", "none.lane[0].one.free": "none", "none.lane[1].one.r": "eq(1'd1, c)", "none.lane[1].one.free": "none",
		"some.two.r": "ne(q, 8'd0)", "some.two.free": "none",
		"some.lane[0].one.r": "or(ne(q, 8'd0), eq(1'd0, c))", "some.lane[0].one.free": "none",
		"some.lane[1].one.r": "or(ne(q, 8'd0), eq(1'd1, c))", "some.lane[1].one.free": "none",
	}, clear)
	enable := map[string]string{}
	for _, c := range f.Checks {
		enable[c.Path] = some(c.Enable)
	}
	require.Equal(t, map[string]string{
		"none.two": "1'd1", "none.lane[0].one": "mux(eq(1'd0, c), 1'd0, 1'd1)", "none.lane[1].one": "mux(eq(1'd1, c), 1'd0, 1'd1)",
		"some.two":         "mux(ne(q, 8'd0), 1'd0, 1'd1)",
		"some.lane[0].one": "mux(or(ne(q, 8'd0), eq(1'd0, c)), 1'd0, 1'd1)", "some.lane[1].one": "mux(or(ne(q, 8'd0), eq(1'd1, c)), 1'd0, 1'd1)",
	}, enable)
}

// TestOrderAndSharing: operations follow their operands, and no operation is duplicated.
func TestOrderAndSharing(t *testing.T) {
	for seed := range uint64(30) {
		l, problems := drivers.Lower(random.Random(seed, random.Small))
		require.Empty(t, problems)
		f, problems := netlist.FlattenAll(l)
		require.Empty(t, problems)
		ready := make([]bool, len(f.Width))
		for _, c := range f.Consts {
			ready[c.Net] = true
		}
		for _, r := range f.Regs {
			ready[r.Q] = true
			require.Equal(t, f.Width[r.Q], f.Width[r.D])
		}
		for _, p := range f.Ports {
			if p.Sig.Kind == ir.Input {
				for _, n := range p.Nets {
					ready[n] = true
				}
			}
		}
		seen := map[string]bool{}
		for _, op := range f.Ops {
			for _, a := range op.Args {
				require.True(t, ready[a], "seed %d: %s", seed, op.Code)
			}
			for k := range op.NOut {
				ready[op.Out+netlist.Net(k)] = true
			}
			key := fmt.Sprint(op.Code, op.Lo, f.Width[op.Out], op.NOut, op.Args)
			require.False(t, seen[key], "seed %d: %s stands twice", seed, key)
			seen[key] = true
			require.NotContains(t, []ir.Op{ir.Const, ir.Ref, ir.LoopConst, ir.VecOf, ir.ElemAt, ir.Unpack, ir.Pack}, op.Code)
			require.NotNil(t, op.From)
			require.NotNil(t, op.Copy)
		}
	}
}

// TestNothingForNobody: operations whose results only reach unread signals are removed.
func TestNothingForNobody(t *testing.T) {
	f := flatten(t, "module m { input a : 8 output q : 8 wire w : 2x4 w = unpack:2x4(a) q = concat(w[1], w[0]) }")
	require.Empty(t, f.Ops)
}

func TestLoops(t *testing.T) {
	// Found although nothing depends on it, and reported once.
	dead := lower(t, "module m { input a : 8 output q : 8 wire x : 8 wire y : 8 x = add(y, a) y = not(x) q = a }")
	problems := netlist.Loops(dead)
	require.Len(t, problems, 1)
	require.Equal(t, "loop", problems[0].ID)
	require.Equal(t, "combinational loop: x (?) <- y (?) <- x (?)", problems[0].Text)
	f, problems := netlist.Flatten(dead)
	require.Empty(t, problems)
	require.Empty(t, f.Ops)

	// Apparent loops are accepted in every form.
	for _, text := range []string{
		"wire v : 4x8 for l 3 { v[l+1] = not(v[l]) } v[0] = a q = v[3]",
		"wire v : 4x8 for l 3 { v[l] = not(v[l+1]) } v[3] = a q = v[0]",
		"wire v : 2x8 v = vec(a, v[0]) q = v[1]",
		"wire v : 2x8 v = unpack:2x8(pack(vec(a, v[0]))) q = v[1]",
		"wire v : 2x8 v = unpack:2x8(concat(v[0], a)) q = v[1]",
		"wire v : 2x8 v = mux(a[0], vec(a, v[0]), vec(not(a), a)) q = v[1]",
		"wire v : 2x8 v = and(vec(a, v[0]), vec(a, a)) q = v[1]",
		"wire v : 2x8 v[0] = a v[1] = pack(v)[7:0] q = v[1]",
		"wire v : 2x8 v[0] = a v[1] = concat(pack(v)[3:0], 4'd1) q = v[1]",
		"wire x : 8 wire y : 8 x = mux(1'd1, a, y) y = x q = y",
	} {
		require.Empty(t, netlist.Loops(lower(t, "module m { input a : 8 output q : 8 "+text+" }")), text)
	}

	// Real loops are reported.
	for _, text := range []string{
		"wire v : 2x8 v = vec(v[1], v[0]) q = v[1]",
		"wire v : 2x8 v[0] = a v[1] = pack(v)[8:1] q = v[1]",
		"wire v : 2x8 v = update(v, a[0], a) q = v[1]",
		"wire v : 2x8 v[0] = v[a[0]] v[1] = a q = v[1]",
		"wire x : 8 x = mux(a[0], a, x) q = x",
	} {
		require.Len(t, netlist.Loops(lower(t, "module m { input a : 8 output q : 8 "+text+" }")), 1, text)
	}
}

// TestTwoLoops: two loops are two problems.
func TestTwoLoops(t *testing.T) {
	l := lower(t, "module m { output q : 8 wire x : 8 wire y : 8 x = not(x) y = sub(8'd0, y) q = add(x, y) }")
	problems := netlist.Loops(l)
	require.Len(t, problems, 2)
	require.Contains(t, problems[0].Text, "x")
	require.Contains(t, problems[1].Text, "y")
}

// TestSharedVectors: the cost of vectors that repeatedly depend on each other is proportional to
// their elements.
func TestSharedVectors(t *testing.T) {
	text := "module m { input v0 : 2x8 input c : 1 output q : 2x8 "
	for i := range 60 {
		text += fmt.Sprintf("wire v%d : 2x8 v%d = mux(c, xor(v%d, vec(v%d[1], v%d[0])), and(v%d, v%d)) ", i+1, i+1, i, i, i, i, i)
	}
	f := flatten(t, text+"q = v60 }")
	require.Less(t, len(f.Ops), 60*2*4)

	d, err := ir.Parse("m", "module m { input v : 2x8 input c : 1 output q : 2x8 q = v }")
	require.NoError(t, err)
	a := d.Top.Body.Stmts[0].(*ir.Assign)
	c := &ir.Expr{Op: ir.Ref, Type: ir.Type{Width: 1}, Sig: d.Top.Port("c")}
	for range 60 { // the same without names
		x := &ir.Expr{Op: ir.Xor, Type: a.RHS.Type, Args: []*ir.Expr{a.RHS, a.RHS}}
		a.RHS = &ir.Expr{Op: ir.Mux, Type: x.Type, Args: []*ir.Expr{c, x, a.RHS}}
	}
	l, _ := drivers.Lower(d)
	f, problems := netlist.Flatten(l)
	require.Empty(t, problems)
	require.Len(t, f.Ops, 60*2*2)
}
