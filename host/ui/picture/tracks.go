package picture

import (
	"fmt"
	"slices"
)

// Tracks is a chart of blocks of work over time, in tracks below each other.
type Tracks struct {
	Title, Text string
	Time        Axis
	Names       []string // of the tracks, from the top; tracks without blocks are omitted
	Blocks      []Block
	Arrows      []Arrow
	Marks       []Mark
}

// Block is work on a track.
type Block struct {
	Track      int
	Label      string
	Text       string // tooltip
	Start, End float64
	Colour     int
	// Faint marks work that belongs to another item. It has no label, and it is clipped to the time
	// of all other blocks.
	Faint bool
}

// Arrow points from the end of one block to the start of another.
type Arrow struct{ From, To int }

// Mark is a marked time.
type Mark struct {
	At    float64
	Label string
}

const (
	trackLeft, trackRight, tracksTop = 136, 16, 62
	laneHeight, labelHeight, laneGap = 18, 13, 3
	trackGap                         = 7
)

// drawing is a picture of tracks being drawn.
type drawing struct {
	Tracks
	c      *canvas
	x      scale
	crowds []stretch
	lanes  [][]*lane // by track
	at     []*lane   // lane of each block
}

// stretch is a time interval.
type stretch struct{ from, to float64 }

func (s stretch) has(b Block) bool { return b.Start >= s.from && b.End <= s.to }

// SVG draws the tracks: an overview with all blocks, and a close-up of each dense time interval.
func (t Tracks) SVG() []string {
	whole := t.scale()
	crowds := t.crowds(whole)
	pictures := []string{t.draw(whole, crowds)}
	for i, crowd := range crowds {
		near := t
		near.Title = fmt.Sprintf("%s, close-up %d", t.Title, i+1)
		near.Text = "A part of the picture above."
		pictures = append(pictures, near.draw(t.Time.exactly(crowd), nil))
	}
	return pictures
}

// draw draws the time interval of a scale.
func (t Tracks) draw(x scale, crowds []stretch) string {
	d := drawing{Tracks: t, x: x, crowds: crowds, lanes: make([][]*lane, len(t.Names)), at: make([]*lane, len(t.Blocks))}
	d.share()
	bottom := d.place()
	if len(crowds) > 0 {
		bottom += labelHeight
	}
	d.c = newCanvas(t.Title, t.Text, wide, bottom+44)
	d.c.textIn(wide-20, 10, 20, "start", "head", t.Title)
	d.x.vertical(d.c, tracksTop-6, bottom)
	d.c.textIn(wide-trackLeft, (trackLeft+wide-trackRight)/2, bottom+34, "middle", "small", d.x.label())
	d.bands(bottom)
	d.marks(bottom)
	for i, lanes := range d.lanes {
		if len(lanes) > 0 {
			d.c.lines(10, lanes[0].top+13, textHeight, "start", "label", divide(t.Names[i], trackLeft-18, "label"))
			d.c.line("rule", 10, lanes[0].top-trackGap/2-1, wide-trackRight, lanes[0].top-trackGap/2-1)
		}
	}
	for i := range t.Blocks {
		d.block(i)
	}
	d.labels()
	for _, a := range t.Arrows {
		d.arrow(a)
	}
	return d.c.svg()
}

// scale returns the time from the first to the last mark or block.
func (t Tracks) scale() scale {
	var ends []float64
	for _, b := range t.Blocks {
		if !b.Faint {
			ends = append(ends, b.Start, b.End)
		}
	}
	for _, m := range t.Marks {
		ends = append(ends, m.At)
	}
	if len(ends) == 0 {
		ends = []float64{0}
	}
	return t.Time.exactly(stretch{slices.Min(ends), slices.Max(ends)})
}

// exactly returns a scale with exactly the ends of a time interval.
func (a Axis) exactly(part stretch) scale {
	s := a.newScale(trackLeft, wide-trackRight, part.from, part.to)
	if part.to > part.from {
		s.low, s.high = part.from, part.to
		s.ticks = slices.DeleteFunc(s.ticks, func(v float64) bool { return v < s.low || v > s.high })
	}
	return s
}

// outside reports whether a block is outside the drawn time interval.
func (d *drawing) outside(b Block) bool {
	return b.End < d.x.low || b.Start > d.x.high || b.Faint && (b.End == d.x.low || b.Start == d.x.high)
}

func (d *drawing) block(i int) {
	b, l := d.Blocks[i], d.at[i]
	if l == nil {
		return
	}
	from, to := d.edges(i)
	class := "event"
	if b.Faint {
		class = "other"
	}
	d.c.add(`<g class="%s c%d"><title>%s</title><rect x="%.1f" y="%.1f" width="%.1f" height="%d"/>`,
		class, b.Colour%(colours-1), escape(b.Text), from, l.top, to-from, laneHeight)
	if !b.Faint && d.fits(i) {
		d.c.text((from+to)/2, l.top+13, "middle", "block", b.Label)
	}
	d.c.add("</g>\n")
}

// arrow draws an arrow from the end of a block to the start of another.
func (d *drawing) arrow(a Arrow) {
	from, to := d.at[a.From], d.at[a.To]
	if from == nil || to == nil || d.crowded(d.Blocks[a.From], d.Blocks[a.To]) {
		return
	}
	_, x0 := d.edges(a.From)
	x1, _ := d.edges(a.To)
	y0, y1, tip := from.top+laneHeight, to.top, -5.0
	if from.top > to.top {
		y0, y1, tip = from.top, to.top+laneHeight, 5
	}
	d.c.add(`<path class="arrow" d="M%.1f %.1fL%.1f %.1f"/><path class="tip" d="M%.1f %.1fl-3 %.0fh6z"/>`+"\n", x0, y0, x1, y1+tip, x1, y1, tip)
}

// crowded reports whether the blocks are in a close-up.
func (d *drawing) crowded(blocks ...Block) bool {
	return slices.ContainsFunc(d.crowds, func(s stretch) bool {
		return !slices.ContainsFunc(blocks, func(b Block) bool { return !s.has(b) })
	})
}

// bands draws the intervals of the close-ups.
func (d *drawing) bands(bottom float64) {
	for i, s := range d.crowds {
		from, to := d.x.at(max(s.from, d.x.low)), d.x.at(min(s.to, d.x.high))
		d.c.add(`<rect class="band" x="%.1f" y="%d" width="%.1f" height="%.1f"/>`+"\n", from-2, tracksTop-6, to-from+4, bottom-tracksTop+6)
		name := fmt.Sprintf("close-up %d", i+1)
		d.c.text(min(from, wide-trackRight-extent(name, sizes["small"])), bottom-3, "start", "small backed", name)
	}
}

// marks draws the marked times.
func (d *drawing) marks(bottom float64) {
	for _, m := range d.Marks {
		if m.At < d.x.low || m.At > d.x.high {
			continue
		}
		x := d.x.at(m.At)
		d.c.line("mark", x, tracksTop-18, x, bottom)
		anchor := "start"
		if x > wide/2 {
			anchor = "end"
		}
		d.c.textIn(wide/2-trackLeft, x, tracksTop-22, anchor, "small", m.Label)
	}
}
