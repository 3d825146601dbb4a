package picture

import (
	"cmp"
	"slices"
)

// lane is a row of a track in which no blocks overlap.
type lane struct {
	top    float64
	blocks []int // sorted by start
	end    float64
	labels []placed // labels placed below blocks that are too narrow for them
	rows   int
}

// placed is a label with its position outside its block.
type placed struct {
	block int
	x     float64
	row   int
}

// share distributes the blocks of each track among lanes.
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

// place arranges the lanes vertically and returns the bottom position.
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

// edges returns the horizontal pixel range of a block.
func (d *drawing) edges(i int) (from, to float64) {
	from = d.x.at(max(d.Blocks[i].Start, d.x.low))
	return from, max(d.x.at(min(d.Blocks[i].End, d.x.high)), from+1.5)
}

// fits reports whether a label fits in its block.
func (d *drawing) fits(i int) bool {
	from, to := d.edges(i)
	return extent(d.Blocks[i].Label, sizes["block"]) <= to-from-6
}

// labelRows is the maximum number of label rows below a lane, and labelShift the maximum distance
// of a label from its block.
const labelRows, labelShift = 3, 90

// label places the labels that do not fit in their blocks. In dense areas, some labels are omitted;
// adjacent blocks with the same label share it.
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

// labels draws the labels outside their blocks, with lines to the blocks.
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

// row returns the vertical position of a label's text.
func (l *lane) row(p placed) float64 { return l.top + laneHeight + labelHeight*float64(p.row+1) - 2 }
