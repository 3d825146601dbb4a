package profile

import "math"

// Report contains the results of Run. Shares are from 0 to 1.
type Report struct {
	Name    string    `json:"name"`
	Inputs  int64     `json:"inputs"`
	Lookups int       `json:"lookups"` // per input
	Clicks  float64   `json:"clicks"`  // mean label
	Rows    int64     `json:"rows"`    // of all tables
	Seen    int64     `json:"seen"`    // rows that were read; an undercount where rows share counters
	Tables  []Table   `json:"tables"`
	HotSets []HotSet  `json:"hot_sets"`
	Windows []Window  `json:"windows"`
	Targets []Reached `json:"targets"`
}

// Table contains the results for one table.
type Table struct {
	Name     string  `json:"name"`
	Rows     int     `json:"rows"`
	Seen     int64   `json:"seen"`
	Accesses int64   `json:"accesses"`
	Exact    bool    `json:"exact"` // no two rows share a counter
	Top      []Share `json:"top"`
}

// Share is the share of accesses to the hottest part of the rows that were read, at least one row.
type Share struct {
	Part     float64 `json:"part"`
	Accesses float64 `json:"accesses"`
}

// HotSet contains the results for the most read rows over all tables.
type HotSet struct {
	Rows        int64   `json:"rows"`
	OfSeen      float64 `json:"of_seen"`
	OfAll       float64 `json:"of_all"`
	Accesses    float64 `json:"accesses"`     // share of the accesses to these rows
	Inputs      float64 `json:"inputs"`       // share of inputs that read only these rows: the popular share
	Independent float64 `json:"independent"`  // the popular share if all lookups were independent
	ColdLookups float64 `json:"cold_lookups"` // mean number of lookups outside the set, over the other inputs
}

// Window is a part of the inputs with the shares that three hot sets serve. They are the hot sets
// of the window itself, of the previous window, and of the first window. A hot set is the hottest
// tenth of the rows that were read in its window.
type Window struct {
	From     int64   `json:"from"` // index of the first input
	To       int64   `json:"to"`   // index after the last input
	HotRows  int64   `json:"hot_rows"`
	Own      float64 `json:"own"`      // share of accesses
	Previous float64 `json:"previous"` // share of accesses; 0 in the first window
	First    float64 `json:"first"`    // share of accesses; 0 in the first window
	Inputs   float64 `json:"inputs"`   // share of inputs that the hot set of the previous window serves
}

// comparable reports whether a target refers to the same number of inputs as the report.
func (r *Report) comparable(t Target) bool { return t.Inputs == 0 || t.Inputs == r.Inputs }

// TargetError returns the root mean square error of the comparable targets, or 0 if there are none.
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
