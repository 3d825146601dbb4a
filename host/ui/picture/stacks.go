package picture

// Part is a part of a stack.
type Part struct {
	Label  string  // shown in the part if it fits
	Key    string  // shown instead if Label does not fit, such as the number of a list entry
	Text   string  // tooltip
	Size   float64 // on the axis
	Colour int
}

// Stack is a bar of parts, with the range of their sum. Without parts, only its name and value are
// drawn.
type Stack struct {
	Name, Value string
	Parts       []Part
	Low, High   float64
}

// Stacks is a chart of horizontal bars on one axis from 0.
type Stacks struct {
	Title, Text string
	Narrow      bool // for a document: as narrow as a chart of lines
	Axis        Axis
	Stacks      []Stack
}

const (
	wide                            = 960
	stackHeight, barTop             = 66, 20
	barHeight, stackLeft, stackEdge = 26, 10, 30
)

// SVG draws the bars.
func (s Stacks) SVG() string {
	var ends []float64
	for _, x := range s.Stacks {
		end := 0.0
		for _, p := range x.Parts {
			end += p.Size
		}
		ends = append(ends, end, x.High)
	}
	s.Axis.Zero = true
	width := float64(wide)
	if s.Narrow {
		width = linesWidth
	}
	inner := width - stackLeft - stackEdge
	x := s.Axis.newScale(stackLeft, width-stackEdge, ends...)
	head := newHead(s.Title, "", false, inner)
	top := head.height() + 18
	bottom := top
	for _, stack := range s.Stacks {
		bottom += stackHeight + stack.more(inner)
	}
	c := newCanvas(s.Title, s.Text, width, bottom+44)
	head.draw(c, stackLeft)
	x.vertical(c, top-8, bottom)
	c.textIn(width-20, (stackLeft+width-stackEdge)/2, bottom+34, "middle", "small", x.label())
	for _, stack := range s.Stacks {
		stack.draw(c, x, top, inner)
		top += stackHeight + stack.more(inner)
	}
	return c.svg()
}

// words returns the lines of the name, and of the value to its right, in a width.
func (s Stack) words(inner float64) (name, value []string) {
	if extent(s.Name+s.Value, sizes["label"])+20 <= inner {
		return []string{s.Name}, []string{s.Value}
	}
	value = divide(s.Value, inner/2, "label")
	widest := 0.0
	for _, line := range value {
		widest = max(widest, extent(line, sizes["label"]))
	}
	return divide(s.Name, inner-widest-20, "label"), value
}

// more returns the additional height of the words beyond one line.
func (s Stack) more(inner float64) float64 {
	name, value := s.words(inner)
	return max(more(name), more(value))
}

func (s Stack) draw(c *canvas, x scale, top, inner float64) {
	name, value := s.words(inner)
	c.lines(stackLeft+inner, top+13, textHeight, "end", "label backed", value)
	c.lines(stackLeft, top+13, textHeight, "start", "label strong backed", name)
	at, y := 0.0, top+barTop+s.more(inner)
	for _, p := range s.Parts {
		from, to := x.at(at), x.at(at+p.Size)
		c.add(`<g class="c%d"><title>%s</title><rect class="part" x="%.1f" y="%.1f" width="%.1f" height="%d"/>`,
			p.Colour%colours, escape(p.Text), from, y, to-from, barHeight)
		for _, label := range []string{p.Label, p.Key} {
			if extent(label, sizes["block"]) <= to-from-4 {
				c.text((from+to)/2, y+17, "middle", "block", label)
				break
			}
		}
		c.add("</g>\n")
		at += p.Size
	}
	if s.High > 0 {
		whisker(c, x.at(s.Low), x.at(s.High), y+barHeight+7)
	}
}

// whisker draws a range.
func whisker(c *canvas, from, to, y float64) {
	c.add(`<path class="whisker" d="M%.1f %.1fv8m0-4H%.1fm0-4v8"/>`+"\n", from, y-4, to)
}
