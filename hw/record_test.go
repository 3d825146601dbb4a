package hw_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Sizes are parameters that determine the widths of records.
type Sizes struct{ Tag, Ways int }

func (p Sizes) RowBits() int { return p.Tag / 2 }

type Lookup struct {
	Tag  hw.Bits         `hw:"Tag"`
	Row  hw.Bits         `hw:"RowBits-1"`
	Hot  hw.Bits         `doc:"a row of the hot set"`
	Kind hw.Enum[colour] `hw:"reset=1"`
}

type Found struct {
	Lookup
	Where struct {
		Way   hw.Bits `hw:"3"`
		Slots hw.Vec  `hw:"4,len=Ways"`
	}
	GPUs hw.Bits `hw:"2"`
}

type recordPorts struct {
	Ask   hw.Stream[Lookup]  `hw:"in"`
	Tell  hw.Stream[Found]   `hw:"out"`
	Raw   hw.Stream[hw.Bits] `hw:"in,RowBits"`
	Lanes hw.Array[Lookup]   `hw:"in,len=Ways"`
	Each  []struct {
		Go  hw.Bits
		Did hw.Bits `hw:"back"`
	} `hw:"out,len=2"`
	Side   hw.Bits                     `hw:"in,name=sideband"`
	Bus    Handle                      `hw:"in,abut"`
	Joined hw.Bits                     `hw:"out,24"`
	Outs   hw.Array[hw.Stream[Lookup]] `hw:"out,len=Ways"`
	Chosen hw.Bits                     `hw:"out,Tag"`
}

type Handle struct {
	AW, Addr hw.Bits
	R        hw.Stream[struct{ Resp hw.Bits }] `hw:"back,abut"`
}

// Records uses all kinds of records.
type Records struct{ Sizes }

func (p Records) Build(m *hw.Module) recordPorts {
	io := hw.Ports[recordPorts](m)
	held := hw.Reg[Found](m, "held")
	payload := hw.Data[Lookup](m, "asked")
	m.When(io.Ask.Fire(), func() { hw.Set(payload, io.Ask.Data) }).Else(func() { hw.Set(payload, hw.Zero[Lookup](m)) })
	hw.Set(held, hw.Mux(io.Side, held, hw.Unpack[Found](m, hw.Pack(held).Not())))
	io.Tell.Valid.Set(io.Side)
	hw.Set(io.Tell.Data, held)
	io.Ask.Ready.Set(io.Tell.Ready)
	io.Raw.Ready.Set(io.Raw.Data.Any().And(io.Raw.Valid))
	way := hw.Wire[hw.Stream[Lookup]](m, "way")
	hw.Connect(way, hw.Stream[Lookup]{Valid: io.Ask.Valid, Data: io.Lanes.N(1), Ready: m.Wire("ignored", 1)})
	way.Ready.Set(hw.K(1))
	io.Bus.R.Valid.Set(io.Bus.R.Ready)
	io.Bus.R.Data.Resp.Set(io.Bus.AW)
	for i := range io.Each {
		io.Each[i].Go.Set(io.Each[i].Did.And(io.Bus.Addr).And(way.Valid))
	}
	note := hw.Wire[Lookup](m, "note")
	hw.Set(note, hw.With(hw.Zero[Lookup](m), Lookup{Kind: io.Ask.Data.Kind}))
	m.For("step", p.Ways, func(i hw.Index) {
		hw.Connect(io.Outs.At(i), hw.Stream[Lookup]{Valid: io.Side, Ready: m.Wire("heard", 1), Data: io.Lanes.At(i)})
	})
	io.Joined.Set(hw.Pack(payload).Ext(24))
	picked := m.WireVec("picked", p.Ways, 1)
	m.For("lane", p.Ways, func(i hw.Index) { picked.At(i).Set(io.Lanes.At(i).Kind.Is(red).And(io.Lanes.At(i).Hot)) })
	io.Chosen.Set(hw.Mux(picked.Pack().Any(), io.Lanes.Index(io.Raw.Data.Resize(2)).Tag, way.Data.Tag))
	return io
}

func portList(m *ir.Module) string {
	var b strings.Builder
	for _, p := range m.Ports {
		fmt.Fprintf(&b, "%s %s %s", p.Kind, p.Name, p.Type)
		if p.Enum != nil {
			fmt.Fprintf(&b, " %s", p.Enum.Name)
		}
		if p.Doc != "" {
			fmt.Fprintf(&b, " (%s)", p.Doc)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestRecords(t *testing.T) {
	d, err := hw.Elaborate(Records{Sizes{Tag: 10, Ways: 4}})
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	require.Equal(t, `input ask_valid 1
output ask_ready 1
input ask_tag 10
input ask_row 4
input ask_hot 1 (a row of the hot set)
input ask_kind 4 colour
output tell_valid 1
input tell_ready 1
output tell_tag 10
output tell_row 4
output tell_hot 1 (a row of the hot set)
output tell_kind 4 colour
output tell_where_way 3
output tell_where_slots 4x4
output tell_gpus 2
input raw_valid 1
output raw_ready 1
input raw_data 5
input lanes_tag 4x10
input lanes_row 4x4
input lanes_hot 4x1 (a row of the hot set)
input lanes_kind 4x4 colour
output each_0_go 1
input each_0_did 1
output each_1_go 1
input each_1_did 1
input sideband 1
input busaw 1
input busaddr 1
output busrvalid 1
input busrready 1
output busrresp 1
output joined 24
output outs_valid 4x1
input outs_ready 4x1
output outs_tag 4x10
output outs_row 4x4
output outs_hot 4x1 (a row of the hot set)
output outs_kind 4x4 colour
output chosen 10
`, portList(d.Top))
	text := d.String()
	for _, line := range []string{
		`reg held_tag : 10 reset 10'd0 group "held"`,
		`reg asked_kind : 4 enum colour group "asked"`,
		`reg held_kind : 4 reset 4'd1 enum colour group "held"`,
		"asked_row = ask_row",
		"note_kind = ask_kind",
		"note_tag = 10'd0",
		"outs_kind[step] = lanes_kind[step]",
		"heard = outs_ready[step]",
		"tell_where_slots = held_where_slots",
		"way_tag = lanes_tag[1]",
		"joined = zext:24(concat(asked_tag, asked_row, asked_hot, asked_kind))",
	} {
		require.Contains(t, text, line+"\n")
	}
}

func TestShapes(t *testing.T) {
	p, q := Sizes{Tag: 10, Ways: 4}, struct{ Sizes }{Sizes{Tag: 10, Ways: 7}}
	require.Equal(t, hw.Of[Lookup](p), hw.Of[Lookup](q), "Ways does not matter")
	require.NotEqual(t, hw.Of[Lookup](p), hw.Of[Lookup](Sizes{Tag: 11}))
	require.NotEqual(t, hw.Of[Found](p), hw.Of[Found](q))
	require.Equal(t, 10+4+1+4, hw.Of[Lookup](p).Bits())
	require.Equal(t, 19+3+16+2, hw.Of[Found](p).Bits())
	require.Equal(t, hw.Width(8), hw.Width(8))
	require.Equal(t, "lookup_w19", hw.Of[Lookup](p).String())
	require.Zero(t, hw.Shape[hw.Bits]{}.Bits())
}

// Queue holds two values of any shape.
type Queue[T any] struct{ Of hw.Shape[T] }

type queuePorts[T any] struct {
	Push hw.Stream[T] `hw:"in,of=Of"`
	Pop  hw.Stream[T] `hw:"out,of=Of"`
	Full hw.Bits      `hw:"out"`
}

func (q Queue[T]) Build(m *hw.Module) queuePorts[T] {
	io := hw.Ports[queuePorts[T]](m)
	word, full := q.Of.Data(m, "word"), m.Reg("full_q", 1, 0)
	io.Full.Set(full)
	io.Push.Ready.Set(full.Not())
	io.Pop.Valid.Set(full)
	hw.Set(io.Pop.Data, word)
	m.When(io.Push.Fire(), func() {
		hw.Set(word, io.Push.Data)
		full.Set(hw.K(1))
	}).ElseWhen(io.Pop.Fire(), func() { full.Set(hw.K(0)) })
	return io
}

type chainPorts struct {
	A hw.Stream[Lookup]  `hw:"in"`
	B hw.Stream[Lookup]  `hw:"out"`
	C hw.Stream[hw.Bits] `hw:"in,9"`
	D hw.Stream[hw.Bits] `hw:"out,9"`
}

// Chained contains a queue of records and a queue of numbers.
type Chained struct{ Sizes }

func (p Chained) Build(m *hw.Module) chainPorts {
	io := hw.Ports[chainPorts](m)
	q := hw.Inst(m, "records", Queue[Lookup]{hw.Of[Lookup](p)})
	hw.Connect(q.Push, io.A)
	hw.Connect(io.B, q.Pop)
	n := hw.Inst(m, "numbers", Queue[hw.Bits]{hw.Width(9)})
	hw.Connect(n.Push, io.C)
	hw.Connect(io.D, n.Pop)
	return io
}

func TestPartsOfAnyShape(t *testing.T) {
	d, err := hw.Elaborate(Chained{Sizes{Tag: 10, Ways: 4}})
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	require.Equal(t, []string{"queue_lookup", "queue", "chained"}, []string{d.Modules[0].Name, d.Modules[1].Name, d.Top.Name})
	require.Contains(t, portList(d.Modules[0]), "input push_row 4\n")
	require.Contains(t, portList(d.Modules[1]), "output pop_data 9\n")
}

type (
	misnamed struct {
		A hw.Bits `hw:"in,RowBit"`
		B hw.Bits `hw:"output"`
		C hw.Bits `hw:"in,size=4"`
		d hw.Bits //lint:ignore U1000 reflection sees it
		N int
		V hw.Vec             `hw:"in,4"`
		K hw.Enum[colour]    `hw:"in,7"`
		L hw.Bits            `hw:"in,len=3"`
		S []hw.Bits          `hw:"in"`
		Z hw.Bits            `hw:"in,0"`
		W hw.Stream[Lookup]  `hw:"in,with=Other"`
		O hw.Stream[hw.Bits] `hw:"in,of=Ways"`
		P hw.Bits            `hw:"in,Ways-x"`
		Q struct{}           `hw:"in"`
	}
	undirected struct {
		A hw.Bits
		B struct {
			C hw.Bits `hw:"in"`
		} `hw:"out"`
	}
	directed struct {
		A hw.Bits `hw:"in"`
	}
)

// careless makes a mistake with records of its parameters.
type careless struct {
	Sizes
	f *func(m *hw.Module)
}

func (careless) ModuleName() string { return "bad" }

func (c careless) Build(m *hw.Module) struct{} {
	(*c.f)(m) // carelessly
	return struct{}{}
}

func TestRecordMistakes(t *testing.T) {
	lookup := func(tag int) hw.Shape[Lookup] { return hw.Of[Lookup](Sizes{Tag: tag}) }
	for _, c := range []mistake{
		{"tags", func(m *hw.Module) {
			hw.Ports[misnamed](m) // rea
		}, []string{
			`{rea} < {carelessly}: bad: [record] misnamed.A: no int field or method RowBit in careless; is it RowBits?`,
			`{rea} < {carelessly}: bad: [record] misnamed.B: no int field or method output in careless`,
			`{rea} < {carelessly}: bad: [record] misnamed.C: "size=4" in its tag is not one of in, out, back, inline, abut, a width, len=, name=, reset=, clock=, low, async, with= and of=`,
			`{rea} < {carelessly}: bad: [record] misnamed.K: the width of colour is 4; leave 7 out`,
			`{rea} < {carelessly}: bad: [record] misnamed.L: len= is for Vec, Array and slices`,
			`{rea} < {carelessly}: bad: [record] misnamed.N: int is not a Bits, Signed, Vec, Enum, Array, slice or struct of them`,
			`{rea} < {carelessly}: bad: [record] misnamed.O: Ways of careless is not a hw.Shape`,
			`{rea} < {carelessly}: bad: [record] misnamed.P: "Ways-x" is no number, and no name with a number added`,
			`{rea} < {carelessly}: bad: [record] misnamed.Q: struct {} has no fields`,
			`{rea} < {carelessly}: bad: [record] misnamed.S: []hw.Bits without len=`,
			`{rea} < {carelessly}: bad: [record] misnamed.V: a vector without len=`,
			`{rea} < {carelessly}: bad: [record] misnamed.W: no field Other in careless`,
			`{rea} < {carelessly}: bad: [record] misnamed.Z: 0 is 0, expected 1 to 1048576`,
			`{rea} < {carelessly}: bad: [record] misnamed.d: not exported: reflection cannot set it; write D`,
		}},
		{"directions", func(m *hw.Module) {
			hw.Ports[undirected](m)             // reb
			hw.Reg[directed](m, "held")         // rec
			hw.Data[hw.Stream[hw.Bits]](m, "x") // red
		}, []string{
			`{reb} < {carelessly}: bad: [record] undirected.A: a port that is neither in nor out`,
			`{reb} < {carelessly}: bad: [record] undirected.B.C: in or out, in a field that is in or out`,
			`{rec} < {carelessly}: bad: [record] directed.A: in or out in a record that is not a port`,
			`{red} < {carelessly}: bad: [driver] reg "x_data" has no driver`,
			`{red} < {carelessly}: bad: [driver] reg "x_valid" has no driver`,
			`{red} < {carelessly}: bad: [record] Stream.Ready: goes back; only ports and wires can`,
		}},
		{"shapes", func(m *hw.Module) {
			a, b := lookup(8).Wire(m, "a"), lookup(9).Wire(m, "b")
			hw.Set(b, b)
			hw.Set(a, b)                         // ree
			hw.Shape[Lookup]{}.Reg(m, "none")    // ref
			lookup(8).Unpack(m, m.In("word", 3)) // reg
			s := hw.Wire[hw.Stream[Lookup]](m, "s")
			hw.Set(s, s)                                                                               // reh
			hw.Pack(s)                                                                                 // rei
			hw.Set(hw.Of[gridState](grid{2, 3}).Wire(m, "wide"), hw.Of[gridState](grid{3, 2}).Zero(m)) // rej
		}, []string{
			`{ree} < {carelessly}: bad: [record] Lookup.Tag has 8 bits, from one of 9: the record has two shapes here`,
			`{ref} < {carelessly}: bad: [record] a Shape that was never set; use Of or Width`,
			`{reg} < {carelessly}: bad: [width] the packed Lookup has 3 bits, expected 16; use Ext, SExt or Trunc`,
			`{reh} < {carelessly}: bad: [record] Stream.Ready goes back; use Connect`,
			`{rei} < {carelessly}: bad: [record] Stream.Ready goes back, and cannot be packed`,
			`{rej} < {carelessly}: bad: [record] gridState.Cells.X has 2x3x5 bits, from one of 3x2x5: the record has two shapes here`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := hw.Elaborate(careless{Sizes{Tag: 8, Ways: 4}, &c.describe}) // elaborated
			requireErrors(t, err, c.want, marks(t))
		})
	}
}
