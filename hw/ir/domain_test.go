package ir_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
)

const twoDomains = `module child async clock reset {
  input d : 1
  output q : 1
  reg r : 1 reset 1'd0
  r = d
  q = r
}

module top {
  domain a reset a_rst low async
  domain b
  inst child : child clock a
  input a : 1
  input a_rst : 1
  input b : 1
  input d : 1 clock a
  output q : 1 clock b
  pin child_d : 1 -> child.d
  pin child_q : 1 <- child.q
  reg r : 1 clock b crosses level
  mem m : 4x1 clock b
  child_d = d
  r = child_q
  m[2'd1] = r
  assert m[2'd0] "zero" clock b
  q = r
}
`

func TestDomainText(t *testing.T) {
	d, err := ir.Parse("test", twoDomains)
	require.NoError(t, err)
	require.Equal(t, twoDomains, d.String())
	require.True(t, d.Top.IsClock(d.Top.Port("b")))
	require.False(t, d.Top.IsClock(d.Top.Port("d")))
	require.False(t, d.Top.Clock, "nothing follows a clock of its own")
}

// TestDomainMistakes: each change of the text is rejected.
func TestDomainMistakes(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"crosses level", "", ""},
		{"reg r : 1 clock b crosses level", "reg r : 1", "clock false and reset false, expected true and false"},
		{"reg r : 1 clock b crosses level", "reg r : 1 reset 1'd0 clock b", "r has a reset, clock b has none"},
		{"reg r : 1 clock b", "reg r : 1 clock d", "domain d is not declared before its use"},
		{"child clock a", "child clock b", "child has a reset, clock b has none"},
		{"module child async", "module child", `instance "child": asynchronous reset false, of its clock true`},
		{"domain b", "domain a", "domain a is declared already"},
		{"domain b", "domain b reset rst", "no input rst for a domain"},
		{"domain b", "domain b reset q", "no input q for a domain"},
		{"input a_rst : 1", "input a_rst : 2", "a clock or reset of a domain is not an input of one bit"},
		{"child_d = d", "child_d = b", `clock "b" is read`},
		{"output q : 1 clock b", "output q : 1 clock b crosses level", `"q" crosses and is not a register`},
		{"crosses level", "settles", ""},
		{"crosses level", "crosses slowly", "no crossing is called slowly; use level, gray, flow or held"},
		{"reg r : 1 clock b", "reg r : 1 reset 1'd0 clock a", `"r" crosses and has a reset`},
	} {
		require.Contains(t, twoDomains, c.from)
		text := strings.Replace(twoDomains, c.from, c.to, 1)
		_, err := ir.Parse("test", text)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.want, c.to)
	}
}

// TestLevelOfSeveralBits: several bits cannot cross as a level.
func TestLevelOfSeveralBits(t *testing.T) {
	const text = "module m {\n domain a input a : 1 input x : 2 clock a output q : 2\n reg r : 2 clock a crosses gray\n r = x q = r\n}"
	_, err := ir.Parse("test", text)
	require.NoError(t, err)
	_, err = ir.Parse("test", strings.Replace(text, "gray", "level", 1))
	require.ErrorContains(t, err, `"r" crosses as a level and has 2 bits`)
}

// TestClockPins: the clock pin of an instance is connected to a clock, and a module has either its
// own clock or clock ports.
func TestClockPins(t *testing.T) {
	const outer = `
module outer {
  domain a reset a_rst low async
  input a : 1
  input a_rst : 1
  input x : 1
  output q : 1
  inst top : top
  pin top_a : 1 -> top.a
  pin top_a_rst : 1 -> top.a_rst
  pin top_b : 1 -> top.b
  pin top_d : 1 -> top.d
  pin top_q : 1 <- top.q
  top_a = a
  top_a_rst = a_rst
  top_b = a
  top_d = x
  q = top_q
}
`
	_, err := ir.Parse("test", twoDomains+outer)
	require.NoError(t, err)
	_, err = ir.Parse("test", twoDomains+strings.Replace(outer, "top_b = a", "top_b = x", 1))
	require.ErrorContains(t, err, `"top_b", a clock of instance "top", is not a clock of the module`)
	own := strings.Replace(outer, "module outer", "module outer clock", 1)
	_, err = ir.Parse("test", twoDomains+strings.Replace(own, "  top_a = a\n", "  reg r : 1\n  r = x\n  top_a = a\n", 1))
	require.ErrorContains(t, err, "it has clocks that are ports, and state that follows none of them")
	child, _, _ := strings.Cut(twoDomains, "module top")
	_, err = ir.Parse("test", child)
	require.ErrorContains(t, err, "the top has an asynchronous reset of its own, not as a port")
}
