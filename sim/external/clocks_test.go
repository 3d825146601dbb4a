package external

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/late"
	"github.com/hotline-rtl/hotline/hw/random"
)

// clocked has four clocks: one with an active-low asynchronous reset, two that share a synchronous
// reset, and one without a reset. Memories, vectors, instances and loops use these clocks.
const clocked = `
module count clock reset {
  input step : 8
  output n : 8
  reg held : 8 reset 8'd3
  held = add(held, step)
  n = held
}
module guard async clock reset {
  input d : 4
  output q : 4
  reg state : 4 reset 4'd9
  state = xor(state, d)
  q = state
}
module pair {
  domain left reset left_rst
  domain right
  input left : 1
  input left_rst : 1
  input right : 1
  input d : 8
  output q : 8
  inst inner : count clock left
  pin inner_step : 8 -> inner.step
  pin inner_n : 8 <- inner.n
  reg second : 8 clock right crosses held
  inner_step = d
  second = inner_n
  q = second
}
module clocked {
  domain a reset a_rst_n low async
  domain b reset b_rst
  domain c
  domain e reset b_rst low
  input a : 1
  input a_rst_n : 1
  input b : 1
  input b_rst : 1
  input c : 1
  input e : 1
  input d : 8
  input addr : 3
  input en : 1
  output qa : 8
  output qb : 8
  output qc : 8
  output qe : 8
  output qm : 8
  output qg : 4
  output qp : 8
  output qv : 32
  inst guard : guard clock a
  pin guard_d : 4 -> guard.d
  pin guard_q : 4 <- guard.q
  inst pair : pair
  pin pair_left : 1 -> pair.left
  pin pair_left_rst : 1 -> pair.left_rst
  pin pair_right : 1 -> pair.right
  pin pair_d : 8 -> pair.d
  pin pair_q : 8 <- pair.q
  reg ra : 8 reset 8'd17 clock a
  reg rb : 8 reset 8'd34 clock b
  reg rc : 8 clock c crosses held
  reg re : 8 reset 8'd51 clock e
  reg v : 4x8 reset 8'd5 clock a
  mem m : 8x8 clock b
  for lane 4 {
    v[lane] = add(v[lane], d)
  }
  pair_left = b
  pair_left_rst = en
  pair_right = c
  pair_d = d
  guard_d = d[3:0]
  when en {
    ra = add(ra, d)
    rb = add(ra, rb)
    rc = d
    m[addr] = rc
  }
  re = xor(re, ra)
  qa = ra
  qb = rb
  qc = rc
  qe = re
  qm = m[addr]
  qg = guard_q
  qp = pair_q
  qv = pack(v)
}
`

// TestClocks compares a design with several clocks in Verilog simulators and the interpreter.
func TestClocks(t *testing.T) {
	d, err := ir.Parse("clocked", clocked)
	require.NoError(t, err)
	again, err := ir.Parse("again", d.String())
	require.NoError(t, err)
	require.Equal(t, d.String(), again.String())
	agrees(t, d, "icarus", Icarus, 4000)
	agrees(t, d, "verilator", Verilator, 4000)
}

// TestLateCrossings compares random designs with three clocks and late crossings.
func TestLateCrossings(t *testing.T) {
	for seed := range uint64(2) {
		d := random.Random(seed, random.Options{Size: 2, Levels: 1, Clocks: 3})
		require.Equal(t, 2, late.Crossings(d))
		t.Run(fmt.Sprint("model", seed), func(t *testing.T) { agrees(t, d, "model", Model, 2000) })
		t.Run(fmt.Sprint("icarus", seed), func(t *testing.T) { agrees(t, d, "icarus", Icarus, 1000) })
		t.Run(fmt.Sprint("verilator", seed), func(t *testing.T) { agrees(t, d, "verilator", Verilator, 2000) })
	}
}
