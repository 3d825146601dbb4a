package ir_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// sample contains every construct in the format of Print.
const sample = `module leaf_w8 clock reset {
  parameter "depth" "2" meaning "words"
  parameter "width" "8" verilog
  generic leaf "WIDTH" 8
  doc "A register behind an \"adder\"."
  enum state 2 hex idle = 2'd0 busy = 2'd1 done = 2'd2
  input a : 8
  output q : 8 group "result" doc "the sum so far"
  output done : 1 group "result"
  reg sum : 8 reset 8'd0
  reg wide : 100 reset 100'hfffffffffffffffffffffffff
  reg state : 2 reset 2'd0 enum state
  sum = add(sum, a)
  wide = shl(wide, a)
  q = sum
  done = xor(redxor(wide), eq(state, 2'd2"STATE_DONE"))
  switch state {
    case 2'd0"STATE_IDLE" {
      when ne(a, 8'h0"QUIET") {
        state = 2'd1"STATE_BUSY"
      }
    }
    case 2'd1"STATE_BUSY", 2'd3 {
      state = 2'd2"STATE_DONE"
      assert ne(a, 8'd0) "a goes on"
    }
    default {
      state = 2'd0"STATE_IDLE"
    }
  }
}

module top clock reset {
  input x : 8
  input v : 4x8 len 2 len 2
  input sel : 2
  output y : 8
  output u : 4x8
  wire ready : 4x1
  wire part : 5x8
  reg rows : 4x8
  reg row : 8
  mem words : 13x8 style "block" any init 8'd0 8'd5
  for lane 4 {
    inst leaf : leaf_w8
    pin leaf_a : 8 -> leaf.a
    pin leaf_q : 8 <- leaf.q
    pin leaf_done : 1 <- leaf.done
    pin leaf_rst : 1 -> leaf.rst
    wire scaled : 8
    for tap_at 2 {
      wire tap : 1
      tap = part[lane+tap_at][3]
    }
    scaled = mul(v[lane], loop:8(lane*2+1))
    leaf_a = scaled
    leaf_rst = v[lane][7]
    ready[lane] = leaf_done
    u[lane] = xor(leaf_q, part[lane*-1+4])
  }
  part[0] = x
  part[4] = sub(x, v[3])
  part[1] = concat(x[3:0], sel, sub(2'd0, sel))
  part[2] = mux(lts(x, v[0]), not(x), zext:8(sel))
  part[3] = sext:8(shru(shl(x, sel), 3'd2)[6:1])
  rows[sel] = select(pack(ready), v)
  row = words[x[3:0]]
  words[x[7:4], sel] = select(4'd15, update(rows, sel, x))
  %1 = eqlanes(v, x)
  when and(%1[0], redand(%1)) {
    %2 = encode(lowest(%1))
    y = rows[%2]
  } else when ltu(popcount(x), 4'd3) {
    y = vec(x, row)[1'd1]
  } else {
    y = pack(and(route:2x4(%1, unpack:4x2(x)), unpack:2x4(shrs(x, shl(3'd1, %2)))))
  }
}

probe leaf_w16 {
  parameter "depth" "2" meaning "words"
  parameter "width" "16" verilog
  generic leaf "WIDTH" 16 probe
  output q : 16
  q = 16'd0
}
`

func TestPrintAndParse(t *testing.T) {
	d, err := ir.Parse("sample.ir", sample)
	require.NoError(t, err)
	require.Equal(t, sample, d.String())
	require.Equal(t, "top", d.Top.Name)
	require.NoError(t, ir.Verify(d))

	leaf := d.Modules[0]
	require.True(t, leaf.Clock && leaf.Reset)
	depth := ir.Parameter{Name: "depth", Value: "2", Doc: "words"}
	require.Equal(t, []ir.Parameter{depth, {Name: "width", Value: "8", Generic: true}}, leaf.Parameters)
	require.Equal(t, []ir.Parameter{depth}, leaf.Fixed())
	require.Equal(t, `A register behind an "adder".`, leaf.Doc)
	require.Equal(t, []ir.EnumValue{{0, "idle"}, {1, "busy"}, {2, "done"}}, leaf.Body.Signals[5].Enum.Values)
	require.Equal(t, []uint64{^uint64(0), 1<<36 - 1}, leaf.Body.Signals[4].Init)

	lane := d.Top.Body.Fors[0]
	inst := lane.Body.Insts[0]
	require.Same(t, leaf, inst.Of)
	require.Equal(t, []string{"leaf_a", "leaf_q", "leaf_done"}, []string{inst.Pins[0].Name, inst.Pins[1].Name, inst.Pins[2].Name})
	require.Equal(t, "leaf_rst", inst.Reset.Name)
	require.Same(t, ir.ResetPort, inst.Reset.Pin.Port)
	require.Equal(t, 13, d.Top.Body.Mems[0].Depth)
}

func TestHash(t *testing.T) {
	d, err := ir.Parse("sample.ir", sample)
	require.NoError(t, err)
	again, err := ir.Parse("other.ir", "# a comment\n\n"+strings.ReplaceAll(sample, "\n", "\n\t "))
	require.NoError(t, err)
	require.Equal(t, ir.Hash(d), ir.Hash(again))
	require.Regexp(t, "^[0-9a-f]{64}$", ir.Hash(d))

	other, err := ir.Parse("sample.ir", strings.Replace(sample, "8'd0", "8'd1", 1))
	require.NoError(t, err)
	require.NotEqual(t, ir.Hash(d), ir.Hash(other))
}

// TestTemps: shared and deeply nested values get lines of their own. The text therefore grows with
// the number of nodes, and the length of lines is bounded.
func TestTemps(t *testing.T) {
	x := &ir.Signal{Name: "x", Type: ir.Type{Width: 8}}
	y := &ir.Signal{Name: "y", Kind: ir.Output, Type: ir.Type{Width: 8}}
	m := &ir.Module{Name: "m", Ports: []*ir.Signal{x, y}}
	m.Body = &ir.Scope{Module: m, Signals: m.Ports}
	x.Scope, y.Scope = m.Body, m.Body
	e := &ir.Expr{Op: ir.Ref, Type: x.Type, Sig: x}
	for range 60 { // a tree of 2^60 leaves
		e = &ir.Expr{Op: ir.Add, Type: x.Type, Args: []*ir.Expr{e, e}}
	}
	for range 100 { // a chain
		e = &ir.Expr{Op: ir.Not, Type: x.Type, Args: []*ir.Expr{e}}
	}
	m.Body.Stmts = []ir.Stmt{&ir.Assign{LHS: ir.LValue{Sig: y}, RHS: e}}
	d := &ir.Design{Top: m, Modules: []*ir.Module{m}}
	require.NoError(t, ir.Verify(d))
	text := d.String()
	require.Contains(t, text, "  %1 = add(x, x)\n  %2 = add(%1, %1)\n")
	require.Contains(t, text, "\n  y = not(not(%70))\n")
	require.Less(t, len(text), 3000)
	back, err := ir.Parse("m.ir", text)
	require.NoError(t, err)
	require.Equal(t, text, back.String())
}

func TestParseErrors(t *testing.T) {
	const ports = "module m {\n input a : 8\n input v : 4x8\n output q : 8\n"
	for _, c := range []struct{ text, want string }{
		{"", "t.ir: no module"},
		{"modul m {}", `t.ir:1: found "modul", expected "module"`},
		{"module m {\n", `t.ir:2: found the end of the text, expected a statement or declaration`},
		{"module m {\n input a : 8 ! }", `t.ir:2: '!' starts no word`},
		{"module m {\n doc \"open\n }", `t.ir:2: '"' starts no word`},
		{"probe m { }\nmodule n { }", `t.ir:2: found "module", expected a probe: modules come before probes`},
		{"module m { }\nmodule m { }", `t.ir:2: module m is declared twice`},
		{"module m {\n input a : 0 }", "t.ir:2: 0 bits, 0 elements; expected a width of 1 to 1048576 and a length of at most 65536"},
		{"module m {\n input a : 0x8 }", "t.ir:2: a vector without elements"},
		{"module m {\n input a : 99999999999999999999 }", "t.ir:2: the number 99999999999999999999 is out of range"},
		{"module m {\n input a : b }", `t.ir:2: found "b", expected a type`},
		{"module m {\n input a : 8\n wire a : 8 }", "t.ir:3: a is declared already"},
		{"module m {\n inst i : n }", "t.ir:2: module n is not declared before its use"},
		{"module m {\n pin p : 1 -> i.x }", "t.ir:2: instance i is not declared before its use"},
		{"module n { input x : 4 }\nmodule m {\n inst i : n }", "t.ir:2: instance i has no pin for port x"},
		{"module n { input x : 4 }\nmodule m {\n inst i : n\n pin p : 4 -> i.y }", "t.ir:4: module n has no port y left"},
		{"module n { input x : 4 }\nmodule m {\n inst i : n\n pin p : 4 <- i.x }", "t.ir:4: port x is an input of 4 bits"},
		{"module n { input x : 4 }\nmodule m {\n inst i : n\n pin p : 5 -> i.x }", "t.ir:4: port x is an input of 4 bits"},
		{"module m {\n mem w : 2x8 init }", "t.ir:2: no contents after init"},
		{"module m {\n mem w : 2x8 init 8'd1 7'd2 }", "t.ir:2: the contents of memory w are not 2 words of 8 bits"},
		{"module m {\n mem w : 1x8 init 8'd1 8'd2 }", "t.ir:2: the contents of memory w are not 1 words of 8 bits"},
		{"module m {\n mem w : 1x0 init 8'd1 }", "t.ir:2: contents of 1 words of 0 bits"},
		{ports + " q = b }", "t.ir:5: signal or memory b is not declared before its use"},
		{ports + " b = q }", "t.ir:5: signal or memory b is not declared before its use"},
		{ports + " q = %1 }", "t.ir:5: %1 is not defined before"},
		{ports + " %1 = a\n %1 = a }", "t.ir:6: %1 is defined twice"},
		{ports + " q = 4'd16 }", "t.ir:5: 16 does not fit in 4 bits"},
		{ports + " q = 4'd1 }", "t.ir:5: q takes 8 bits, found 4"},
		{ports + " q = plus(a, a) }", "t.ir:5: no operator plus"},
		{ports + " q = ref(a) }", "t.ir:5: no operator ref"},
		{ports + " q = add(a) }", "t.ir:5: add with 1 operands"},
		{ports + " q = add(a, v) }", "t.ir:5: add of 8, 4x8 gives 8"},
		{ports + " q = zext:4(a) }", "t.ir:5: zext of 8 gives 4"},
		{ports + " q = a[8:1] }", "t.ir:5: slice of 8 gives 8"},
		{ports + " q = v[4] }", "t.ir:5: at: 4 to 4 is beyond 0 to 3"},
		{ports + " q = a[8] }", "t.ir:5: slice of 8 gives 1"},
		{ports + " q = v[a] }", "t.ir:5: elem of 4x8, 8 gives 8"},
		{ports + " q = loop:8(a) }", `t.ir:5: found "a", expected a loop variable or a number`},
		{ports + " for l 4 { }\n q = v[l] }", "t.ir: m: the value of q depends on a loop that it is used outside of"},
		{ports + " mem r : 8 }", `t.ir:5: found "8", expected depth x width`},
		{ports + " for l 0 { }\n q = a }", `t.ir: m: loop "l" has 0 iterations`},
		{ports + " when a { }\n q = a }", "t.ir: m: the condition has 8 bits, expected 1"},
		{ports + " switch a { case a { } } }", `t.ir:5: found "a", expected a constant`},
		{ports + strings.Repeat(" when 1'd1 {\n", 2000), "t.ir:1004: nested deeper than 1000"},
		{ports + " q = " + strings.Repeat("not(", 2000), "t.ir:5: nested deeper than 1000"},
	} {
		_, err := ir.Parse("t.ir", c.text)
		require.EqualError(t, err, c.want, c.text)
	}
}

// TestParseNeverPanics: for any text, Parse returns an error or a verified design.
func TestParseNeverPanics(t *testing.T) {
	words := strings.Fields(sample)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Clone(sample)
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			end := rapid.IntRange(at, min(at+20, len(text))).Draw(t, "end")
			text = text[:at] + rapid.SampledFrom(words).Draw(t, "word") + text[end:]
		}
		if d, err := ir.Parse("t.ir", text); err == nil {
			again, err := ir.Parse("t.ir", d.String())
			require.NoError(t, err)
			require.Equal(t, d.String(), again.String())
		}
	})
}
