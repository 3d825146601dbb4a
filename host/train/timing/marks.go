package timing

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
)

// marks divides the time into phases.
type marks struct {
	line   *timeline.Timeline
	last   timeline.Point
	phases []Phase
	bounds []map[string]des.Time

	lastOnly bool // only the last mark is needed, not the phases
}

// mark adds the time from the last mark up to p, if p is later, to a phase.
func (m *marks) mark(label string, p timeline.Point) {
	if p.At <= m.last.At {
		return
	}
	if m.lastOnly {
		m.last = p
		return
	}
	i := m.phase(label)
	m.phases[i].Time += p.At - m.last.At
	m.bounds[i][m.line.Bound(m.last, p)] += p.At - m.last.At
	m.last = p
}

// bounded returns the phases, each with the resource that bounds it.
func (m *marks) bounded() []Phase {
	for i := range m.phases {
		m.phases[i].BoundBy = longest(m.bounds[i])
	}
	return m.phases
}

func (m *marks) phase(label string) int {
	for i := range m.phases {
		if m.phases[i].Label == label {
			return i
		}
	}
	m.phases = append(m.phases, Phase{Label: label})
	m.bounds = append(m.bounds, map[string]des.Time{})
	return len(m.phases) - 1
}

// longest returns the name with the most time; in a tie, the first in the order of names.
func longest(times map[string]des.Time) string {
	top := ""
	for name, t := range times {
		if top == "" || t > times[top] || t == times[top] && name < top {
			top = name
		}
	}
	return top
}
