package picture

import (
	"cmp"
	"slices"
)

// lane is a row of a track in which no blocks overlap.
type lane struct {
	top    float64
	blocks []int // by their start
	end    float64
	labels []placed // below the blocks that they are too wide for
	rows   int
}

// placed is a label beside its block.
type placed struct {
	block int
	x     float64
	row   int
}

// share shares the blocks of each track among lanes.
func (d *drawing) share() {
	order := make([]int, len(d.Blocks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.Blocks[a].Start, d.Blocks[b].Start) })
	for _, i := range order {
		b := d.Blocks[i]
		if d.outside(b) {
			continue
		}
		at := slices.IndexFunc(d.lanes[b.Track], func(l *lane) bool { return l.end <= b.Start })
		if at < 0 {
			at = len(d.lanes[b.Track])
			d.lanes[b.Track] = append(d.lanes[b.Track], &lane{})
		}
		l := d.lanes[b.Track][at]
		l.blocks, l.end, d.at[i] = append(l.blocks, i), b.End, l
	}
}

// place puts the lanes below each other and returns where they end.
func (d *drawing) place() float64 {
	y := float64(tracksTop)
	for i, lanes := range d.lanes {
		top := y
		for _, l := range lanes {
			l.top = y
			d.label(l)
			y += laneHeight + labelHeight*float64(l.rows) + laneGap
		}
		if len(lanes) > 0 {
			y = max(y, top+laneHeight+more(divide(d.Names[i], trackLeft-18, "label"))) + trackGap
		}
	}
	return y
}

// edges are the pixels between which a block is drawn.
func (d *drawing) edges(i int) (from, to float64) {
	from = d.x.at(max(d.Blocks[i].Start, d.x.low))
	return from, max(d.x.at(min(d.Blocks[i].End, d.x.high)), from+1.5)
}

// fits tells that a label has room in its block.
func (d *drawing) fits(i int) bool {
	from, to := d.edges(i)
	return extent(d.Blocks[i].Label, sizes["block"]) <= to-from-6
}

// labelRows is how many rows of labels there are below a lane, and labelShift how
// far they may be from their blocks.
const labelRows, labelShift = 3, 90

// label finds places for the labels that have no room in their blocks. Where many
// crowd, some have none; blocks with the same label side by side have one.
func (d *drawing) label(l *lane) {
	var ends [labelRows]float64
	for i := range ends {
		ends[i] = trackLeft
	}
	last, end := "", 0.0
	for _, i := range l.blocks {
		b := d.Blocks[i]
		from, to := d.edges(i)
		follows := b.Label == last && from < end+2
		last, end = b.Label, to
		if b.Faint || d.fits(i) || follows || d.crowded(b) {
			continue
		}
		width := extent(b.Label, sizes["block"])
		for row := range ends {
			x := min(max(from, ends[row]), wide-trackRight-width)
			if x >= ends[row] && x-from <= labelShift && from-x <= labelShift+width {
				l.labels = append(l.labels, placed{i, x, row})
				ends[row], l.rows = x+width+8, max(l.rows, row+1)
				break
			}
		}
	}
}

// labels draws those that have no room in their blocks, with lines to them.
func (d *drawing) labels() {
	for _, l := range slices.Concat(d.lanes...) {
		for _, p := range l.labels {
			from, to := d.edges(p.block)
			at := min(from+2, (from+to)/2)
			if p.row > 0 || at < p.x || at > p.x+20 {
				d.c.line("lead", at, l.top+laneHeight, max(p.x+2, min(at, p.x+20)), l.row(p)-9)
			}
		}
		for _, p := range l.labels {
			d.c.text(p.x, l.row(p), "start", "block backed", d.Blocks[p.block].Label)
		}
	}
}

// row is where the text of a label stands.
func (l *lane) row(p placed) float64 { return l.top + laneHeight + labelHeight*float64(p.row+1) - 2 }
