package draw

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Sizes in pixels.
const (
	margin    = 16
	gap       = 18 // between boxes of a column
	line      = 15 // height of a line of text
	character = 6.7
	head      = 44 // height of the header
	lane      = 10 // height of the place of an edge in a column
	most      = 5  // maximum lines of instances in a box
	longest   = 30 // maximum characters of a line
	pitch     = 15 // distance between the ends of edges at a side of a box
)

// SVG returns the picture of a module. Boxes of modules in names have these lines, too.
func SVG(m *ir.Module, names map[string]string) string {
	g := newGraph(m, names)
	columns := g.layers()
	width, height := g.arrange(columns)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-labelledby="title">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title id=\"title\">Block diagram of the module %s</title>\n%s", html.EscapeString(m.Name), style)
	fmt.Fprintf(&b, `<rect class="module" x="4" y="4" width="%.0f" height="%.0f" rx="6"/><text class="name" x="%d" y="26">%s</text>`+"\n", width-8, height-8, margin, html.EscapeString(m.Name))
	for _, e := range g.edges {
		e.draw(&b)
	}
	for _, n := range g.nodes {
		n.draw(&b)
	}
	for _, e := range g.edges {
		e.label(&b)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

const style = `<style>
svg { font: 12px "Helvetica Neue", Helvetica, Arial, sans-serif; --ink: #1c2733; --soft: #66727f; --paper: #ffffff; --box: #eaf3ea; --edge: #3c7a4a; --stream: #24518f; }
@media (prefers-color-scheme: dark) { svg { --ink: #e6ebf0; --soft: #9aa7b4; --paper: #161b21; --box: #20301f; --edge: #7fc08c; --stream: #8db8f2; } }
text { fill: var(--ink); }
.soft { fill: var(--soft); font-size: 11px; }
.name { font-weight: bold; }
.module { fill: var(--paper); stroke: var(--soft); }
.box { fill: var(--box); stroke: var(--edge); }
.stream { fill: none; stroke: var(--stream); stroke-width: 2; marker-end: url(#bold); }
.signal { fill: none; stroke: var(--soft); stroke-width: 0.8; opacity: 0.55; marker-end: url(#thin); }
.label { font-size: 11px; fill: var(--stream); stroke: var(--paper); stroke-width: 3; paint-order: stroke; }
</style>
<defs>
<marker id="bold" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto" markerUnits="userSpaceOnUse"><path d="M0,0 L8,4 L0,8 z" fill="#4a7fc4"/></marker>
<marker id="thin" markerWidth="6" markerHeight="6" refX="5" refY="3" orient="auto" markerUnits="userSpaceOnUse"><path d="M0,0 L6,3 L0,6 z" fill="#8a97a4"/></marker>
</defs>
`

// arrange sets the coordinates of all nodes, and returns the size of the picture.
func (g *graph) arrange(columns [][]*node) (width, height float64) {
	space, ends := g.spaces(columns), g.ends()
	x := float64(margin)
	for i, c := range columns {
		widest := 0.0
		for _, n := range c {
			n.size(ends[n])
			widest = max(widest, n.w)
		}
		total := head + 0.0
		for _, n := range c {
			n.x, n.y = x+(widest-n.w)/2, total
			if n.name == "" {
				n.x, n.w = x, widest
			}
			total += n.h + gap
		}
		height = max(height, total)
		x += widest + space[i]
	}
	for _, c := range columns {
		last := c[len(c)-1]
		free := height - gap - (last.y + last.h)
		for i, n := range c { // spread over the height
			n.y += free * (float64(i) + 0.5) / float64(len(c))
		}
	}
	g.meet()
	return x + margin, height + margin
}

// ends counts the edges at the side of each node that has more of them.
func (g *graph) ends() map[*node]int {
	left, right := map[*node]int{}, map[*node]int{}
	for _, e := range g.edges {
		from, to := e.ends()
		right[from]++
		left[to]++
	}
	for n, count := range left {
		right[n] = max(right[n], count)
	}
	return right
}

// meet distributes the edges along the sides of their nodes, in the order of their other ends.
func (g *graph) meet() {
	type end struct {
		e     *edge
		side  int
		other float64 // height of the next node
	}
	sides := map[*node]*[2][]end{}
	at := func(n *node) *[2][]end {
		if sides[n] == nil {
			sides[n] = new([2][]end)
		}
		return sides[n]
	}
	for _, e := range g.edges {
		chain := e.chain()
		n := len(chain)
		at(chain[0])[1] = append(at(chain[0])[1], end{e, 0, chain[1].y + chain[1].h/2})
		at(chain[n-1])[0] = append(at(chain[n-1])[0], end{e, 1, chain[n-2].y + chain[n-2].h/2})
	}
	for n, both := range sides {
		for _, list := range both {
			slices.SortStableFunc(list, func(a, b end) int { return cmp.Compare(a.other, b.other) })
			for i, x := range list {
				x.e.sides[x.side] = n.y + n.h*(float64(i)+0.5)/float64(len(list))
			}
		}
	}
}

// spaces returns the width of the space after each column, which must hold the labels of edges from
// it.
func (g *graph) spaces(columns [][]*node) []float64 {
	out := make([]float64, len(columns))
	for i := range out[:len(out)-1] {
		out[i] = 60
	}
	for _, e := range g.edges {
		if !e.stream {
			continue
		}
		from, _ := e.ends()
		if e.from.module != "" && e.to.module != "" {
			out[from.layer] = max(out[from.layer], 36+character*float64(len(e.shown())))
		}
	}
	return out
}

// size sets the size of a node with the given number of edges at a side.
func (n *node) size(ends int) {
	if n.name == "" {
		n.h = lane
		return
	}
	for _, s := range n.lines() {
		n.w = max(n.w, 24+character*float64(len(s)))
	}
	n.h = max(float64(line*len(n.lines()))+12, pitch*float64(ends))
	if n.module == "" {
		n.h = line + 6
	}
}

// lines returns the text of a node: name, module, name elsewhere, Go package, instances.
func (n *node) lines() []string {
	out := []string{times(n.name, max(1, n.copies))}
	if n.module == "" {
		return out
	}
	if n.module != n.name {
		out = append(out, cut(n.module))
	}
	for _, s := range append(strings.Split(n.known, "\n"), n.source) {
		if s != "" {
			out = append(out, s)
		}
	}
	if len(n.inside) > most {
		return append(append(out, n.inside[:most-1]...), fmt.Sprintf("and %d more", len(n.inside)-most+1))
	}
	return append(out, n.inside...)
}

// cut shortens a line.
func cut(s string) string {
	if len(s) > longest {
		return s[:longest-3] + "..."
	}
	return s
}

// times returns a name, with a factor if there are several copies.
func times(name string, n int) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%d x %s", n, name)
}

func (n *node) draw(b *strings.Builder) {
	if n.module == "" {
		fmt.Fprintf(b, `<text class="soft" x="%.1f" y="%.1f">%s</text>`+"\n", n.x, n.y+n.h/2+4, html.EscapeString(n.name))
		return
	}
	fmt.Fprintf(b, `<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="4"/>`+"\n", n.x, n.y, n.w, n.h)
	for i, s := range n.lines() {
		class := "soft"
		if i == 0 {
			class = "name"
		}
		fmt.Fprintf(b, `<text class="%s" x="%.1f" y="%.1f">%s</text>`+"\n", class, n.x+10, n.y+float64(line*i)+18, html.EscapeString(s))
	}
}

// draw prints the line of an edge, from side to side of the nodes that it passes.
func (e *edge) draw(b *strings.Builder) {
	points := e.points()
	if e.back {
		slices.Reverse(points)
	}
	var path strings.Builder
	fmt.Fprintf(&path, "M%.1f,%.1f", points[0].x, points[0].y)
	for i := 1; i < len(points); i++ {
		p, q := points[i-1], points[i]
		middle := (p.x + q.x) / 2
		fmt.Fprintf(&path, " C%.1f,%.1f %.1f,%.1f %.1f,%.1f", middle, p.y, middle, q.y, q.x, q.y)
	}
	class := "signal"
	if e.stream {
		class = "stream"
	}
	fmt.Fprintf(b, `<path class="%s" d="%s"><title>%s to %s: %s</title></path>`+"\n", class, path.String(),
		html.EscapeString(e.from.name), html.EscapeString(e.to.name), html.EscapeString(strings.Join(e.names, ", ")))
}

type point struct{ x, y float64 }

// points returns the positions at which an edge enters and leaves columns, from left to right.
func (e *edge) points() []point {
	from, to := e.ends()
	out := []point{{from.x + from.w, e.sides[0]}}
	for _, n := range e.via {
		y := n.y + n.h/2
		out = append(out, point{n.x, y}, point{n.x + n.w, y})
	}
	return append(out, point{to.x, e.sides[1]})
}

// label prints the names of a stream at the box in the earlier layer.
func (e *edge) label(b *strings.Builder) {
	if !e.stream || e.from.module == "" || e.to.module == "" {
		return
	}
	p := e.points()[0]
	fmt.Fprintf(b, `<text class="label" x="%.1f" y="%.1f">%s</text>`+"\n", p.x+8, p.y-3, html.EscapeString(e.shown()))
}

// shown returns the names of a stream that fit into the picture.
func (e *edge) shown() string {
	names := slices.Sorted(slices.Values(e.names))
	if len(names) > 2 {
		names = []string{names[0], fmt.Sprintf("and %d more", len(names)-1)}
	}
	return strings.Join(names, ", ")
}
