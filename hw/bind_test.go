package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

func TestBind(t *testing.T) {
	p := Records{Sizes{Tag: 10, Ways: 4}}
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	tb := sim.Bind[recordPorts](s, p)
	for i := range 4 {
		tb.Lanes.N(i).Tag.Poke(uint64(500 + i))
		tb.Lanes.N(i).Kind.Poke(blue)
	}
	tb.Raw.Data.Poke(2)
	tb.Lanes.N(3).Hot.Poke(1)
	require.EqualValues(t, 501, tb.Chosen.Peek(), "no lane is hot and red: the way's own")
	tb.Lanes.N(3).Kind.Poke(red)
	require.EqualValues(t, 502, tb.Chosen.Peek())
	require.Equal(t, red, tb.Lanes.N(3).Kind.Peek())
	require.Equal(t, blue, tb.Lanes.N(2).Kind.Peek())

	tb.Ask.Valid.Poke(1)
	tb.Tell.Ready.Poke(1)
	tb.Ask.Data.Tag.Poke(0x155)
	tb.Ask.Data.Kind.Poke(green)
	require.NoError(t, s.Step())
	require.EqualValues(t, 0x155<<9|2, tb.Joined.Peek())

	require.PanicsWithValue(t, "hw: 0x400 does not fit in the 10 bits of ask_tag", func() { tb.Ask.Data.Tag.Poke(1 << 10) })
	require.PanicsWithValue(t, "hw: 0x400 does not fit in the 10 bits of lanes_tag[3]", func() { tb.Lanes.N(3).Tag.Poke(1 << 10) })
	require.PanicsWithValue(t, "hw: element 4 of the 4 of lanes_tag", func() { tb.Lanes.N(4) })
	require.PanicsWithValue(t, "hw: Peek of what is bound to no engine; use Bind", func() { hw.K(1).Peek() })
	require.PanicsWithValue(t, "hw: Bind: Lookup.Tag: no int field or method Tag in Empty", func() { sim.Bind[Lookup](s, Empty{}) })
	require.PanicsWithValue(t, "sim: no port tag", func() { sim.Bind[Lookup](s, p) })
}

// wideWords has ports wider than 64 bits.
type wideWords struct {
	A hw.Bits `hw:"in,70"`
	V hw.Vec  `hw:"in,70,len=2"`
	Q hw.Bits `hw:"out,70"`
}

func (wideWords) ModuleName() string { return "wide_words" }

func (wideWords) Build(m *hw.Module) wideWords {
	io := hw.Ports[wideWords](m)
	io.Q.Set(io.A.Xor(io.V.N(1)))
	return io
}

func TestBindWords(t *testing.T) {
	d, err := hw.Elaborate(wideWords{})
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	tb := sim.Bind[wideWords](s, nil)
	tb.A.PokeWords([]uint64{1 << 63, 0x2a})
	tb.V.N(1).PokeWords([]uint64{5, 3})
	require.Equal(t, []uint64{1<<63 | 5, 0x29}, tb.Q.PeekWords())
	require.Equal(t, []uint64{5, 3}, tb.V.N(1).PeekWords())
	require.PanicsWithValue(t, "hw: 1 words for the 70 bits of a", func() { tb.A.PokeWords([]uint64{1}) })
	require.PanicsWithValue(t, "hw: 0x40 does not fit in the 6 bits of a", func() { tb.A.PokeWords([]uint64{1, 64}) })
}

// Empty has no parameters.
type Empty struct{}

type chosen struct {
	Tag  hw.Bits         `hw:"10"`
	Kind hw.Enum[colour] `hw:"reset=1"`
	Each hw.Vec          `hw:"3,len=2"`
}

type choicePorts struct {
	Mask hw.Bits  `hw:"in,3"`
	From []chosen `hw:"in,len=3"`
	To   chosen   `hw:"out"`
}

// Choice selects among records.
type Choice struct{}

func (Choice) Build(m *hw.Module) choicePorts {
	io := hw.Ports[choicePorts](m)
	hw.Set(io.To, hw.Select(io.Mask, io.From...))
	return io
}

func TestSelect(t *testing.T) {
	d, err := hw.Elaborate(Choice{})
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	tb := sim.Bind[choicePorts](s, Choice{})
	for i, from := range tb.From {
		from.Tag.Poke(uint64(100 + i))
		from.Kind.Poke([]colour{red, green, blue}[i])
		from.Each.At(hw.At(1)).Poke(uint64(5 + i))
	}
	for i, want := range []colour{red, green, blue} {
		tb.Mask.Poke(1 << i)
		require.EqualValues(t, 100+i, tb.To.Tag.Peek())
		require.Equal(t, want, tb.To.Kind.Peek())
		require.EqualValues(t, 5+i, tb.To.Each.At(hw.At(1)).Peek())
	}
	tb.Mask.Poke(0)
	require.Zero(t, tb.To.Tag.Peek())
	run(t, []mistake{{"none", func(m *hw.Module) {
		m.Out("q", 1).Set(hw.Select[hw.Bits](m.In("x", 1))) // sel
	}, []string{"{sel} < {build}: bad: [direction] a choice without values; expected at least one"}}})
}
