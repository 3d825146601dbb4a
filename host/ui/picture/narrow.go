package picture

import "fmt"

// Narrow pictures are for documents. They are scaled to fit a page, so their text must be readable
// on a phone: narrow is their width in units, which a page shows as narrowPixels or less.
const narrow, narrowPixels = 420, 672

// newNarrow starts a narrow picture with a visible title, and returns the position below the title.
func newNarrow(title, text string, height func(top float64) float64) (c *canvas, top float64) {
	h := newHead(title, "", false, narrow-20)
	top = h.height() + 4
	total := height(top)
	c = &canvas{}
	c.add(`<svg xmlns="http://www.w3.org/2000/svg" class="picture" viewBox="0 0 %d %.0f" width="%d" height="%.0f" role="img">`+
		"\n<title>%s</title><desc>%s</desc>\n", narrow, total, narrowPixels, total*narrowPixels/narrow, escape(title), escape(text))
	h.draw(c, 10)
	return c, top
}

// notes are numbered lines of text below a narrow picture.
type notes [][]string

// newNotes divides texts into lines.
func newNotes(texts []string) (n notes) {
	for _, text := range texts {
		n = append(n, divide(text, narrow-46, "small"))
	}
	return n
}

// noteGap is the space between two notes.
const noteGap = 4

// height returns the height of the notes.
func (n notes) height() (y float64) {
	for _, lines := range n {
		y += textHeight*float64(len(lines)) + noteGap
	}
	return y
}

// draw draws the notes from the position top, with a number before each.
func (n notes) draw(c *canvas, top float64) {
	y := top
	for i, lines := range n {
		c.number(18, y+textHeight/2, i+1)
		c.lines(34, y+10, textHeight, "start", "small", lines)
		y += textHeight*float64(len(lines)) + noteGap
	}
}

// number draws a number in a circle.
func (c *canvas) number(x, y float64, n int) {
	c.add(`<circle class="tip" cx="%.1f" cy="%.1f" r="6.5"/><text x="%.1f" y="%.1f" text-anchor="middle" style="fill:var(--paper);font-size:9px;font-weight:600">%s</text>`+"\n",
		x, y, x, y+3.2, fmt.Sprint(n))
}
