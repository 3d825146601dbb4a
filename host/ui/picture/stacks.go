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
	Axis        Axis
	Stacks      []Stack
}

const (
	wide                            = 960
	stackHeight, barTop             = 66, 20
	barHeight, stackLeft, stackEdge = 26, 10, 30
	stackInner                      = wide - stackLeft - stackEdge
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
	x := s.Axis.newScale(stackLeft, wide-stackEdge, ends...)
	head := newHead(s.Title, "", false, stackInner)
	top := head.height() + 18
	bottom := top
	for _, stack := range s.Stacks {
		bottom += stackHeight + stack.more()
	}
	c := newCanvas(s.Title, s.Text, wide, bottom+44)
	head.draw(c, stackLeft)
	x.vertical(c, top-8, bottom)
	c.textIn(wide-20, (stackLeft+wide-stackEdge)/2, bottom+34, "middle", "small", x.label())
	for _, stack := range s.Stacks {
		stack.draw(c, x, top)
		top += stackHeight + stack.more()
	}
	return c.svg()
}

// words returns the lines of the name, and of the value to its right.
func (s Stack) words() (name, value []string) {
	if extent(s.Name+s.Value, sizes["label"])+20 <= stackInner {
		return []string{s.Name}, []string{s.Value}
	}
	value = divide(s.Value, stackInner/2, "label")
	widest := 0.0
	for _, line := range value {
		widest = max(widest, extent(line, sizes["label"]))
	}
	return divide(s.Name, stackInner-widest-20, "label"), value
}

// more returns the additional height of the words beyond one line.
func (s Stack) more() float64 {
	name, value := s.words()
	return max(more(name), more(value))
}

func (s Stack) draw(c *canvas, x scale, top float64) {
	name, value := s.words()
	c.lines(wide-stackEdge, top+13, textHeight, "end", "label backed", value)
	c.lines(stackLeft, top+13, textHeight, "start", "label strong backed", name)
	at, y := 0.0, top+barTop+s.more()
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
