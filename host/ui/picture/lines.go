package picture

import (
	"slices"
)

// Line is a line through points. A line without points is not drawn but reserves its colour and
// sign. A system can therefore have the same colour and sign in every chart.
type Line struct {
	Name      string
	X, Y      []float64
	Low, High []float64 // range of each point; nil if there is none
	Dashed    bool
	Loose     bool // points without a connecting line
}

// Lines is a chart of lines.
type Lines struct {
	Title, Text string
	Untitled    bool // the page shows the title above the picture
	X, Y        Axis
	Lines       []Line
}

// Size of a chart and its margins.
const (
	linesWidth                         = 500
	linesLeft, linesRight              = 64, 18
	plotHeight, linesBelow, legendLine = 240, 44, 17
	// marked is the maximum number of points of a line for which each point has a sign.
	marked = 40
	// nameLeft is the offset of a name from its line in the legend.
	nameLeft = 30
)

// SVG draws the chart, with a legend below.
func (l Lines) SVG() string {
	var xs, ys []float64
	for _, line := range l.Lines {
		xs, ys = append(xs, line.X...), slices.Concat(ys, line.Y, line.Low, line.High)
	}
	x, y := l.X.newScale(linesLeft, linesWidth-linesRight, xs...), l.Y.newScale(plotHeight, 0, ys...)
	x.right = linesWidth
	head := newHead(l.Title, y.label(), l.Untitled, linesWidth-20)
	top := head.height() + 11
	bottom := top + plotHeight
	y.from, y.to = bottom, top
	label := divide(x.label(), linesWidth-linesLeft-linesRight, "small")
	below := bottom + x.below() + linesBelow + more(label)
	c := newCanvas(l.Title, l.Text, linesWidth, below+l.legendHeight())
	head.draw(c, 10)
	texts, _ := y.texts()
	for i, t := range y.ticks {
		c.line("grid", linesLeft, y.at(t), linesWidth-linesRight, y.at(t))
		c.textIn(linesLeft-6, linesLeft-6, y.at(t)+4, "end", "small", texts[i])
	}
	x.vertical(c, top, bottom)
	c.lines((linesLeft+linesWidth-linesRight)/2, bottom+34+x.below(), textHeight, "middle", "small", label)
	for _, i := range l.drawn() {
		c.add("<g %s><title>%s</title>", colour(i, len(l.Lines)), escape(l.Lines[i].Name))
		l.Lines[i].draw(c, i, x, y)
		c.add("</g>\n")
	}
	l.legend(c, below)
	return c.svg()
}

// drawn returns the indices of the lines with points.
func (l Lines) drawn() []int {
	var list []int
	for i, line := range l.Lines {
		if len(line.X) > 0 {
			list = append(list, i)
		}
	}
	return list
}

// draw draws line i.
func (l Line) draw(c *canvas, i int, x, y scale) {
	if !l.Loose {
		c.add(`<path class="%s" d="`, l.stroke())
		for j := range l.X {
			c.add("%c%.1f %.1f", "ML"[min(j, 1)], x.at(l.X[j]), y.at(l.Y[j]))
		}
		c.add(`"/>`)
	}
	for j := range l.Low {
		c.add(`<path class="range" d="M%.1f %.1fh6m-3 0V%.1fm-3 0h6"/>`, x.at(l.X[j])-3, y.at(l.Low[j]), y.at(l.High[j]))
	}
	if len(l.X) > marked {
		return
	}
	for j := range l.X {
		sign(c, i, x.at(l.X[j]), y.at(l.Y[j]))
	}
}

func (l Line) stroke() string {
	if l.Dashed {
		return "line dashed"
	}
	return "line"
}

// sign marks a point of line i.
func sign(c *canvas, i int, x, y float64) {
	shapes := []string{"m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0z", "m-2.5-2.5h5v5h-5z", "m0-3.5l3.5 3.5l-3.5 3.5l-3.5-3.5z", "m0-3.5l3 5.5h-6z"}
	c.add(`<path class="point" d="M%.1f %.1f%s"/>`, x, y, shapes[i%len(shapes)])
}

// columns returns the number of columns in the legend.
func (l Lines) columns() int {
	widest := 0.0
	for _, line := range l.Lines {
		widest = max(widest, extent(line.Name, sizes["small"]))
	}
	return max(1, min(3, int((linesWidth-20)/(widest+nameLeft+6))))
}

// legendNames returns the names of the lines with points, each divided to the width of a column.
func (l Lines) legendNames() (names [][]string, width float64) {
	width = float64(linesWidth-20) / float64(l.columns())
	for _, i := range l.drawn() {
		names = append(names, divide(l.Lines[i].Name, width-nameLeft, "small"))
	}
	return names, width
}

func (l Lines) legendHeight() float64 {
	names, _ := l.legendNames()
	height := 8.
	for row := range slices.Chunk(names, l.columns()) {
		height += rowHeight(row)
	}
	return height
}

// rowHeight returns the height of a row of the legend.
func rowHeight(names [][]string) (height float64) {
	for _, name := range names {
		height = max(height, legendLine+more(name))
	}
	return height
}

func (l Lines) legend(c *canvas, top float64) {
	n, y := l.columns(), top+12
	names, width := l.legendNames()
	for at, i := range l.drawn() {
		line := l.Lines[i]
		if at > 0 && at%n == 0 {
			y += rowHeight(names[at-n : at])
		}
		x := 10 + width*float64(at%n)
		c.add("<g %s>", colour(i, len(l.Lines)))
		if !line.Loose {
			c.add(`<path class="%s" d="M%.1f %.1fh24"/>`, line.stroke(), x, y-4)
		}
		sign(c, i, x+12, y-4)
		c.add("</g>")
		c.lines(x+nameLeft, y, textHeight, "start", "small", names[at])
	}
}
