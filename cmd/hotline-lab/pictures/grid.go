package pictures

import "github.com/hotline-rtl/hotline/host/ui/picture"

// grid collects the boxes and arrows of a picture.
type grid struct{ picture.Boxes }

// Colours of boxes.
const (
	software  = 0
	hardware  = 2
	machine   = 3
	contracts = 4
)

// add places a box in the columns of a row, and returns its number.
func (g *grid) add(row, column, end, colour int, box picture.Box) int {
	box.Row, box.Column, box.End, box.Colour = row, column, end, colour
	g.Boxes.Boxes = append(g.Boxes.Boxes, box)
	return len(g.Boxes.Boxes) - 1
}

// arrow connects two boxes. The name of the function that takes the second, or of the link between
// them, is its label.
func (g *grid) arrow(from, to int, label string) {
	g.Arrows = append(g.Arrows, picture.BoxArrow{From: from, To: to, Label: label})
}

// both connects two boxes in both directions.
func (g *grid) both(from, to int, label string) {
	g.Arrows = append(g.Arrows, picture.BoxArrow{From: from, To: to, Label: label, Both: true})
}
