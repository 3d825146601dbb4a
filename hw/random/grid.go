package random

import "github.com/hotline-rtl/hotline/hw"

// grid is a two-dimensional piece.
type grid struct{ Rows, Cols, Width int }

type cells struct {
	Cells hw.Array[hw.Array[hw.Bits]] `hw:"Width,len=Rows,len=Cols,inline"`
}

// grid declares cells that are written and read individually and by row.
func (b *builder) grid() {
	p := grid{Rows: b.length(), Cols: b.length(), Width: min(b.width(), 70)}
	of, name := hw.Of[cells](p), b.name("grid")
	switch {
	case b.chance(3):
		g := of.Wire(b.m, name)
		for i := range p.Rows {
			b.setRow(g.Cells.N(i))
		}
		b.keepGrid(p, g.Cells)
	case b.unreset || b.chance(3):
		b.writeGrid(p, of.Data(b.m, name).Cells)
	default:
		b.writeGrid(p, of.Reg(b.m, name).Cells)
	}
}

// one returns a row as a vector.
func one(row hw.Array[hw.Bits]) hw.Vec { return row.Vec(func(x hw.Bits) hw.Bits { return x }) }

func (b *builder) setRow(row hw.Array[hw.Bits]) {
	v := one(row)
	v.Set(b.vec(v.Len(), v.Width(), 1))
}

func (b *builder) writeGrid(p grid, g hw.Array[hw.Array[hw.Bits]]) {
	row := func() hw.Array[hw.Bits] {
		if b.chance(2) {
			return g.N(b.r.IntN(p.Rows))
		}
		return g.Index(b.bits(hw.IndexWidth(p.Rows), 1))
	}
	b.m.When(b.bits(1, 1), func() { row().Index(b.bits(hw.IndexWidth(p.Cols), 1)).Set(b.bits(p.Width, 2)) })
	b.m.When(b.bits(1, 1), func() { row().N(b.r.IntN(p.Cols)).Set(b.bits(p.Width, 1)) })
	if b.chance(2) {
		b.m.When(b.bits(1, 1), func() { b.setRow(row()) })
	}
	b.keepGrid(p, g)
}

func (b *builder) keepGrid(p grid, g hw.Array[hw.Array[hw.Bits]]) {
	b.keep(g.Index(b.bits(hw.IndexWidth(p.Rows), 1)).Index(b.bits(hw.IndexWidth(p.Cols), 1)))
	b.keepVec(one(g.Index(b.bits(hw.IndexWidth(p.Rows), 1))))
	b.keepVec(one(g.N(b.r.IntN(p.Rows))))
}
