package report

import (
	"fmt"
	"html/template"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/picture"
)

// speedUpTable contains the speed-ups of all systems with a profile.
type speedUpTable struct {
	Profile string
	Axis    template.HTML // the same for all tables
	Rows    []speedUpRow
}

type speedUpRow struct {
	SpeedUp
	Bar template.HTML
}

// speedUpTables returns a table for each profile, beginning with the profile of the run.
func (r *Report) speedUpTables() []*speedUpTable {
	var ranges picture.Ranges
	for _, s := range r.SpeedUps {
		ranges = append(ranges, picture.Range{Low: s.Low, Value: s.Value, High: s.High})
	}
	var tables []*speedUpTable
	for i, s := range r.SpeedUps {
		at := slices.IndexFunc(tables, func(t *speedUpTable) bool { return t.Profile == s.Profile })
		if at < 0 {
			at, tables = len(tables), append(tables, &speedUpTable{Profile: s.Profile, Axis: template.HTML(ranges.Axis())})
		}
		tables[at].Rows = append(tables[at].Rows, speedUpRow{s, template.HTML(ranges.SVG(i))})
	}
	return tables
}

// phaseTable contains the time of a mini-batch of a system, by phase and by resource.
type phaseTable struct {
	System    string
	Takes     string
	Phases    []phaseRow
	Resources []resourceRow
}

type phaseRow struct {
	Key, Label, Time, BoundBy string
	Share                     float64
	Colour                    int
}

// resourceRow contains the share of a system's time that a resource bounds, and the share in which
// it is busy.
type resourceRow struct {
	Resource     string
	Bounds, Busy float64
}

// per returns the time for one mini-batch.
func (s *System) per(t des.Time) des.Time { return t / des.Time(max(1, s.MiniBatches)) }

// takes formats the time of a mini-batch with its range.
func (s *System) takes() string {
	switch {
	case s.missing() != "":
		return s.missing()
	case s.Time == 0:
		return "no time"
	}
	time, low, high := s.time()
	return fmt.Sprintf("%s (%s to %s), bound by %s", time, low, high, s.BoundBy)
}

// trimmed formats a time, which may be negative, for running text.
func trimmed(t des.Time) string {
	if t < 0 {
		return "-" + trimmed(-t)
	}
	return format.Micro(t)
}

// phaseTables returns a table for each system. Phases with the same label have the same number and
// colour in all tables.
func (r *Report) phaseTables() []phaseTable {
	var labels []string
	var tables []phaseTable
	for _, s := range r.Systems {
		t := phaseTable{System: s.System, Takes: s.takes()}
		for _, p := range s.Phases {
			at := slices.Index(labels, p.Label)
			if at < 0 {
				at, labels = len(labels), append(labels, p.Label)
			}
			t.Phases = append(t.Phases, phaseRow{fmt.Sprint(at + 1), p.Label, trimmed(s.per(p.Time)), p.BoundBy, part(p.Time, s.Time), at})
		}
		for _, b := range s.Busy {
			row := resourceRow{Resource: b.Resource, Busy: part(b.Time, s.Time)}
			for _, c := range s.Chain {
				if c.Resource == b.Resource {
					row.Bounds = part(c.Time, s.Time)
				}
			}
			t.Resources = append(t.Resources, row)
		}
		tables = append(tables, t)
	}
	return tables
}

func part(a, b des.Time) float64 { return Ratio(int64(a), int64(b)) }

// stacks returns the plot of the phases of all systems.
func (r *Report) stacks() template.HTML {
	c := picture.Stacks{
		Title: "Time of a mini-batch, by phase",
		Text:  "A bar per system, in the order of the tables below, and below each bar its range over the constants of the machine.",
		Axis:  picture.Axis{Label: "mean over all mini-batches", Units: picture.Picoseconds},
	}
	for i, t := range r.phaseTables() {
		s := &r.Systems[i]
		stack := picture.Stack{Name: s.System, Value: t.Takes, Low: float64(s.per(s.Low)), High: float64(s.per(s.High))}
		for j, p := range t.Phases {
			stack.Parts = append(stack.Parts, picture.Part{
				Label: p.Key + " " + p.Label, Key: p.Key, Size: float64(s.per(s.Phases[j].Time)), Colour: p.Colour,
				Text: fmt.Sprintf("%s %s: %s, bound by %s", p.Key, p.Label, p.Time, p.BoundBy),
			})
		}
		c.Stacks = append(c.Stacks, stack)
	}
	return template.HTML(c.SVG())
}
