package picture

import (
	"regexp"
	"strings"
)

// Boxes shows for a document the parts of a structure, in a grid from the top down, and arrows
// between them.
type Boxes struct {
	Title, Text string
	Boxes       []Box
	Arrows      []BoxArrow
	Notes       []string // below the picture
}

// BoxColumns is the number of columns of the grid.
const BoxColumns = 12

// Box is a part. It takes columns from Column to End of a row, or of several rows.
type Box struct {
	Row, Rows   int // Rows is 0 or the number of rows
	Column, End int
	Name        string
	Lines       []string
	Colour      int
	Dashed      bool
}

// BoxArrow leads from one box to another, down or to the right. The boxes must have a column or a
// row in common.
type BoxArrow struct {
	From, To int
	Label    string // of an arrow that leads down
	Both     bool   // the arrow has two heads
}

const (
	boxTop, boxBelow = 8, 7 // space around the text of a box
	boxGap           = 14   // between boxes of a row
	boxArrow         = 20   // height of an arrow, without its label
)

// SVG draws the boxes.
func (b Boxes) SVG() string {
	below := newNotes(b.Notes)
	tops, bottoms := b.rows()
	height := bottoms[len(bottoms)-1] + 12
	c, top := newNarrow(b.Title, b.Text, func(top float64) float64 { return top + height + below.height() + 6 })
	for _, box := range b.Boxes {
		box.draw(c, top+tops[box.Row], top+bottoms[box.last()])
	}
	for _, a := range b.Arrows {
		from, to := b.Boxes[a.From], b.Boxes[a.To]
		if from.last() < to.Row {
			a.down(c, overlap(from, to), top+bottoms[from.last()], top+tops[to.Row])
		} else {
			y := top + (tops[max(from.Row, to.Row)]+bottoms[min(from.last(), to.last())])/2
			a.right(c, from.right(), to.left(), y)
		}
	}
	below.draw(c, top+height)
	return c.svg()
}

// rows returns where each row begins and ends, from the first.
func (b Boxes) rows() (tops, bottoms []float64) {
	count := 0
	for _, box := range b.Boxes {
		count = max(count, box.last()+1)
	}
	heights, gaps := make([]float64, count), make([]float64, count)
	for _, box := range b.Boxes {
		if box.Row == box.last() {
			heights[box.Row] = max(heights[box.Row], box.height())
		}
	}
	for i := range gaps {
		gaps[i] = boxArrow
	}
	for _, a := range b.Arrows {
		if from, to := b.Boxes[a.From], b.Boxes[a.To]; a.Label != "" && from.last() < to.Row {
			gaps[to.Row-1] = boxArrow + textHeight
		}
	}
	y := 0.0
	for i := range heights {
		tops, bottoms = append(tops, y), append(bottoms, y+heights[i])
		y += heights[i] + gaps[i]
	}
	return tops, bottoms
}

func (b Box) last() int      { return b.Row + max(b.Rows, 1) - 1 }
func (b Box) left() float64  { return 10 + (narrow-20+boxGap)*float64(b.Column)/BoxColumns }
func (b Box) right() float64 { return 10 + (narrow-20+boxGap)*float64(b.End)/BoxColumns - boxGap }

// overlap returns the middle of the columns that two boxes have in common.
func overlap(a, b Box) float64 {
	return (max(a.left(), b.left()) + min(a.right(), b.right())) / 2
}

// text returns the lines of the name and the lines below it.
func (b Box) text() (name, small []string) {
	width := b.right() - b.left() - 12
	for _, line := range b.Lines {
		small = append(small, divideNames(line, width, "small")...)
	}
	return divideNames(b.Name, width, "label"), small
}

// divideNames divides text like divide, and names in it also after slashes and periods.
func divideNames(s string, width float64, size string) (lines []string) {
	line := ""
	for _, word := range strings.Fields(s) {
		space := " "
		for _, part := range namePart.FindAllString(word, -1) {
			if line != "" && extent(line+space+part, sizes[size]) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimSpace(line + space + part)
			space = ""
		}
	}
	return append(lines, line)
}

var namePart = regexp.MustCompile(`[^/.]+[/.]*|[/.]+`)

func (b Box) height() float64 {
	name, small := b.text()
	return boxTop + boxBelow + textHeight*float64(len(name)+len(small))
}

func (b Box) draw(c *canvas, top, bottom float64) {
	class := "part"
	if b.Dashed {
		class = "part dashed"
	}
	c.add(`<g class="c%d"><rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="4"/></g>`+"\n",
		b.Colour, class, b.left(), top, b.right()-b.left(), bottom-top)
	name, small := b.text()
	c.lines(b.left()+6, top+boxTop+10, textHeight, "start", "label strong", name)
	c.lines(b.left()+6, top+boxTop+10+textHeight*float64(len(name)), textHeight, "start", "small", small)
}

func (a BoxArrow) down(c *canvas, x, y0, y1 float64) {
	c.line("arrow", x, y0+2, x, y1-3)
	c.add(`<path class="tip" d="M%.1f %.1fl-3.5 -6h7z"/>`+"\n", x, y1-1)
	if a.Both {
		c.add(`<path class="tip" d="M%.1f %.1fl-3.5 6h7z"/>`+"\n", x, y0+1)
	}
	if a.Label != "" {
		c.textIn(narrow-x-12, x+8, (y0+y1)/2+4, "start", "small", a.Label)
	}
}

func (a BoxArrow) right(c *canvas, x0, x1, y float64) {
	c.line("arrow", x0+1, y, x1-2, y)
	c.add(`<path class="tip" d="M%.1f %.1fl-5 -3v6z"/>`+"\n", x1-1, y)
	if a.Both {
		c.add(`<path class="tip" d="M%.1f %.1fl5 -3v6z"/>`+"\n", x0+1, y)
	}
}
