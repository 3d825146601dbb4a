package netlist_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

const domains = `
module inner clock reset {
  output q : 1
  reg state : 1 reset 1'd1
  state = not(state)
  q = state
}
module domains {
  domain a reset a_rst
  domain b reset b_rst_n low async
  domain c
  input a : 1 input a_rst : 1 input b : 1 input b_rst_n : 1 input c : 1
  input x : 2 clock a
  output qa : 2 output qb : 2 output qc : 2 output again : 1
  reg ra : 2 reset 2'd1 clock a
  reg rb : 2 reset 2'd2 clock b
  reg rc : 2 clock c crosses held
  inst sub : inner clock a
  pin sub_rst : 1 -> sub.rst
  pin sub_q : 1 <- sub.q
  sub_rst = sub_q
  ra = x
  rb = x
  rc = x
  qa = ra
  qb = rb
  qc = rc
  again = sub_q
}
`

// TestClocks: a synchronous reset applies at an edge. An asynchronous reset applies without an
// edge and to reads. An instance may reset itself.
func TestClocks(t *testing.T) {
	f := flatten(t, domains)
	got := map[string]string{}
	for _, r := range f.Regs {
		require.False(t, r.Reset)
		require.Equal(t, netlist.None, r.Clear)
		got[r.Path] = show(f, r.D)
	}
	require.Equal(t, map[string]string{
		"ra":        "mux(a, mux(a_rst, 2'd1, x), ra)",
		"rb":        "mux(not(b_rst_n), 2'd2, mux(b, x, rb))",
		"rc":        "mux(c, x, rc)",
		"sub.state": "mux(a, mux(or(a_rst, sub.state), 1'd1, not(sub.state)), sub.state)",
	}, got)
	read := map[string]string{}
	for _, p := range f.Ports {
		if p.Sig.Kind == ir.Output {
			read[p.Sig.Name] = show(f, p.Nets[0])
		}
	}
	require.Equal(t, map[string]string{"qa": "ra", "qb": "mux(not(b_rst_n), 2'd2, rb)", "qc": "rc", "again": "sub.state"}, read)
}

// TestCrossings: the check finds illegal crossings in a part of a design and accepts the crossing
// register rc.
func TestCrossings(t *testing.T) {
	l := lower(t, domains)
	var found []string
	for _, p := range netlist.Crossings(l) {
		found = append(found, p.ID+" "+p.Module+" "+p.Text)
	}
	require.Equal(t, []string{`domain domains register "rb" of clock b depends on "x" of clock a: x (?); cross with a part of hw/lib/cdc`}, found)
	require.Empty(t, netlist.Crossings(lower(t, "module one clock {\n input x : 1 output q : 1 reg r : 1 r = x q = r\n}")))
}
