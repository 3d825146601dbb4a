package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/picture"
)

// miniBatchSection contains the timelines of a mini-batch in all systems.
type miniBatchSection struct {
	Drawn
	Timelines []systemTimeline
}

// systemTimeline is a plot of a timeline, and its events as text.
type systemTimeline struct {
	System   string
	Pictures []template.HTML // the whole timeline, and close-ups
	Events   []eventRow
}

type eventRow struct {
	Start, End, Resource, Label string
	Bytes                       int64
	Kernels                     int
}

func (r *Report) miniBatchSections() []miniBatchSection {
	var pictures []*tracksOf
	colours := map[string]int{}
	for i, line := range r.Timelines {
		pictures = append(pictures, newTracks(&r.Systems[i], line, colours))
	}
	var list []miniBatchSection
	for _, d := range r.Drawn {
		section := miniBatchSection{Drawn: d}
		for _, p := range pictures {
			if d.Number < len(p.system.Series) {
				section.Timelines = append(section.Timelines, p.draw(d.Number))
			}
		}
		list = append(list, section)
	}
	return list
}

// tracksOf plots mini-batches of a system.
type tracksOf struct {
	system  *System
	events  []timeline.Event
	flows   map[string][]int // indices of events, by flow
	names   []string         // resource names
	colours map[string]int   // colours by work
}

func newTracks(s *System, line *timeline.Timeline, colours map[string]int) *tracksOf {
	t := &tracksOf{system: s, events: line.Events(), flows: map[string][]int{}, colours: colours}
	for _, resource := range line.Resources() {
		t.names = append(t.names, resource.Name())
	}
	for i, e := range t.events {
		t.flows[e.Flow] = append(t.flows[e.Flow], i)
		if _, ok := colours[work(e)]; !ok {
			colours[work(e)] = len(colours)
		}
	}
	return t
}

// work returns the work of an event. The dispatch of an operator belongs to the operator, and a
// copy to its data.
func work(e timeline.Event) string {
	return strings.TrimPrefix(strings.TrimPrefix(e.Label, "dispatch "), "copy ")
}

// draw plots mini-batch m. Its own events are solid, the events of its neighbours faint.
func (t *tracksOf) draw(m int) systemTimeline {
	b := t.system.Series[m]
	begin := b.End - b.Time
	own := t.flows[timing.Flow(m)]
	p := picture.Tracks{
		Title: fmt.Sprintf("%s, mini-batch %d: %s", t.system.System, m, trimmed(b.Time)),
		Text:  fmt.Sprintf("The %d events of the mini-batch, which the table below the picture lists, on a track for each resource.", len(own)),
		Time:  picture.Axis{Label: "from the start of the mini-batch", Units: picture.Picoseconds},
		Names: t.names,
		Marks: []picture.Mark{{At: 0, Label: "start"}, {At: float64(b.Time), Label: "end"}},
	}
	out := systemTimeline{System: t.system.System}
	block := map[int]int{}
	for _, i := range own {
		e := t.events[i]
		block[i] = len(p.Blocks)
		p.Blocks = append(p.Blocks, t.block(e, begin))
		out.Events = append(out.Events, eventRow{trimmed(e.Start - begin), trimmed(e.End - begin), e.Resource, e.Label, e.Bytes, e.Kernels})
		for _, before := range e.After {
			if from, ok := block[before]; ok && waits(t.events[before], e) {
				p.Arrows = append(p.Arrows, picture.Arrow{From: from, To: block[i]})
			}
		}
	}
	for _, neighbour := range []int{m - 1, m + 1} {
		for _, i := range t.flows[timing.Flow(neighbour)] {
			faint := t.block(t.events[i], begin)
			faint.Faint, faint.Text = true, timing.Flow(neighbour)+": "+faint.Text
			p.Blocks = append(p.Blocks, faint)
		}
	}
	for _, svg := range p.SVG() {
		out.Pictures = append(out.Pictures, template.HTML(svg))
	}
	return out
}

// waits reports whether e waits for before: it begins when before ends on another resource, or
// before is its doorbell.
func waits(before, e timeline.Event) bool {
	return before.Resource != e.Resource && (e.Start == before.End || e.Resource == timing.Accelerator)
}

// block returns the block of an event, relative to the start of a mini-batch.
func (t *tracksOf) block(e timeline.Event, begin des.Time) picture.Block {
	text := fmt.Sprintf("%s: %s, %s to %s", e.Resource, e.Label, trimmed(e.Start-begin), trimmed(e.End-begin))
	if e.Bytes > 0 {
		text += fmt.Sprintf(", %s bytes", format.Thousands(e.Bytes))
	}
	if e.Kernels > 0 {
		text += ", " + format.Plural(e.Kernels, "kernel")
	}
	return picture.Block{
		Track: slices.Index(t.names, e.Resource), Label: e.Label, Text: text, Start: float64(e.Start - begin), End: float64(e.End - begin), Colour: t.colours[work(e)],
	}
}
