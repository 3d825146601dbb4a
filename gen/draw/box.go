package draw

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
)

// text is a line of a box.
type text struct{ class, words, title string }

// lines returns the text of a box: its name, module, name elsewhere, Go package and instances; then
// its connections to ports of the module; then a line for each stream that begins in it.
func (p *picture) lines(n *node) (list []text) {
	add := func(class, words, title string) { list = append(list, text{class, words, title}) }
	add("name", times(n.name, max(1, n.copies)), "")
	soft := append([]string{n.module}, append(strings.Split(n.known, "\n"), n.source)...)
	for _, s := range soft {
		if s != "" && s != n.name {
			add("soft", p.cut(s), "")
		}
	}
	for _, s := range p.wrap("", n.inside) {
		add("soft", s, "")
	}
	for 1+len(list) < len(p.arriving(n)) { // the arrows end above the connections
		add("soft", "", "")
	}
	var in, out []string
	for _, e := range p.edges {
		switch {
		case e.to == n && e.from.isPort() && e.stream:
			add("label", p.cut("→ "+e.from.name), e.title())
		case e.from == n && e.to.isPort() && e.stream:
			add("label", p.cut(e.to.name+" →"), e.title())
		case e.to == n && e.from.isPort():
			in = append(in, e.from.name)
		case e.from == n && e.to.isPort():
			out = append(out, e.to.name)
		}
	}
	for _, s := range append(p.wrap("from ", in), p.wrap("to ", out)...) {
		add("soft", s, "")
	}
	for _, e := range p.streams {
		if e.from == n {
			add("label out", p.cut(e.words()), "")
		}
	}
	return list
}

// words returns the names of an edge that fit into a box.
func (e *edge) words() string {
	names := slices.Sorted(slices.Values(e.names))
	if len(names) > 2 {
		names = []string{names[0], fmt.Sprintf("and %d more", len(names)-1)}
	}
	return strings.Join(names, ", ")
}

// title describes an edge with all its names.
func (e *edge) title() string {
	return fmt.Sprintf("%s to %s: %s", e.from.name, e.to.name, strings.Join(e.names, ", "))
}

// characters returns the number of characters of a line.
func (p *picture) characters() int { return int((p.right - p.left - 2*inner) / character) }

// cut shortens a line.
func (p *picture) cut(s string) string {
	if runes := []rune(s); len(runes) > p.characters() {
		return string(runes[:p.characters()-1]) + "…"
	}
	return s
}

// wrap divides a list into lines. The first begins with a word.
func (p *picture) wrap(begin string, list []string) (lines []string) {
	if len(list) == 0 {
		return nil
	}
	now := begin + list[0]
	for _, s := range list[1:] {
		if len(now)+len(", ")+len(s) > p.characters() {
			lines, now = append(lines, p.cut(now+",")), s
			continue
		}
		now += ", " + s
	}
	return append(lines, p.cut(now))
}

// times returns a name, with a factor if there are several copies.
func times(name string, n int) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%d x %s", n, name)
}

// arriving returns the streams that end in a box, the uppermost source first.
func (p *picture) arriving(n *node) (list []*edge) {
	for _, e := range p.streams {
		if e.to == n {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b *edge) int { return cmp.Compare(a.from.index, b.from.index) })
	return list
}

func (p *picture) boxHeight(n *node) float64 { return float64(2*inner + line*len(p.lines(n)) - 2) }

// lineAt returns the height of the middle of a line of a box.
func (n *node) lineAt(i int) float64 { return n.top + inner + float64(line*i) + line/2 }

// meet sets the ends of edges at a box. A stream begins at the line with its name and ends above
// these lines. The ends of signals are spread over the height.
func (p *picture) meet(n *node) {
	begin := len(p.lines(n))
	for _, e := range p.streams {
		if e.from == n {
			begin--
		}
	}
	for _, e := range p.streams {
		if e.from == n {
			e.route.from = n.lineAt(begin)
			begin++
		}
	}
	for i, e := range p.arriving(n) {
		e.route.to = n.lineAt(i)
	}
	var ends []*edge
	for _, e := range p.signals {
		if e.from == n || e.to == n {
			ends = append(ends, e)
		}
	}
	other := func(e *edge) int { return e.from.index + e.to.index - n.index }
	slices.SortStableFunc(ends, func(a, b *edge) int { return cmp.Compare(other(a), other(b)) })
	for i, e := range ends {
		y := n.top + (n.bottom-n.top)*(float64(i)+0.5)/float64(len(ends))
		if e.from == n {
			e.route.from = y
		} else {
			e.route.to = y
		}
	}
}

// draw draws a box.
func (p *picture) draw(b *strings.Builder, n *node) {
	fmt.Fprintf(b, `<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="4"/>`+"\n", p.left, n.top, p.right-p.left, n.bottom-n.top)
	for i, t := range p.lines(n) {
		if t.words == "" {
			continue
		}
		x, anchor := p.left+inner, ""
		if class, ok := strings.CutSuffix(t.class, " out"); ok {
			x, anchor, t.class = p.right-inner, ` text-anchor="end"`, class
		}
		title := ""
		if t.title != "" {
			title = "<title>" + html.EscapeString(t.title) + "</title>"
		}
		fmt.Fprintf(b, `<text class="%s" x="%.1f" y="%.1f"%s>%s%s</text>`+"\n", t.class, x, n.lineAt(i)+4, anchor, title, html.EscapeString(t.words))
	}
}

// draw draws an edge from a side of the boxes to its lane, which has a distance from the side, and
// back.
func (e *edge) draw(b *strings.Builder, class string, side, distance float64) {
	r, c := e.route, min(bend, max(e.route.from, e.route.to)-min(e.route.from, e.route.to))
	across, along := c, c
	if distance < 0 {
		across = -c
	}
	if r.to < r.from {
		along = -c
	}
	x := side + distance
	fmt.Fprintf(b, `<path class="%s" d="M%.1f,%.1f H%.1f Q%.1f,%.1f %.1f,%.1f V%.1f Q%.1f,%.1f %.1f,%.1f H%.1f"><title>%s</title></path>`+"\n", class,
		side, r.from, x-across, x, r.from, x, r.from+along, r.to-along, x, r.to, x-across, r.to, side, html.EscapeString(e.title()))
}
