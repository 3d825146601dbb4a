package picture

import "fmt"

// Pair compares a given value with a found value and its range.
type Pair struct {
	Name, Value      string  // for people
	Given            float64 // the upper bar
	Found, Low, High float64 // the lower bar; an empty range is not drawn
}

// Pairs is a chart of horizontal bars on one axis from 0, two bars per name. It is narrow enough
// for a phone.
type Pairs struct {
	Title, Text  string
	Untitled     bool // the page shows the title above the picture
	Axis         Axis
	Given, Found string // names of the bars in the legend
	Pairs        []Pair
}

const (
	pairsWidth                       = 360
	pairHeight, pairBar              = 50, 9
	pairsLeft, pairsRight, pairsName = 10, 24, 14
	pairsInner                       = pairsWidth - pairsLeft - pairsRight
)

// SVG draws the bars.
func (p Pairs) SVG() string {
	var ends []float64
	for _, x := range p.Pairs {
		ends = append(ends, x.Given, x.Found, x.Low, x.High)
	}
	p.Axis.Zero = true
	x := p.Axis.newScale(pairsLeft, pairsWidth-pairsRight, ends...)
	x.right = pairsWidth
	head := newHead(p.Title, "", p.Untitled, pairsInner)
	top := head.height() + 22
	bottom := top
	for _, pair := range p.Pairs {
		bottom += pairHeight + more(pair.words())
	}
	label := divide(x.label(), pairsInner, "small")
	c := newCanvas(p.Title, p.Text, pairsWidth, bottom+44+x.below()+more(label))
	head.draw(c, pairsLeft)
	for i, name := range []string{p.Given, p.Found} {
		left := pairsLeft + float64(i)*pairsWidth/2
		c.add(`<g class="c%d"><rect class="part" x="%.1f" y="%.1f" width="16" height="%d"/></g>`+"\n", i, left, top-26, pairBar)
		c.textIn(pairsWidth/2-40, left+22, top-17, "start", "small", name)
	}
	x.vertical(c, top-8, bottom)
	c.lines(pairsWidth/2, bottom+34+x.below(), textHeight, "middle", "small", label)
	for _, pair := range p.Pairs {
		pair.draw(c, x, top)
		top += pairHeight + more(pair.words())
	}
	return c.svg()
}

// words returns the lines above the bars. The value is on the line of the name if it fits.
func (p Pair) words() []string {
	if p.short() {
		return []string{p.Name}
	}
	return append(divide(p.Name, pairsInner, "label"), divide(p.Value, pairsInner, "small")...)
}

// short reports whether name and value fit on one line.
func (p Pair) short() bool {
	return extent(p.Name, sizes["label"])+10+extent(p.Value, sizes["small"]) <= pairsInner
}

func (p Pair) draw(c *canvas, x scale, top float64) {
	if p.short() {
		c.text(pairsWidth-pairsRight, top+pairsName, "end", "small backed", p.Value)
		c.text(pairsLeft, top+pairsName, "start", "label strong backed", p.Name)
	} else {
		name := divide(p.Name, pairsInner, "label")
		c.lines(pairsLeft, top+pairsName, textHeight, "start", "label strong backed", name)
		c.lines(pairsLeft, top+pairsName+textHeight*float64(len(name)), textHeight, "start", "small backed", divide(p.Value, pairsInner, "small"))
	}
	top += more(p.words())
	for i, v := range []float64{p.Given, p.Found} {
		from, to := x.at(min(0, v)), x.at(max(0, v))
		c.add(`<g class="c%d"><title>%s</title><rect class="part" x="%.1f" y="%.1f" width="%.1f" height="%d"/></g>`+"\n",
			i, escape(fmt.Sprintf("%s: %s", p.Name, p.Value)), from, top+20+float64(i)*(pairBar+3), to-from, pairBar)
	}
	if p.Low != p.High {
		whisker(c, x.at(p.Low), x.at(p.High), top+20+pairBar+3+pairBar/2.)
	}
}
