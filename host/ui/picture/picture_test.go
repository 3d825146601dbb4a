package picture

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files")

// hostile is a name with problematic characters and an excessive length.
var hostile = `<script>alert("1")</script> & ' ` + "\x00\x1b\xff" + strings.Repeat(" ]]> very long", 20)

func lines(name string) Lines {
	return Lines{
		Title: name, Text: name, X: Axis{Label: name, Whole: true}, Y: Axis{Label: name, Zero: true, One: true},
		Lines: []Line{
			{Name: name, X: []float64{1, 2, 3}, Y: []float64{0, 1, 0.5}},
			{Name: "b", X: []float64{1, 3}, Y: []float64{0.2, 0.3}, Low: []float64{0.1, 0.3}, High: []float64{0.4, 0.9}, Dashed: true},
			{Name: "c", X: []float64{2}, Y: []float64{0.7}, Loose: true},
		},
	}
}

func stacks(name string) Stacks {
	return Stacks{Title: name, Text: name, Axis: Axis{Label: name}, Stacks: []Stack{
		{Name: name, Value: name, Low: 80, High: 120, Parts: []Part{{name, name, name, 75, 0}, {"short", "2", "", 20, 1}, {"too long for it", "3", "", 5, 9}}},
		{Name: "nothing", Value: "no time"},
	}}
}

// tracks returns tracks with two crowds and a command that waits for its doorbell.
func tracks(name string) Tracks {
	t := Tracks{
		Title: name, Text: name, Time: Axis{Label: name}, Names: []string{name, "idle", "accelerator"},
		Blocks: []Block{{0, name, name, 0, 900, 0, false}, {2, "gather", "", 100, 400, 1, false}, {2, "other", "", -50, 90, 1, true}, {0, "before", "", -90, -10, 0, true}},
		Arrows: []Arrow{{0, 1}}, Marks: []Mark{{0, name}, {1000, "end"}},
	}
	for i := range 5 {
		at := 990 + 2*float64(i)
		t.Blocks = append(t.Blocks, Block{Track: i % 3, Label: "tiny", Start: at, End: at + 1})
	}
	t.Arrows = append(t.Arrows, Arrow{4, 5})
	return t
}

func pairs(name string) Pairs {
	return Pairs{
		Title: name, Text: name, Axis: Axis{Label: name}, Given: name, Found: name,
		Pairs: []Pair{{Name: name, Value: name, Given: 3.1, Found: 2.5, Low: 2, High: 4}, {Name: name, Value: "0.2", Given: 1, Found: -0.2, Low: -0.2, High: -0.2}},
	}
}

func pictures(name string) map[string]string {
	r := Ranges{{0.5, 0.8, 1.2}, {1, 2, 4}}
	return map[string]string{
		"lines": lines(name).SVG(), "file": File(lines(name).SVG()), "stacks": stacks(name).SVG(), "axis": r.Axis(), "range": r.SVG(1), "pairs": pairs(name).SVG(), "tracks": strings.Join(tracks(name).SVG(), ""),
	}
}

func TestGolden(t *testing.T) {
	for name, got := range pictures("name") {
		file := "testdata/" + name + ".svg"
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), got, "%s; go test ./host/ui/picture -update writes it", file)
	}
}

// element is an element of a picture.
type element struct {
	name string
	attr map[string]string
	in   []string // names of the enclosing elements
	text string
}

func (e element) number(t require.TestingT, name string) float64 {
	v, err := strconv.ParseFloat(e.attr[name], 64)
	require.NoError(t, err, "%s of %v", name, e)
	return v
}

// parse reads strict XML.
func parse(t require.TestingT, svg string) []element {
	var all []element
	var open []int
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			for _, i := range open {
				e.in = append(e.in, all[i].attr["class"])
			}
			open = append(open, len(all))
			all = append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				all[open[len(open)-1]].text += string(token)
			}
		}
	}
}

// TestHostileNames: for any names, a picture is XML with a title and a description. It loads
// nothing, and no text crosses its edge.
func TestHostileNames(t *testing.T) {
	for kind, svg := range pictures(hostile) {
		titles := 0
		for _, picture := range strings.SplitAfter(svg, "</svg>\n") {
			if picture == "" {
				continue
			}
			all := parse(t, picture)
			width := all[0].number(t, "width")
			require.Equal(t, []string{"svg", "title", "desc"}, []string{all[0].name, all[1].name, all[2].name}, kind)
			require.NotEmpty(t, all[1].text)
			require.NotEmpty(t, all[2].text)
			for _, e := range all {
				require.Contains(t, []string{"svg", "title", "desc", "text", "path", "rect", "g", "style"}, e.name)
				for name := range e.attr {
					require.NotContains(t, name, "href")
				}
				if e.name == "title" && strings.Contains(e.text, `<script>alert("1")</script> & ' `) {
					titles++
				}
				if e.name == "text" {
					from, to := span(t, e)
					require.GreaterOrEqual(t, from, -1., "%s: %s", kind, e.text)
					require.LessOrEqual(t, to, width+1, "%s: %s", kind, e.text)
				}
			}
		}
		if kind != "axis" && kind != "range" {
			require.Positive(t, titles, "%s: the whole name", kind)
		}
	}
}

// span returns the horizontal range of a text.
func span(t require.TestingT, e element) (from, to float64) {
	x, w := e.number(t, "x"), extent(e.text, sizes[strings.Fields(e.attr["class"])[0]])
	switch e.attr["text-anchor"] {
	case "end":
		return x - w, x
	case "middle":
		return x - w/2, x + w/2
	}
	return x, x + w
}

func TestFit(t *testing.T) {
	require.Equal(t, "abc", fit("abc", 100, 10))
	require.Equal(t, "abc…", fit("abc def", 30, 10))
	require.Equal(t, "…", fit("abc", 1, 10))
	rapid.Check(t, func(t *rapid.T) {
		s, width := rapid.String().Draw(t, "s"), rapid.Float64Range(12, 300).Draw(t, "width")
		require.LessOrEqual(t, extent(fit(s, width, 11), 11), width)
	})
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		values []float64
		want   []float64
	}{
		{Axis{Zero: true}, []float64{930}, []float64{0, 200, 400, 600, 800, 1000}},
		{Axis{Zero: true, One: true}, []float64{0.3}, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{Axis{}, []float64{0.553, 0.596}, []float64{0.55, 0.56, 0.57, 0.58, 0.59, 0.6}},
		{Axis{}, []float64{-3, 3}, []float64{-3, -2, -1, 0, 1, 2, 3}},
		{Axis{Whole: true}, []float64{1, 3}, []float64{1, 2, 3}},
		{Axis{Whole: true}, []float64{7}, []float64{7}},
		{Axis{Whole: true}, []float64{0, 99}, []float64{0, 20, 40, 60, 80}},
		{Axis{Log: true}, []float64{0.002, 1}, []float64{0.001, 0.01, 0.1, 1}},
		{Axis{Log: true}, []float64{1}, []float64{0.1, 1}},
	} {
		s := c.axis.newScale(0, 100, c.values...)
		require.InDeltaSlice(t, c.want, s.ticks, 1e-9)
		for _, v := range append(c.values, c.want...) {
			require.GreaterOrEqual(t, s.at(v), -1e-6)
			require.LessOrEqual(t, s.at(v), 100+1e-6)
		}
	}
	require.NotContains(t, Lines{Title: "t", Text: "t"}.SVG(), "NaN", "nothing to draw")
	require.NotContains(t, Tracks{Title: "t", Text: "t"}.SVG()[0], "NaN")
	same := Lines{Lines: []Line{{X: []float64{1}, Y: []float64{5}}}}
	require.NotContains(t, same.SVG(), "NaN", "one point")
}

// TestTickTexts: the texts of ticks are different and complete. The label contains their unit, and
// the number from which they count if they differ only in late digits.
func TestTickTexts(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		values []float64
		want   string
		label  string
	}{
		{Axis{Label: "y"}, []float64{0, 1}, "0.0 0.2 0.4 0.6 0.8 1.0", "y"},
		{Axis{Label: "y"}, []float64{0, 60000}, "0 10,000 20,000 30,000 40,000 50,000 60,000", "y"},
		{Axis{Label: "y", Units: Picoseconds}, []float64{0, 35089445437}, "0 10 20 30 40", "y, ms"},
		{Axis{Units: Picoseconds}, []float64{250, 790}, "200 300 400 500 600 700 800", "ps"},
		{Axis{Label: "time", Units: Picoseconds}, []float64{35089445437, 35089765437}, "0 100 200 300 400", "time, ns above 35.0894 ms"},
		{Axis{Label: "time", Units: Picoseconds}, []float64{35080000000, 35099000000}, "35.080 35.085 35.090 35.095 35.100", "time, ms"},
		{Axis{Units: Bytes}, []float64{0, 4096}, "0 1 2 3 4 5", "kB"},
		{Axis{Label: "y"}, []float64{3.50921e10, 3.50923e10}, "0 50,000 100,000 150,000 200,000", "y, above 35.09210 times 10^9"},
		{Axis{Label: "y"}, []float64{0, 7e-6}, "0 2 4 6 8", "y, times 10^-6"},
		{Axis{Label: "y"}, []float64{0.69314701, 0.69314709}, "0 20 40 60 80 100", "y, times 10^-9 above 0.69314700"},
		{Axis{Label: "y", Text: func(float64) string { return "a" }}, []float64{1, 2}, "a a a a a a", "y"},
	} {
		s := c.axis.newScale(0, 100, c.values...)
		texts, _ := s.texts()
		require.Equal(t, c.want, strings.Join(texts, " "))
		require.Equal(t, c.label, s.label())
	}
	rapid.Check(t, func(t *rapid.T) {
		a := Axis{Units: rapid.SampledFrom([][]Unit{nil, Picoseconds, Bytes}).Draw(t, "units"), Zero: rapid.Bool().Draw(t, "zero"), Whole: rapid.Bool().Draw(t, "whole")}
		base := math.Pow(10, rapid.Float64Range(-5, 14).Draw(t, "base"))
		span := base * math.Pow(10, rapid.Float64Range(-9, 1).Draw(t, "span"))
		texts, _ := a.newScale(0, 100, base, base+span).texts()
		seen := map[string]bool{}
		for _, text := range texts {
			require.LessOrEqual(t, len(text), mostText, "%v", texts)
			require.False(t, seen[text], "%v", texts)
			seen[text] = true
		}
	})
}

// TestTickRows: texts of ticks that do not fit in one row are placed in several rows, inside the
// picture.
func TestTickRows(t *testing.T) {
	l := Lines{X: Axis{Whole: true, Text: func(v float64) string { return fmt.Sprintf("the configuration number %v", v) }}, Lines: []Line{{X: []float64{0, 1, 2, 3}, Y: []float64{0, 1, 2, 3}}}}
	var boxes [][3]float64
	for _, e := range parse(t, l.SVG()) {
		if strings.HasPrefix(e.text, "the configuration") {
			from, to := span(t, e)
			y := e.number(t, "y")
			require.GreaterOrEqual(t, from, 0.)
			require.LessOrEqual(t, to, float64(linesWidth))
			for _, b := range boxes {
				require.False(t, b[2] == y && from < b[1] && b[0] < to, "%v on %v", e, b)
			}
			boxes = append(boxes, [3]float64{from, to, y})
		}
	}
	require.Len(t, boxes, 4)
}

// TestLongNames: names that do not fit on one line are divided into lines and complete.
func TestLongNames(t *testing.T) {
	long := "all, of which the EAL is the part that the paper does not state, and the reducer with its sixteen units"
	for kind, svg := range map[string]string{
		"lines":  Lines{Title: long, Y: Axis{Label: long}, X: Axis{Label: long}, Lines: []Line{{Name: long, X: []float64{1}, Y: []float64{1}}, {Name: "b", X: []float64{1}, Y: []float64{2}}}}.SVG(),
		"pairs":  Pairs{Title: long, Axis: Axis{Label: long}, Given: "paper", Found: "ours", Pairs: []Pair{{Name: long, Value: long, Given: 1, Found: 2}}}.SVG(),
		"stacks": Stacks{Title: long, Stacks: []Stack{{Name: long, Value: long}}}.SVG(),
		"tracks": Tracks{Title: long, Names: []string{long}, Blocks: []Block{{End: 1}}}.SVG()[0],
	} {
		var texts []string
		for _, e := range parse(t, svg) {
			if e.name == "text" {
				texts = append(texts, e.text)
			}
		}
		all := strings.Join(texts, " ")
		require.Contains(t, all, long, kind)
		require.NotContains(t, all, "…", kind)
	}
}

// TestUntitled: an untitled picture has a title only for people who cannot see the picture.
func TestUntitled(t *testing.T) {
	for _, svg := range []string{Lines{Title: "name", Untitled: true}.SVG(), Pairs{Title: "name", Untitled: true}.SVG()} {
		require.Equal(t, 1, strings.Count(svg, "name"))
		require.Contains(t, svg, "<title>name</title>")
	}
}

// TestPlaces: the ends of both axes are the ends of the plot.
func TestPlaces(t *testing.T) {
	c := Lines{X: Axis{Log: true}, Y: Axis{Label: "y", Zero: true, One: true}, Lines: []Line{{X: []float64{0.001, 1}, Y: []float64{0, 1}}}}
	require.Contains(t, c.SVG(), `d="M64.0 296.0L482.0 56.0"`)
	c.X = Axis{Whole: true}
	c.Lines[0].X = []float64{1, 2}
	require.Contains(t, c.SVG(), `d="M168.5 296.0L377.5 56.0"`, "half a step from the ends")
}

// TestLinesDiffer: lines have different signs as well as different colours. A line with many points
// has no signs.
func TestLinesDiffer(t *testing.T) {
	point := regexp.MustCompile(`class="point" d="M[\d.]+ [\d.]+([^"]+)"`)
	signs := map[string]int{}
	for _, m := range point.FindAllStringSubmatch(lines("a").SVG(), -1) {
		signs[m[1]]++
	}
	require.Len(t, signs, 3)
	only := Lines{Lines: []Line{{Name: "without"}, {Name: "b", X: []float64{1}, Y: []float64{1}}}}.SVG()
	require.NotContains(t, only, "without")
	require.NotContains(t, only, `class="c0"`)
	require.Equal(t, 2, strings.Count(only, `class="c1"`), "its own colour, and in the legend")
	var long Line
	for i := range marked + 1 {
		long.X, long.Y = append(long.X, float64(i)), append(long.Y, 1)
	}
	require.Len(t, point.FindAllString(Lines{Lines: []Line{long}}.SVG(), -1), 1, "that of the legend")
}

// TestLineRanges: a range extends above and below its point, and the axis includes it.
func TestLineRanges(t *testing.T) {
	l := Lines{Y: Axis{Label: "y", Zero: true}, Lines: []Line{{X: []float64{0, 10}, Y: []float64{2, 3}, Low: []float64{1, 3}, High: []float64{4, 5}}}}
	require.Contains(t, l.SVG(), `<path class="range" d="M61.0 248.0h6m-3 0V104.0m-3 0h6"/>`)
	require.Contains(t, l.SVG(), `<path class="range" d="M479.0 152.0h6m-3 0V56.0m-3 0h6"/>`)
}

// TestFile: a file contains the picture with the style and the background of a page.
func TestFile(t *testing.T) {
	svg := lines("name").SVG()
	page, file := parse(t, svg), parse(t, File(svg))
	require.Equal(t, page[1:3], file[1:3])
	require.Equal(t, "style", file[3].name)
	require.Contains(t, file[3].text, "prefers-color-scheme: dark")
	require.Contains(t, Style, strings.TrimSpace(file[3].text))
	require.Equal(t, "paper", file[4].attr["class"])
	require.Equal(t, page[3:], file[5:])
}

// TestStackParts: the widths of parts are proportional to their sizes, and each part follows the
// previous one. A label that does not fit is replaced by a key or omitted.
func TestStackParts(t *testing.T) {
	var from, width []float64
	var texts []string
	for _, e := range parse(t, stacks("name").SVG()) {
		if e.attr["class"] == "part" {
			from, width = append(from, e.number(t, "x")), append(width, e.number(t, "width"))
		}
		if e.attr["class"] == "block" {
			texts = append(texts, e.text)
		}
	}
	require.Len(t, width, 3)
	require.InDelta(t, 75./20, width[0]/width[1], 0.01)
	require.InDelta(t, 75./5, width[0]/width[2], 0.05)
	require.InDelta(t, from[0]+width[0], from[1], 0.11)
	require.InDelta(t, from[1]+width[1], from[2], 0.11)
	require.Equal(t, []string{"name", "short", "3"}, texts)
}

// TestRanges: a factor and its inverse have the same distance from 1.
func TestRanges(t *testing.T) {
	r := Ranges{{0.25, 0.5, 1}, {1, 2, 4}}
	s := r.scale()
	require.InDelta(t, s.at(1)-s.at(0.5), s.at(2)-s.at(1), 1e-9)
	require.InDeltaSlice(t, []float64{0.5, 1, 2}, s.ticks, 1e-9)
	require.Less(t, len(Ranges{{0.001, 1, 1000}}.scale().ticks), 10)
	require.NotContains(t, Ranges{{1, 1, 1}}.SVG(0), "NaN")
	require.Contains(t, r.SVG(0), "0.50 (0.25 to 1.00)")
}
