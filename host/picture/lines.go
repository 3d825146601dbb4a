package picture

import (
	"math"
	"slices"
)

// Line is a line through points. One without points is not drawn, but keeps its
// colour and sign from the others: so a system can have the same ones in every
// chart.
type Line struct {
	Name      string
	X, Y      []float64
	Low, High []float64 // of the range of each point; nil if there is none
	Dashed    bool
	Loose     bool // points that no line connects
}

// Lines is a chart of lines.
type Lines struct {
	Title, Text string
	X, Y        Axis
	Lines       []Line
}

// Size of a chart and its margins.
const (
	linesWidth                         = 500
	linesLeft, linesRight, linesTop    = 64, 18, 56
	plotHeight, linesBelow, legendLine = 240, 44, 17
	// marked is how many points of a line have a sign of their own.
	marked = 40
	// nameLeft is where a name stands beside its line in the legend.
	nameLeft = 30
)

// SVG draws the chart, with a legend below.
func (l Lines) SVG() string {
	var xs, ys []float64
	for _, line := range l.Lines {
		xs, ys = append(xs, line.X...), slices.Concat(ys, line.Y, line.Low, line.High)
	}
	bottom := float64(linesTop + plotHeight)
	x, y := l.X.newScale(linesLeft, linesWidth-linesRight, xs...), l.Y.newScale(bottom, linesTop, ys...)
	c := newCanvas(l.Title, l.Text, linesWidth, bottom+linesBelow+l.legendHeight())
	c.textIn(linesWidth-20, 10, 20, "start", "head", l.Title)
	c.textIn(linesWidth-20, 10, 42, "start", "small", l.Y.Label)
	for _, t := range y.ticks {
		c.line("grid", linesLeft, y.at(t), linesWidth-linesRight, y.at(t))
		c.textIn(linesLeft-10, linesLeft-6, y.at(t)+4, "end", "small", y.text(t))
	}
	x.vertical(c, linesTop, bottom)
	c.textIn(linesWidth-linesLeft, (linesLeft+linesWidth-linesRight)/2, bottom+34, "middle", "small", l.X.Label)
	for _, i := range l.drawn() {
		c.add("<g %s><title>%s</title>", colour(i, len(l.Lines)), escape(l.Lines[i].Name))
		l.Lines[i].draw(c, i, x, y)
		c.add("</g>\n")
	}
	l.legend(c, bottom+linesBelow)
	return c.svg()
}

// drawn are the numbers of the lines with points.
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

// columns is how many names stand beside each other in the legend.
func (l Lines) columns() int {
	widest := 0.0
	for _, line := range l.Lines {
		widest = max(widest, extent(line.Name, sizes["small"]))
	}
	return max(1, min(3, int((linesWidth-20)/(widest+nameLeft+6))))
}

func (l Lines) legendHeight() float64 {
	return math.Ceil(float64(len(l.drawn()))/float64(l.columns()))*legendLine + 8
}

func (l Lines) legend(c *canvas, top float64) {
	n, width := l.columns(), float64(linesWidth-20)/float64(l.columns())
	for at, i := range l.drawn() {
		line := l.Lines[i]
		x, y := 10+width*float64(at%n), top+12+legendLine*float64(at/n)
		c.add("<g %s>", colour(i, len(l.Lines)))
		if !line.Loose {
			c.add(`<path class="%s" d="M%.1f %.1fh24"/>`, line.stroke(), x, y-4)
		}
		sign(c, i, x+12, y-4)
		c.add("</g>")
		c.textIn(width-nameLeft, x+nameLeft, y, "start", "small", line.Name)
	}
}
