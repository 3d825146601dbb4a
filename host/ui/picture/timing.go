package picture

import (
	"fmt"
	"slices"
	"strings"
)

// Timing is a timing diagram for a document: bits as levels, other signals as lanes of values, over
// cycles of a clock. Cycles that are not shown, or in which nothing
// changes, are replaced by a gap.
type Timing struct {
	Title, Text string
	Cycles      []uint64 // numbers of the cycles, in ascending order; others are not shown
	Signals     []TimingSignal
	// Arrows lead from a change to its effect.
	Arrows []TimingArrow
	// Notes are below the diagram. Their numbers are in front of the signals.
	Notes []TimingNote
}

// TimingSignal is a row of the diagram. Signals of a group are consecutive.
type TimingSignal struct {
	Group, Name string
	Bit         bool
	Values      []string // by column of Cycles; "" if unknown or without meaning. A bit is "0" or "1".
}

// TimingArrow leads from a signal in a cycle to another. Cycles are indices of Timing.Cycles.
type TimingArrow struct{ From, FromCycle, To, ToCycle int }

// TimingNote explains a signal.
type TimingNote struct {
	Signal int
	Text   string
}

const (
	timingLeft, timingRight = 108, 12
	timingRow, timingLane   = 21, 13
	timingGroup             = 17
	timingGap               = 16  // width of a gap
	digitSize               = 9.2 // of the values, most of which are digits, for extent
	timingIdle              = 4   // least number of cycles without a change that a gap replaces
)

// timing is a diagram being drawn.
type timing struct {
	Timing
	c       *canvas
	columns []timingColumn
	tops    []float64 // of the lanes
	bottom  float64
}

// timingColumn is a cycle, or a gap.
type timingColumn struct {
	cycle, skipped int
	x, width       float64
}

// SVG draws the diagram.
func (t Timing) SVG() string {
	d := timing{Timing: t}
	d.arrange()
	var texts []string
	for _, n := range t.Notes {
		texts = append(texts, n.Text)
	}
	below := newNotes(texts)
	var top float64
	d.c, top = newNarrow(t.Title, t.Text, func(top float64) float64 {
		d.place(top)
		return d.bottom + 10 + below.height() + 6
	})
	d.axis(top)
	for i := range t.Signals {
		d.signal(i)
	}
	d.gaps(top)
	for _, a := range t.Arrows {
		d.arrow(a)
	}
	for i, n := range t.Notes {
		d.c.number(15, d.tops[n.Signal]+timingLane/2.0, i+1)
	}
	below.draw(d.c, d.bottom+10)
	return d.c.svg()
}

// idle reports whether nothing changes at the start of a cycle.
func (t Timing) idle(cycle int) bool {
	return t.follows(cycle) && !slices.ContainsFunc(t.Signals, func(s TimingSignal) bool { return s.at(cycle) != s.at(cycle-1) })
}

// follows reports whether the cycle before a cycle is shown.
func (t Timing) follows(cycle int) bool { return cycle > 0 && t.Cycles[cycle] == t.Cycles[cycle-1]+1 }

func (s TimingSignal) at(cycle int) string {
	if cycle >= len(s.Values) {
		return ""
	}
	return s.Values[cycle]
}

// arrange divides the width among cycles and gaps.
func (d *timing) arrange() {
	gaps := 0
	gap := func(cycle, skipped int) {
		d.columns = append(d.columns, timingColumn{cycle: cycle, skipped: skipped})
		gaps++
	}
	for i := 0; i < len(d.Cycles); i++ {
		if i > 0 && !d.follows(i) {
			gap(i-1, int(d.Cycles[i]-d.Cycles[i-1])-1)
		}
		d.columns = append(d.columns, timingColumn{cycle: i})
		end := i + 1
		for end < len(d.Cycles) && d.idle(end) {
			end++
		}
		if end-i > timingIdle { // the first and the last cycle stay
			gap(i+1, end-i-2)
			i = end - 2
		}
	}
	width := (narrow - timingLeft - timingRight - timingGap*float64(gaps)) / float64(max(1, len(d.columns)-gaps))
	x := float64(timingLeft)
	for i := range d.columns {
		column := &d.columns[i]
		column.x, column.width = x, width
		if column.skipped > 0 {
			column.width = timingGap
		}
		x += column.width
	}
}

// column returns the column of a cycle.
func (d *timing) column(cycle int) int {
	return max(0, slices.IndexFunc(d.columns, func(c timingColumn) bool { return c.skipped == 0 && cycle <= c.cycle }))
}

// place sets the vertical positions.
func (d *timing) place(top float64) {
	y, group := top+34, ""
	for _, s := range d.Signals {
		if s.Group != group {
			group = s.Group
			y += timingGroup
		}
		d.tops = append(d.tops, y)
		y += timingRow
	}
	d.bottom = y
}

// axis draws the numbers of cycles, the clock, and a line for each of its rising edges.
func (d *timing) axis(top float64) {
	d.c.text(10, top+6, "start", "small", "cycle")
	d.c.text(timingLeft-8, top+25, "end", "label", "clk")
	y, path := top+14.0, &strings.Builder{}
	end := -1.0
	for i, column := range d.columns {
		if column.skipped > 0 {
			fmt.Fprintf(path, "M%.1f %.1f", column.x+column.width, y+timingLane)
			continue
		}
		number := fmt.Sprint(d.Cycles[column.cycle])
		if half := extent(number, sizes["small"]) / 2; column.x-half > end+4 {
			d.c.text(column.x, top+6, "middle", "small", number)
			end = column.x + half
		}
		if i == 0 {
			fmt.Fprintf(path, "M%.1f %.1f", column.x, y+timingLane)
		}
		fmt.Fprintf(path, "V%.1fh%.1fV%.1fh%.1f", y, column.width/2, y+timingLane, column.width/2)
		d.c.line("rule", column.x, y+timingLane+4, column.x, d.bottom)
	}
	d.c.add(`<path class="line c6" style="stroke-width:1" d="%s"/>`+"\n", path)
}

// signal draws a signal with its name, and its group if it is the first of it.
func (d *timing) signal(i int) {
	s, y := d.Signals[i], d.tops[i]
	if i == 0 || s.Group != d.Signals[i-1].Group {
		d.c.text(10, y-6, "start", "small strong", s.Group)
	}
	d.c.textIn(timingLeft-32, timingLeft-8, y+10.5, "end", "label", s.Name)
	for from := 0; from < len(d.columns); {
		to := from + 1
		for to < len(d.columns) && s.at(d.columns[to].cycle) == s.at(d.columns[from].cycle) {
			to++
		}
		last := d.columns[to-1]
		d.run(i, d.columns[from].x, last.x+last.width, s.at(d.columns[from].cycle))
		if to < len(d.columns) && s.Bit {
			d.c.line("line "+d.colour(i), last.x+last.width, y, last.x+last.width, y+timingLane)
		}
		from = to
	}
}

// colour returns the class of the colour of a signal. The signals of a group have one colour.
func (d *timing) colour(i int) string {
	group := 0
	for k := 1; k <= i; k++ {
		if d.Signals[k].Group != d.Signals[k-1].Group {
			group++
		}
	}
	return fmt.Sprintf("c%d", group%(colours-1))
}

// run draws a value of a signal from one position to another.
func (d *timing) run(i int, from, to float64, value string) {
	y, class := d.tops[i], d.colour(i)
	switch {
	case value == "":
		d.c.line("grid", from, y+timingLane/2.0, to, y+timingLane/2.0)
	case d.Signals[i].Bit && value == "0":
		d.c.line("line "+class, from, y+timingLane, to, y+timingLane)
	case d.Signals[i].Bit:
		d.c.add(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%d" style="fill:currentColor;fill-opacity:.2"/>`+"\n", class, from, y, to-from, timingLane)
		d.c.line("line "+class, from, y, to, y)
	default:
		d.c.add(`<g class="%s"><title>%s: %s</title><path class="part" d="M%.1f %.1fl3 -6.5H%.1fl3 6.5l-3 6.5H%.1fz"/>`,
			class, escape(d.Signals[i].Name), escape(value), from+.5, y+timingLane/2.0, to-3.5, from+3.5)
		if short := fitEnd(value, to-from-3, digitSize); short != "" {
			d.c.text((from+to)/2, y+10.5, "middle", "block", short)
		}
		d.c.add("</g>\n")
	}
}

// fitEnd returns the end of a text that fits into a width, or "" if that is too short to be useful.
func fitEnd(s string, width, size float64) string {
	if extent(s, size) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 0 && extent("…"+string(runes), size) > width {
		runes = runes[1:]
	}
	if len(runes) < 2 {
		return ""
	}
	return "…" + string(runes)
}

// gaps draws the gaps over the signals.
func (d *timing) gaps(top float64) {
	for _, column := range d.columns {
		if column.skipped == 0 {
			continue
		}
		x := column.x + column.width/2
		d.c.add(`<path class="paper" d="M%.1f %.1fh8L%.1f %.1fh-8z"/>`+"\n", x-2, top+10, x+2, d.bottom)
		d.c.line("lead", x-2, top+10, x-6, d.bottom)
		d.c.line("lead", x+6, top+10, x+2, d.bottom)
		d.c.add(`<rect class="band" x="%.1f" y="%.1f" width="%.1f" height="%.1f"><title>%d cycles are not shown</title></rect>`+"\n",
			column.x, top+10, column.width, d.bottom-top-10, column.skipped)
	}
}

// arrow draws an arrow from a change to its effect.
func (d *timing) arrow(a TimingArrow) {
	from, to := d.columns[d.column(a.FromCycle)], d.columns[d.column(a.ToCycle)]
	x0, y0, x1, y1 := from.x+from.width/2, d.tops[a.From]+timingLane+1, to.x+1, d.tops[a.To]-1
	tip := 5.0
	if a.To < a.From {
		y0, y1, tip = d.tops[a.From]-1, d.tops[a.To]+timingLane+1, -5
	}
	d.c.add(`<path class="arrow" d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f"/><path class="tip" d="M%.1f %.1fl-3 %.1fh6z"/>`+"\n",
		x0, y0, x0, (y0+y1)/2, x1, (y0+y1)/2, x1, y1-tip, x1, y1, -tip)
}
