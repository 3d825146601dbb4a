package picture

import (
	"bytes"
	_ "embed"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
)

// Style is the CSS of a page with pictures. The page is readable on paper, on a phone and in dark
// mode.
var Style = pictureStyle + pageStyle

//go:embed picture.css
var pictureStyle string

//go:embed style.css
var pageStyle string

// File returns a picture of this package as a separate file, with its style and background.
func File(svg string) string {
	lines := strings.SplitN(svg, "\n", 3) // the second line contains title and description
	return lines[0] + "\n" + lines[1] + "\n<style>\n" + pictureStyle + `</style><rect class="paper" width="100%" height="100%"/>` + "\n" + lines[2]
}

// canvas is a picture being drawn. Positions are pixels of an unscaled picture.
type canvas struct{ strings.Builder }

// newCanvas starts a picture of the given size; title and text are for people who cannot see the
// picture.
func newCanvas(title, text string, width, height float64) *canvas {
	c := &canvas{}
	c.add(`<svg xmlns="http://www.w3.org/2000/svg" class="picture" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" style="--width:%.0fpx" role="img">`+
		"\n<title>%s</title><desc>%s</desc>\n", width, height, width, height, width, escape(title), escape(text))
	return c
}

// add appends formatted SVG.
func (c *canvas) add(format string, args ...any) { fmt.Fprintf(c, format, args...) }

// text draws text of a class at its anchor: start, middle or end.
func (c *canvas) text(x, y float64, anchor, class, s string) {
	c.add(`<text x="%.1f" y="%.1f" text-anchor="%s" class="%s">%s</text>`+"\n", x, y, anchor, class, escape(s))
}

// textIn draws text that is truncated to a width; the complete text is its tooltip. The first class
// must be a size class.
func (c *canvas) textIn(width, x, y float64, anchor, class, s string) {
	size, _, _ := strings.Cut(class, " ")
	short := fit(s, width, sizes[size])
	if short == s {
		c.text(x, y, anchor, class, s)
		return
	}
	c.add(`<text x="%.1f" y="%.1f" text-anchor="%s" class="%s"><title>%s</title>%s</text>`+"\n", x, y, anchor, class, escape(s), escape(short))
}

// Line heights of small text and of titles.
const textHeight, headHeight = 13, 18

// lines draws several lines of text with the given line height, starting at y.
func (c *canvas) lines(x, y, height float64, anchor, class string, lines []string) {
	for i, line := range lines {
		c.text(x, y+height*float64(i), anchor, class, line)
	}
}

// divide divides text into lines of a width, at spaces or within words that are too long.
func divide(s string, width float64, size string) (lines []string) {
	line := ""
	for _, word := range strings.Fields(s) {
		for _, part := range pieces(word, width, sizes[size]) {
			if line != "" && extent(line+" "+part, sizes[size]) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimSpace(line + " " + part)
		}
	}
	return append(lines, line)
}

// pieces divides a word that exceeds a width.
func pieces(word string, width, size float64) (list []string) {
	if extent(word, size) <= width {
		return []string{word}
	}
	for part := range slices.Chunk([]rune(word), max(1, int(width/size))) {
		list = append(list, string(part))
	}
	return list
}

// more returns the height of the lines after the first.
func more(lines []string) float64 { return textHeight * float64(max(0, len(lines)-1)) }

// head is a picture's title with small text below it.
type head struct{ title, small []string }

// newHead returns a head whose lines are divided to a width. An untitled picture has no visible
// title.
func newHead(title, small string, untitled bool, width float64) (h head) {
	if !untitled {
		h.title = divide(title, width, "head")
	}
	if small != "" {
		h.small = divide(small, width, "small")
	}
	return h
}

// height returns the height of the head.
func (h head) height() float64 {
	y := 8 + headHeight*float64(len(h.title))
	if len(h.small) > 0 {
		y += 6 + textHeight*float64(len(h.small))
	}
	return y
}

func (h head) draw(c *canvas, x float64) {
	c.lines(x, 20, headHeight, "start", "head", h.title)
	c.lines(x, 24+headHeight*float64(len(h.title)), textHeight, "start", "small", h.small)
}

// line draws a straight line of a class.
func (c *canvas) line(class string, x0, y0, x1, y1 float64) {
	c.add(`<path class="%s" d="M%.1f %.1fL%.1f %.1f"/>`+"\n", class, x0, y0, x1, y1)
}

// svg returns the complete picture.
func (c *canvas) svg() string { return c.String() + "</svg>\n" }

// sizes contains the font sizes of the text classes in style.css, in pixels.
var sizes = map[string]float64{"head": 15, "label": 12, "small": 11, "block": 11}

// extent returns the approximate width of text. The estimate is on the large side, because fonts
// differ.
func extent(s string, size float64) float64 {
	w := 0.0
	for _, r := range s {
		if ' ' <= r && r < 0x1100 {
			w += 0.6
		} else {
			w++
		}
	}
	return w * size
}

// fit truncates text to a width.
func fit(s string, width, size float64) string {
	if extent(s, size) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 0 && extent(string(runes)+"…", size) > width {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ") + "…"
}

// escape escapes text for XML. Characters that XML does not allow become replacement characters.
func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // writes to a buffer do not fail
	return b.String()
}

// colours is the number of colours in the style.
const colours = 7

// colour returns the attribute for colour i of n.
func colour(i, n int) string {
	if n <= colours {
		return fmt.Sprintf(`class="c%d"`, i)
	}
	return fmt.Sprintf(`style="color:hsl(%d,75%%,%d%%)"`, 360*i/n, 40+15*(i%2))
}
