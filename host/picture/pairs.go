package picture

import "fmt"

// Pair is a value that is given beside one that was found, with its range.
type Pair struct {
	Name, Value      string  // for people
	Given            float64 // a bar
	Found, Low, High float64 // another one below it; the range is not drawn if it is none
}

// Pairs are bars below each other on one axis from 0, two of each name: narrow enough for a phone.
type Pairs struct {
	Title, Text  string
	Axis         Axis
	Given, Found string // what the bars are, for the legend
	Pairs        []Pair
}

const (
	pairsWidth                       = 400
	pairsTop, pairHeight, pairBar    = 56, 50, 9
	pairsLeft, pairsRight, pairsName = 10, 24, 14
)

// SVG draws the bars.
func (p Pairs) SVG() string {
	var ends []float64
	for _, x := range p.Pairs {
		ends = append(ends, x.Given, x.Found, x.Low, x.High)
	}
	p.Axis.Zero = true
	x := p.Axis.newScale(pairsLeft, pairsWidth-pairsRight, ends...)
	bottom := float64(pairsTop + pairHeight*len(p.Pairs))
	c := newCanvas(p.Title, p.Text, pairsWidth, bottom+44)
	c.textIn(pairsWidth-20, pairsLeft, 18, "start", "head", p.Title)
	for i, name := range []string{p.Given, p.Found} {
		left := pairsLeft + float64(i)*pairsWidth/2
		c.add(`<g class="c%d"><rect class="part" x="%.1f" y="30" width="16" height="%d"/></g>`+"\n", i, left, pairBar)
		c.textIn(pairsWidth/2-40, left+22, 39, "start", "small", name)
	}
	x.vertical(c, pairsTop-8, bottom)
	c.textIn(pairsWidth-20, pairsWidth/2, bottom+34, "middle", "small", p.Axis.Label)
	for i, pair := range p.Pairs {
		pair.draw(c, x, float64(pairsTop+pairHeight*i))
	}
	return c.svg()
}

func (p Pair) draw(c *canvas, x scale, top float64) {
	value := fit(p.Value, pairsWidth/2, sizes["small"])
	c.text(pairsWidth-pairsRight, top+pairsName, "end", "small backed", value)
	c.textIn(pairsWidth-pairsRight-pairsLeft-extent(value, sizes["small"])-10, pairsLeft, top+pairsName, "start", "label strong backed", p.Name)
	for i, v := range []float64{p.Given, p.Found} {
		from, to := x.at(min(0, v)), x.at(max(0, v))
		c.add(`<g class="c%d"><title>%s</title><rect class="part" x="%.1f" y="%.1f" width="%.1f" height="%d"/></g>`+"\n",
			i, escape(fmt.Sprintf("%s: %s", p.Name, p.Value)), from, top+20+float64(i)*(pairBar+3), to-from, pairBar)
	}
	if p.Low != p.High {
		whisker(c, x.at(p.Low), x.at(p.High), top+20+pairBar+3+pairBar/2.)
	}
}
