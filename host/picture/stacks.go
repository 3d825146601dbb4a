package picture

// Part is a part of a stack.
type Part struct {
	Label  string  // in the picture, if there is room
	Key    string  // there if there is not: a number of a list
	Text   string  // where the pointer rests
	Size   float64 // on the axis
	Colour int
}

// Stack is a bar of parts, with the range of their sum. Without parts it is a
// name and a value.
type Stack struct {
	Name, Value string
	Parts       []Part
	Low, High   float64
}

// Stacks are bars below each other on one axis from 0.
type Stacks struct {
	Title, Text string
	Axis        Axis
	Stacks      []Stack
}

const (
	wide                            = 960
	stackTop, stackHeight, barTop   = 44, 66, 20
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
	x := s.Axis.newScale(stackLeft, wide-stackEdge, ends...)
	bottom := float64(stackTop + stackHeight*len(s.Stacks))
	c := newCanvas(s.Title, s.Text, wide, bottom+44)
	c.textIn(wide-20, stackLeft, 20, "start", "head", s.Title)
	x.vertical(c, stackTop-8, bottom)
	c.textIn(wide-20, (stackLeft+wide-stackEdge)/2, bottom+34, "middle", "small", s.Axis.Label)
	for i, stack := range s.Stacks {
		stack.draw(c, x, float64(stackTop+stackHeight*i))
	}
	return c.svg()
}

func (s Stack) draw(c *canvas, x scale, top float64) {
	value := fit(s.Value, wide/2, sizes["label"])
	c.text(wide-stackEdge, top+13, "end", "label backed", value)
	c.textIn(wide-stackEdge-stackLeft-extent(value, sizes["label"])-20, stackLeft, top+13, "start", "label strong backed", s.Name)
	at, y := 0.0, top+barTop
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

// whisker is a range.
func whisker(c *canvas, from, to, y float64) {
	c.add(`<path class="whisker" d="M%.1f %.1fv8m0-4H%.1fm0-4v8"/>`+"\n", from, y-4, to)
}
