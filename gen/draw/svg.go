package draw

import (
	"fmt"
	"html"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Sizes in pixels.
const (
	narrow    = 420 // width of a picture, unless it has many edges
	margin    = 10
	gap       = 14 // between boxes
	line      = 15 // height of a line of text
	character = 6.2
	head      = 36  // height of the header
	inner     = 8   // space around the text of a box
	smallest  = 200 // minimum width of a box
	first     = 12  // distance between the boxes and the first lane
	wide      = 9   // width of a lane of streams
	thin      = 6   // width of a lane of signals
	apart     = 5   // distance between edges of a lane
	bend      = 4   // radius of the corners of an edge
)

// SVG returns the picture of a module. Boxes of modules in names have these lines, too.
func SVG(m *ir.Module, names map[string]string) string {
	g := newGraph(m, names)
	p := picture{graph: g, boxes: g.sort()}
	for _, e := range g.edges {
		switch {
		case e.from.isPort() || e.to.isPort():
		case e.stream:
			p.streams = append(p.streams, e)
		default:
			p.signals = append(p.signals, e)
		}
	}
	p.arrange()
	return p.svg(m)
}

// picture is a graph with its layout: a column of boxes, with streams to the right of it and other
// signals to the left.
type picture struct {
	*graph
	boxes            []*node
	streams, signals []*edge
	left, right      float64 // sides of the boxes
	width, height    float64
}

const style = `<style>
svg { font: 12px "Helvetica Neue", Helvetica, Arial, sans-serif; --ink: #1c2733; --soft: #66727f; --paper: #ffffff; --box: #eaf3ea; --edge: #3c7a4a; --stream: #24518f; }
@media (prefers-color-scheme: dark) { svg { --ink: #e6ebf0; --soft: #9aa7b4; --paper: #161b21; --box: #20301f; --edge: #7fc08c; --stream: #8db8f2; } }
text { fill: var(--ink); }
.soft { fill: var(--soft); font-size: 11px; }
.name { font-weight: bold; }
.module { fill: var(--paper); stroke: var(--soft); }
.box { fill: var(--box); stroke: var(--edge); }
.stream { fill: none; stroke: var(--stream); stroke-width: 1.8; marker-end: url(#bold); }
.signal { fill: none; stroke: var(--soft); stroke-width: 0.8; marker-end: url(#thin); }
.stream:hover, .signal:hover { stroke-width: 4; }
.label { font-size: 11px; fill: var(--stream); }
</style>
<defs>
<marker id="bold" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto" markerUnits="userSpaceOnUse"><path d="M0,0 L8,4 L0,8 z" fill="#4a7fc4"/></marker>
<marker id="thin" markerWidth="6" markerHeight="6" refX="5" refY="3" orient="auto" markerUnits="userSpaceOnUse"><path d="M0,0 L6,3 L0,6 z" fill="#8a97a4"/></marker>
</defs>
`

func (p *picture) svg(m *ir.Module) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-labelledby="title">`+"\n", p.width, p.height, p.width, p.height)
	fmt.Fprintf(&b, "<title id=\"title\">Block diagram of the module %s</title>\n%s", html.EscapeString(m.Name), style)
	fmt.Fprintf(&b, `<rect class="module" x="2" y="2" width="%.0f" height="%.0f" rx="6"/><text class="name" x="%d" y="23">%s</text>`+"\n", p.width-4, p.height-4, margin, html.EscapeString(m.Name))
	for _, n := range p.boxes {
		p.draw(&b, n)
	}
	for _, e := range p.streams {
		e.draw(&b, "stream", p.right, first+wide*float64(e.route.lane))
	}
	for _, e := range p.signals {
		e.draw(&b, "signal", p.left, -first-thin*float64(e.route.lane))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// arrange computes the coordinates. The lanes of the edges depend on the heights of the boxes, which
// depend on the width that the lanes leave.
func (p *picture) arrange() {
	p.left, p.right = margin, narrow-margin
	for range 2 {
		p.stack()
		p.left = margin + first + thin*float64(lanes(p.signals))
		space := first + wide*float64(lanes(p.streams))
		p.width = max(narrow, p.left+smallest+space+margin)
		p.right = p.width - margin - space
	}
	p.stack()
}

// stack places the boxes below each other, and the ends of edges at their sides.
func (p *picture) stack() {
	y := float64(head)
	for _, n := range p.boxes {
		n.top = y
		n.bottom = y + p.boxHeight(n)
		y = n.bottom + gap
	}
	p.height = y - gap + margin
	for _, n := range p.boxes {
		p.meet(n)
	}
}
