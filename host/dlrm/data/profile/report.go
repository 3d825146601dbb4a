package profile

import "math"

// Report is what Run has measured. Shares are from 0 to 1.
type Report struct {
	Name    string    `json:"name"`
	Inputs  int64     `json:"inputs"`
	Lookups int       `json:"lookups"` // of an input
	Clicks  float64   `json:"clicks"`  // mean label
	Rows    int64     `json:"rows"`    // of all tables
	Seen    int64     `json:"seen"`    // rows that were read, as far as they have counters of their own
	Tables  []Table   `json:"tables"`
	HotSets []HotSet  `json:"hot_sets"`
	Windows []Window  `json:"windows"`
	Targets []Reached `json:"targets"`
}

// Table is about one table.
type Table struct {
	Name     string  `json:"name"`
	Rows     int     `json:"rows"`
	Seen     int64   `json:"seen"`
	Accesses int64   `json:"accesses"`
	Exact    bool    `json:"exact"` // no two rows share a counter
	Top      []Share `json:"top"`
}

// Share is the share of accesses that go to the hottest part of the rows that were read, at least one.
type Share struct {
	Part     float64 `json:"part"`
	Accesses float64 `json:"accesses"`
}

// HotSet is about the rows that were read most, over all tables.
type HotSet struct {
	Rows        int64   `json:"rows"`
	OfSeen      float64 `json:"of_seen"`
	OfAll       float64 `json:"of_all"`
	Accesses    float64 `json:"accesses"`     // share that goes to them
	Inputs      float64 `json:"inputs"`       // share that reads them only: the popular share
	Independent float64 `json:"independent"`  // the same, if each lookup went there independently of the others
	ColdLookups float64 `json:"cold_lookups"` // mean number of lookups elsewhere, of the other inputs
}

// Window is a part of the inputs, and what hot sets serve of it: that of itself, of the window before, and of the first window.
// Each hot set is the hottest tenth of the rows that were read in its window.
type Window struct {
	From     int64   `json:"from"` // number of the first input
	To       int64   `json:"to"`   // behind the last
	HotRows  int64   `json:"hot_rows"`
	Own      float64 `json:"own"`      // share of accesses
	Previous float64 `json:"previous"` // share of accesses; 0 in the first window
	First    float64 `json:"first"`    // share of accesses; 0 in the first window
	Inputs   float64 `json:"inputs"`   // share of inputs that the hot set of the window before serves
}

// comparable tells whether a target is about as many inputs as the report.
func (r *Report) comparable(t Target) bool { return t.Inputs == 0 || t.Inputs == r.Inputs }

// TargetError returns the root of the mean square of the errors of the targets that are about as many inputs; 0 if there are none.
func (r *Report) TargetError() float64 {
	sum, n := 0.0, 0
	for _, t := range r.Targets {
		if r.comparable(t.Target) {
			sum += float64(t.Error * t.Error)
			n++
		}
	}
	return math.Sqrt(sum / float64(max(1, n)))
}
