package picture

import "fmt"

// Bits shows for a document how fields of bits become the fields of another number, from the top
// down. Fields of one colour in rows below each other are connected.
type Bits struct {
	Title, Text string
	Columns     int // bits side by side
	Rows        []BitRow
	Notes       []string // below the picture
}

// BitRow is a number.
type BitRow struct {
	Name   string
	Fields []BitField
	Step   string // how the next row is made
}

// BitField is a part of a number.
type BitField struct {
	Name, Value string
	Column      int // of its first bit, from the left
	Bits        int
	Colour      int
}

const bitName, bitBox, bitStep, bitCount = 17, 30, 34, 13

// SVG draws the rows.
func (b Bits) SVG() string {
	below := newNotes(b.Notes)
	row := float64(bitName + bitBox + bitCount + bitStep)
	c, top := newNarrow(b.Title, b.Text, func(top float64) float64 {
		return top + row*float64(len(b.Rows)) - bitStep + 12 + below.height() + 6
	})
	for i, r := range b.Rows {
		y := top + row*float64(i)
		c.text(10, y+12, "start", "small strong", r.Name)
		if i+1 < len(b.Rows) {
			b.connect(c, r, b.Rows[i+1], y+bitName+bitBox+bitCount, y+row+bitName)
			c.text(narrow/2, y+row-bitStep/2+6, "middle", "small backed", r.Step)
		}
		for _, f := range r.Fields {
			b.field(c, f, y+bitName)
		}
	}
	below.draw(c, top+row*float64(len(b.Rows))-bitStep+12)
	return c.svg()
}

// x returns the position of a column.
func (b Bits) x(column int) float64 {
	return 10 + (narrow-20)*float64(column)/float64(b.Columns)
}

// field draws a field with its value, and its number of bits below.
func (b Bits) field(c *canvas, f BitField, y float64) {
	x, to := b.x(f.Column), b.x(f.Column+f.Bits)
	c.add(`<g class="c%d"><rect class="part" x="%.1f" y="%.1f" width="%.1f" height="%d" rx="3"/></g>`+"\n", f.Colour, x+1, y, to-x-2, bitBox)
	c.text((x+to)/2, y+13, "middle", "label strong", f.Name)
	c.text((x+to)/2, y+25, "middle", "small", f.Value)
	c.text((x+to)/2, y+bitBox+10, "middle", "small", fmt.Sprint(f.Bits, " bits"))
}

// connect draws a band between each two fields of the same colour.
func (b Bits) connect(c *canvas, from, to BitRow, top, bottom float64) {
	for _, f := range from.Fields {
		for _, g := range to.Fields {
			if f.Colour == g.Colour {
				c.add(`<path class="c%d" style="fill:currentColor;fill-opacity:.1" d="M%.1f %.1fH%.1fL%.1f %.1fH%.1fz"/>`+"\n",
					f.Colour, b.x(f.Column)+1, top, b.x(f.Column+f.Bits)-1, b.x(g.Column+g.Bits)-1, bottom, b.x(g.Column)+1)
			}
		}
	}
}
