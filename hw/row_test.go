package hw_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/hwtest"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// grid has Rows x Cols cells, written and read at positions that hardware selects.
type grid struct{ Rows, Cols int }

func (p grid) RowBits() int { return hw.IndexWidth(p.Rows) }
func (p grid) ColBits() int { return hw.IndexWidth(p.Cols) }

type cell struct {
	X    hw.Bits `hw:"5"`
	Tags hw.Vec  `hw:"3,len=2"`
}

type gridPorts struct {
	Write    hw.Bits                    `hw:"in"`
	Fill     hw.Bits                    `hw:"in" doc:"writes a row"`
	Row      hw.Bits                    `hw:"in,RowBits"`
	Col      hw.Bits                    `hw:"in,ColBits"`
	Cell     cell                       `hw:"in"`
	Line     hw.Array[cell]             `hw:"in,len=Cols"`
	Chosen   cell                       `hw:"out"`
	Whole    hw.Array[cell]             `hw:"out,len=Cols" doc:"the row"`
	First    hw.Array[cell]             `hw:"out,len=Cols"`
	Corner   cell                       `hw:"out"`
	Column   hw.Array[cell]             `hw:"out,len=Rows"`
	Turned   hw.Array[hw.Array[cell]]   `hw:"out,len=Cols,len=Rows"`
	Next     hw.Array[hw.Array[cell]]   `hw:"out,len=Rows,len=Cols"`
	Stored   hw.Stream[sent]            `hw:"out"`
	Sent     hw.Stream[sent]            `hw:"out"`
	TagsOnly hw.Array[hw.Array[hw.Vec]] `hw:"out,3,len=Rows,len=Cols,len=2"`
}

// sent is the payload of a stream.
type sent struct {
	Cells hw.Array[hw.Array[cell]] `hw:"len=Rows,len=Cols"`
}

type gridState struct {
	Cells hw.Array[hw.Array[cell]] `hw:"len=Rows,len=Cols,inline"`
}

func (p grid) Build(m *hw.Module) gridPorts {
	io := hw.Ports[gridPorts](m)
	now := hw.Reg[gridState](m, "cells").Cells
	m.When(io.Write, func() { hw.Set(now.Index(io.Row).Index(io.Col), io.Cell) })
	m.When(io.Fill, func() { hw.Set(now.Index(io.Row), io.Line) })
	hw.Set(io.Chosen, now.Index(io.Row).Index(io.Col))
	hw.Set(io.Whole, now.Index(io.Row))
	hw.Set(io.First, now.N(0))
	hw.Set(io.Corner, now.N(p.Rows-1).Index(io.Col))
	m.For("r", p.Rows, func(i hw.Index) {
		hw.Set(io.Column.At(i), now.At(i).Index(io.Col))
		hw.Set(io.Next.At(i), now.At(i))
		m.For("c", p.Cols, func(j hw.Index) {
			hw.Set(io.Turned.At(j).At(i), now.At(i).At(j))
			m.For("t", 2, func(k hw.Index) { io.TagsOnly.At(i).At(j).At(k).Set(now.At(i).At(j).Tags.At(k)) })
		})
	})
	mem := hw.Of[gridState](p).Mem(m, "past", 2)
	mem.Write(hw.Lit(1, 1), gridState{now})
	written := m.Reg("written", 1, 0)
	written.Set(hw.K(1))
	io.Stored.Valid.Set(written)
	hw.Set(io.Stored.Data.Cells, mem.Read(hw.Lit(1, 1)).Cells)
	io.Sent.Valid.Set(io.Sent.Data.Cells.N(0).N(0).X.Any())
	hw.Set(io.Sent.Data.Cells, now)
	m.Unused(io.Stored.Ready, io.Sent.Ready)
	return io
}

// cellValue is the value of a cell in the test bench.
type cellValue struct{ x, tag0, tag1 uint64 }

func peek(c cell) cellValue { return cellValue{c.X.Peek(), c.Tags.N(0).Peek(), c.Tags.N(1).Peek()} }

func (v cellValue) poke(c cell) {
	c.X.Poke(v.x)
	c.Tags.N(0).Poke(v.tag0)
	c.Tags.N(1).Poke(v.tag1)
}

func randomCell(r *rand.Rand) cellValue {
	return cellValue{r.Uint64N(32), r.Uint64N(8), r.Uint64N(8)}
}

// drive writes and reads cells and rows at valid and invalid positions.
func (p grid) drive(s sim.Simulator) error {
	tb := sim.Bind[gridPorts](s, p)
	r := rand.New(rand.NewPCG(1, 2))
	now := make([][]cellValue, p.Rows)
	for i := range now {
		now[i] = make([]cellValue, p.Cols)
	}
	var past [][]cellValue
	for step := range 200 {
		row, col := r.IntN(1<<p.RowBits()), r.IntN(1<<p.ColBits())
		tb.Row.Poke(uint64(row))
		tb.Col.Poke(uint64(col))
		one, line := randomCell(r), make([]cellValue, p.Cols)
		one.poke(tb.Cell)
		for j := range line {
			line[j] = randomCell(r)
			line[j].poke(tb.Line.N(j))
		}
		at := func(i, j int) (v cellValue) {
			if i < p.Rows && j < p.Cols {
				v = now[i][j]
			}
			return v
		}
		var wrong error
		expect := func(what string, got cell, want cellValue) {
			if v := peek(got); wrong == nil && v != want {
				wrong = fmt.Errorf("step %d: %s at %d, %d is %v, want %v", step, what, row, col, v, want)
			}
		}
		expect("chosen", tb.Chosen, at(row, col))
		expect("corner", tb.Corner, at(p.Rows-1, col))
		for j := range p.Cols {
			expect("whole", tb.Whole.N(j), at(row, j))
			expect("first", tb.First.N(j), at(0, j))
		}
		for i := range p.Rows {
			expect("column", tb.Column.N(i), at(i, col))
			for j := range p.Cols {
				expect("next", tb.Next.N(i).N(j), at(i, j))
				expect("turned", tb.Turned.N(j).N(i), at(i, j))
				expect("sent", tb.Sent.Data.Cells.N(i).N(j), at(i, j))
				if past != nil {
					expect("stored", tb.Stored.Data.Cells.N(i).N(j), past[i][j])
				}
				if got := tb.TagsOnly.N(i).N(j).N(1).Peek(); got != now[i][j].tag1 {
					return fmt.Errorf("step %d: tag %d, %d is %d, want %d", step, i, j, got, now[i][j].tag1)
				}
			}
		}
		if wrong != nil {
			return wrong
		}
		past = nil
		for _, line := range now {
			past = append(past, append([]cellValue{}, line...))
		}
		write, fill := r.Uint64N(2), r.Uint64N(4)/3
		tb.Write.Poke(write)
		tb.Fill.Poke(fill)
		if write == 1 && row < p.Rows && col < p.Cols {
			now[row][col] = one
		}
		if fill == 1 && row < p.Rows {
			copy(now[row], line)
		}
		if err := s.Step(); err != nil {
			return err
		}
	}
	return nil
}

func TestTwoDimensions(t *testing.T) {
	for _, p := range []grid{{4, 8}, {3, 5}} {
		hwtest.Run(t, p, p.drive)
	}
	for _, p := range []grid{{1, 1}, {1, 4}, {4, 1}, {5, 3}, {2, 6}, {1, 3}} {
		d, err := hw.Elaborate(p)
		require.NoError(t, err)
		s, err := interp.New(d)
		require.NoError(t, err)
		require.NoError(t, p.drive(s), p)
	}
	hwtest.Resets(t, grid{2, 3}, grid{2, 3}.drive)
}

func TestTwoDimensionsInVerilog(t *testing.T) {
	d, err := hw.Elaborate(grid{4, 8})
	require.NoError(t, err)
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	for _, line := range []string{
		"  output wire [191:0] turned_tags,       // 8 x 4 x 2 x 3 bits\n",
		"  reg [351:0] past [0:1]; // {x 4 x 8 x 5, tags 4 x 8 x 2 x 3}\n",
		"        cells_x[{row, col}*5 +: 5]          <= cell_x;\n",
		"  assign chosen_tags = cells_tags[{row, col}*6 +: 6];\n",
		"  assign whole_x     = cells_x[row*40 +: 40];\n",
		"        assign turned_x[(i + j*4)*5 +: 5]          = cells_x[(i*8 + j)*5 +: 5];\n",
	} {
		require.Contains(t, string(files[0].Text), line)
	}
}

// key is a record with a wide reset value.
type key struct {
	Word hw.Bits `hw:"130,reset=0x2_0123456789abcdef_fedcba9876543210"`
}

// keys has registers with wide reset values.
type keys struct{}

func (keys) Build(m *hw.Module) struct{} {
	held := hw.Reg[key](m, "held")
	hw.Set(held, key{Word: held.Word.Inc()})
	m.Out("a", 130).Set(held.Word)
	other := m.RegInit("other", hw.Wide(130, "2_0123456789abcdef_fedcba9876543210"))
	other.Set(other.Inc())
	m.Out("b", 130).Set(other)
	return struct{}{}
}

func TestWideResetValues(t *testing.T) {
	hwtest.Run(t, keys{}, func(s sim.Simulator) error {
		for i := range uint64(3) {
			for _, name := range []string{"a", "b"} {
				if got := sim.Find(s, name).Words(); !slices.Equal(got, []uint64{0xfedcba9876543210 + i, 0x0123456789abcdef, 2}) {
					return fmt.Errorf("%s is %x", name, got)
				}
			}
			if err := s.Step(); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestWithAndArrays: With leaves Arrays unchanged if it replaces another field.
func TestWithAndArrays(t *testing.T) {
	type packet struct {
		Cells hw.Array[hw.Bits] `hw:"4,len=2"`
		Kind  hw.Bits           `hw:"3"`
	}
	got := values(t, func(m *hw.Module, x hw.Bits) []hw.Bits {
		a := hw.Unpack[packet](m, hw.Lit(11, 0b0010_0001_011))
		return []hw.Bits{hw.Pack(hw.With(a, packet{Kind: hw.Lit(3, 4)}))}
	})
	require.Equal(t, [][]uint64{{0b0010_0001_100}}, got)
}

func TestMistakesInTwoDimensions(t *testing.T) {
	type outside struct {
		A hw.Array[hw.Array[hw.Bits]] `hw:"len=3"`
		B hw.Array[hw.Bits]           `hw:"2,len=3,len=4"`
	}
	for _, c := range []mistake{
		{"tags", func(m *hw.Module) {
			hw.Reg[outside](m, "o") // rwa
		}, []string{
			"{rwa} < {carelessly}: bad: [record] outside.A[]: hw.Array[github.com/hotline-rtl/hotline/hw.Bits] without len=",
			"{rwa} < {carelessly}: bad: [record] outside.B[]: len= is for Vec, Array and slices",
		}},
		{"reset values", func(m *hw.Module) {
			type wide struct {
				A hw.Bits `hw:"3,reset=0x8"`
				B hw.Bits `hw:"3,reset=0xno"`
				C hw.Bits `hw:"3,reset=8"`
			}
			hw.Reg[wide](m, "w") // rwf
			a := m.In("a", 70)
			r := m.RegInit("r", a) // rwg
			r.Set(a)
			k := m.RegInit("k", hw.K(1)) // rwh
			k.Set(hw.K(1))
		}, []string{
			`{rwf} < {carelessly}: bad: [record] wide.A: reset value 0x8 does not fit in 3 bits`,
			`{rwf} < {carelessly}: bad: [record] wide.B: "0xno" is not a hexadecimal number`,
			`{rwf} < {carelessly}: bad: [record] wide.C: reset value 8 does not fit in 3 bits`,
			`{rwg} < {carelessly}: bad: [const] the reset value of "r" is not constant`,
			`{rwh} < {carelessly}: bad: [const] a constant without width; use Lit`,
		}},
		{"positions", func(m *hw.Module) {
			g := hw.Of[gridState](grid{3, 5}).Reg(m, "g").Cells
			g.N(3).N(0).X.Set(hw.K(0))                                                 // rwb
			g.N(0).N(5).X.Set(hw.K(0))                                                 // rwc
			g.Index(m.In("row", 3)).N(0).X.Set(hw.K(0))                                // rwd
			g.N(0).Vec(func(c cell) hw.Bits { return c.X }).Set(m.InVec("line", 4, 5)) // rwe
			hw.Set(g, g)
		}, []string{
			"{rwb} < {carelessly}: bad: [width] element 3 of a vector of 3",
			"{rwc} < {carelessly}: bad: [width] element 5 of a vector of 5",
			"{rwd} < {carelessly}: bad: [width] the index has 3 bits, expected 2; use Ext, SExt or Trunc",
			"{rwe} < {carelessly}: bad: [width] a row of 5x5 bits, the value has 4x5",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := hw.Elaborate(careless{Sizes{Tag: 8, Ways: 4}, &c.describe})
			requireErrors(t, err, c.want, marks(t))
		})
	}
}
