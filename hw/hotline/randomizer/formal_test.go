package randomizer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// permutation proves that the rounds of a Randomizer form a permutation: the inverse undoes the
// forward rounds and vice versa. It omits the registers between the rounds.
type permutation struct {
	Width int
	Wrong bool // the inverse lacks a round
}

// ModuleName returns the name of the proof.
func (permutation) ModuleName() string { return "permutation" }

// HighBits returns the width of the upper half.
func (p permutation) HighBits() int { return p.Width - p.Width/2 }

// LowBits returns the width of the lower half.
func (p permutation) LowBits() int { return p.Width / 2 }

func (p permutation) Build(m *hw.Module) struct{} {
	id := m.In("id", p.Width)
	forward := func(x pair) pair {
		for i := range Rounds {
			x = x.round(i)
		}
		return x
	}
	inverse := func(x pair) pair {
		for i := Rounds - 1; i >= 0; i-- {
			if !p.Wrong || i > 0 {
				x = x.round(i)
			}
		}
		return x
	}
	x := hw.Unpack[pair](m, id)
	m.Assert(hw.Pack(inverse(forward(x))).Eq(id), "the inverse gives the id back")
	m.Assert(hw.Pack(forward(inverse(x))).Eq(id), "every number is the image of one")
	return struct{}{}
}

func elaborated[P any](t *testing.T, g hw.Generator[P]) *ir.Design {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d
}

func TestFormal(t *testing.T) {
	for _, width := range []int{MinWidth, MinWidth + 1, 22, 31, MaxWidth} { // 22 and 31 are the widths of the configurations
		formal.Holds(t, elaborated(t, permutation{width, false}))
	}
	formal.Fails(t, elaborated(t, permutation{22, true}), "the inverse gives the id back", "every number is the image of one")
}
