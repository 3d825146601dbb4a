package hw_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// line is a word of a memory.
type line struct {
	Blocks hw.Array[block] `hw:"len=4,inline"`
	Dirty  hw.Bits
}

type block struct {
	Tag  hw.Bits `hw:"3"`
	Kind hw.Enum[colour]
}

// lines stores a line and searches it for blocks.
type lines struct{ Wrong bool }

type linesPorts struct {
	Line  line    `hw:"in"`
	Tag   hw.Bits `hw:"in,3"`
	Found hw.Bits `hw:"out,4"`
}

func (p lines) Build(m *hw.Module) linesPorts {
	io := hw.Ports[linesPorts](m)
	mem := hw.Of[line](p).Mem(m, "mem", 2)
	mem.Write(io.Line.Dirty, io.Line)
	tags := io.Line.Blocks.Vec(func(b block) hw.Bits {
		if p.Wrong {
			return io.Tag
		}
		return b.Tag
	})
	io.Found.Set(tags.EqLanes(io.Tag.Resize(tags.Width())).Resize(4))
	return io
}

func TestVectorOfAnArray(t *testing.T) {
	d, err := hw.Elaborate(lines{})
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	tb := sim.Bind[linesPorts](s, lines{})
	for i, tag := range []uint64{5, 2, 5, 7} {
		tb.Line.Blocks.N(i).Tag.Poke(tag)
		require.Equal(t, tag, tb.Line.Blocks.Vec(func(b block) hw.Bits { return b.Tag }).N(i).Peek())
	}
	tb.Tag.Poke(5)
	require.EqualValues(t, 0b0101, tb.Found.Peek())
}

func TestNoVectorOfAnArray(t *testing.T) {
	_, err := hw.Elaborate(lines{Wrong: true})
	require.ErrorContains(t, err, "[record] Vec takes a signal of the elements, and no other value")
}

// TestLayoutOfAnArray checks that a memory word stores each signal of an Array contiguously.
func TestLayoutOfAnArray(t *testing.T) {
	d, err := hw.Elaborate(lines{})
	require.NoError(t, err)
	var docs []string
	d.Top.Body.Walk(func(s *ir.Scope) {
		for _, mem := range s.Mems {
			docs = append(docs, mem.Doc)
		}
	})
	require.Equal(t, []string{"{tag 4 x 3, kind 4 x 4, dirty 1}"}, docs)
}
