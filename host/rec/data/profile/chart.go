package profile

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// line is a line of a chart; y is a share, 0 to 1.
type line struct {
	name   string
	x, y   []float64
	colour string
	dashed bool
	loose  bool // points that no line connects
}

// chart is a picture of lines as SVG that needs nothing else. With logX, x is a share above 0 on a logarithmic axis, else it is
// counted from 1.
type chart struct {
	title, xLabel, yLabel string
	logX                  bool
	lines                 []line
}

// Size of a chart, and of the margins of its plot, in pixels.
const (
	width, height            = 860, 400
	left, right, top, bottom = 60, 240, 40, 50
)

// mostNames is how many lines the legend has room for.
const mostNames = 28

// palette has colours that the colour-blind can tell apart (Okabe and Ito).
var palette = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

func (c chart) svg() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" `+
		`font-family="sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<title>%s</title><rect width="%d" height="%d" fill="#fff"/>`+"\n", html.EscapeString(c.title), width, height)
	label := func(x, y float64, anchor, more, text string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>`+"\n", x, y, anchor, more, html.EscapeString(text))
	}
	label(left, 22, "start", ` font-size="15"`, c.title)
	label((left+width-right)/2, height-10, "middle", "", c.xLabel)
	label(16, (top+height-bottom)/2, "middle", fmt.Sprintf(` transform="rotate(-90 16 %d)"`, (top+height-bottom)/2), c.yLabel)
	low, high, ticks := c.xAxis()
	x := func(v float64) float64 { return left + (v-low)/(high-low)*(width-left-right) }
	y := func(v float64) float64 { return height - bottom - v*(height-top-bottom) }
	for i := range 6 {
		v := float64(i) / 5
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#ddd"/>`+"\n", left, y(v), width-right)
		label(left-6, y(v)+4, "end", "", fmt.Sprintf("%d %%", 20*i))
	}
	for _, t := range ticks {
		fmt.Fprintf(&b, `<path d="M%.1f %dV%d" stroke="#ddd"/>`+"\n", x(t.at), top, height-bottom)
		label(x(t.at), height-bottom+18, "middle", "", t.text)
	}
	for i, l := range c.lines {
		c.draw(&b, i, l, x, y)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// draw draws a line, its points, and its name in the legend, if there is room for one.
func (c chart) draw(b *strings.Builder, i int, l line, x, y func(float64) float64) {
	style := fmt.Sprintf(`fill="none" stroke="%s" stroke-width="1.5"`, l.colour)
	if l.dashed {
		style += ` stroke-dasharray="5 4"`
	}
	fmt.Fprintf(b, `<g><title>%s</title><path %s d="`, html.EscapeString(l.name), style)
	command, radius := "M", 2
	if l.loose {
		radius = 4
	}
	for j := range l.x {
		fmt.Fprintf(b, "%s%.1f %.1f", command, x(c.place(l.x[j])), y(l.y[j]))
		if !l.loose {
			command = "L"
		}
	}
	b.WriteString(`"/>`)
	for j := range l.x {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%d" fill="%s"/>`, x(c.place(l.x[j])), y(l.y[j]), radius, l.colour)
	}
	b.WriteString("</g>\n")
	if len(c.lines) <= mostNames {
		at := top + 8 + float64(i)*min(16, float64(height-top-10)/float64(len(c.lines)))
		if !l.loose {
			fmt.Fprintf(b, `<path %s d="M%d %.1fh24"/>`, style, width-right+12, at-4)
		}
		fmt.Fprintf(b, `<circle cx="%d" cy="%.1f" r="%d" fill="%s"/>`, width-right+24, at-4, radius, l.colour)
		fmt.Fprintf(b, `<text x="%d" y="%.1f" font-size="11">%s</text>`+"\n", width-right+42, at, html.EscapeString(l.name))
	}
}

// colour is that of line i of n.
func colour(i, n int) string {
	if n <= len(palette) {
		return palette[i]
	}
	return fmt.Sprintf("hsl(%d,75%%,%d%%)", 360*i/n, 35+15*(i%2))
}

// place is where a value lies on the x axis.
func (c chart) place(v float64) float64 {
	if c.logX {
		return math.Log10(v)
	}
	return v
}

type tick struct {
	at   float64
	text string
}

// xAxis returns the ends of the x axis and its ticks.
func (c chart) xAxis() (low, high float64, ticks []tick) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, l := range c.lines {
		for _, v := range l.x {
			low, high = min(low, c.place(v)), max(high, c.place(v))
		}
	}
	if !c.logX {
		for v := low; v <= high; v += math.Ceil((high - low + 1) / 12) {
			ticks = append(ticks, tick{v, fmt.Sprintf("%.0f", v)})
		}
		return low - 0.5, high + 0.5, ticks
	}
	low, high = math.Floor(low), math.Ceil(high)
	if low == high {
		low--
	}
	for v := low; v <= high; v++ {
		ticks = append(ticks, tick{v, fmt.Sprintf("%.6g %%", 100*math.Pow(10, v))})
	}
	return low, high, ticks
}
