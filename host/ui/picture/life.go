package picture

import (
	"math"
	"slices"
)

// Life shows for a document which work is done when, if some work takes a thousand times as long as
// other work. The axis is compressed: an interval between two changes is as wide as the logarithm
// of its length, so each block has its duration as text.
type Life struct {
	Title, Text string
	Rows        []string
	Blocks      []LifeBlock
	Unit        float64 // time below which an interval has almost no width
	Notes       []string
}

// LifeBlock is work in a row.
type LifeBlock struct {
	Row         int
	Label, Time string // Time is in the block if it fits, or above it
	Start, End  float64
}

const lifeLeft, lifeRight, lifeRow, lifeBox = 70, 12, 36, 14

// SVG draws the blocks.
func (l Life) SVG() string {
	below := newNotes(l.Notes)
	height := lifeRow * float64(len(l.Rows))
	c, top := newNarrow(l.Title, l.Text, func(top float64) float64 { return top + height + 10 + below.height() + 6 })
	x := l.scale()
	for i, name := range l.Rows {
		y := top + lifeRow*float64(i)
		c.text(10, y+27, "start", "label strong", name)
		c.line("rule", 10, y+lifeRow, narrow-lifeRight, y+lifeRow)
	}
	for _, b := range l.Blocks {
		y, from, to := top+lifeRow*float64(b.Row), x(b.Start), x(b.End)
		c.line("rule", from, top, from, top+height)
		c.add(`<g class="c%d"><rect class="part" x="%.1f" y="%.1f" width="%.1f" height="%d" rx="2"/></g>`+"\n", b.Row%(colours-1), from, y+17, to-from, lifeBox)
	}
	for _, b := range l.Blocks {
		y, from, to, above := top+lifeRow*float64(b.Row), x(b.Start), x(b.End), b.Label
		if extent(b.Time, digitSize) <= to-from {
			c.text((from+to)/2, y+28, "middle", "block", b.Time)
		} else {
			above += " " + b.Time
		}
		c.text(min((from+to)/2, narrow-lifeRight-extent(above, digitSize)/2), y+13, "middle", "small backed", above)
	}
	below.draw(c, top+height+10)
	return c.svg()
}

// scale returns the position of a time.
func (l Life) scale() func(float64) float64 {
	var times []float64
	for _, b := range l.Blocks {
		times = append(times, b.Start, b.End)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	at := make([]float64, len(times))
	for i := 1; i < len(times); i++ {
		at[i] = at[i-1] + math.Log2(1+(times[i]-times[i-1])/l.Unit)
	}
	return func(t float64) float64 {
		i, _ := slices.BinarySearch(times, t)
		return lifeLeft + (narrow-lifeLeft-lifeRight)*at[i]/at[len(at)-1]
	}
}
