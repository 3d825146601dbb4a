package papers

import (
	"fmt"
	"strings"
)

// Finding is what an experiment found.
type Finding struct {
	Outcomes []Outcome `json:"outcomes"`
	Others   []Other   `json:"others,omitempty"`
	Figure   *Figure   `json:"figure,omitempty"`
	Order    *Order    `json:"order,omitempty"`
	Study    *Study    `json:"study,omitempty"`
}

// Outcome is what is found here for a record.
type Outcome struct {
	Record  string      `json:"record"` // ID
	Ours    float64     `json:"ours"`
	Low     float64     `json:"low"` // a tenth of the draws from the constants' ranges is below; ours, where there is no time
	High    float64     `json:"high"`
	Text    string      `json:"text,omitempty"`    // in place of a number, in print
	Bounds  *[2]float64 `json:"bounds,omitempty"`  // where those of the record follow from a run
	Note    string      `json:"note,omitempty"`    // what ours is of
	Because []string    `json:"because,omitempty"` // what makes it the paper's, each shown by a run
}

// Other is counted in a run, and has no number in the paper beside it.
type Other struct {
	Name   string  `json:"name"`
	Ours   float64 `json:"ours"`
	Unit   string  `json:"unit,omitempty"`
	Digits int     `json:"digits"` // behind the point, in print
	Note   string  `json:"note,omitempty"`
}

// add adds what was found for a record.
func (f *Finding) add(record string, ours float64, note string, because ...string) {
	f.Outcomes = append(f.Outcomes, Outcome{Record: record, Ours: ours, Low: ours, High: ours, Note: note, Because: because})
}

// said adds what is in words, beside ours: it holds if they are the same.
func (f *Finding) said(record, ours, note string) {
	differ := 0.
	if ours != published(record).Says {
		differ = 1
	}
	f.add(record, differ, note)
	f.Outcomes[len(f.Outcomes)-1].Text = ours
}

// widths are those of an MLP's layers as papers write them.
func widths(layers []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(layers), "[]"), " ", "-")
}

// bounded adds what holds within bounds of another run.
func (f *Finding) bounded(record string, ours, from, to float64, note string) {
	f.add(record, ours, note)
	f.Outcomes[len(f.Outcomes)-1].Bounds = &[2]float64{from, to}
}

// other adds what the paper has no number of.
func (f *Finding) other(name string, ours float64, digits int, unit, note string) {
	f.Others = append(f.Others, Other{name, ours, unit, digits, note})
}

// Verdict says how a row stands.
type Verdict string

const (
	Holds      Verdict = "holds"
	Explained  Verdict = "explained" // does not hold, and it is shown by a run why
	Fails      Verdict = "fails"
	NotRun     Verdict = "not run"
	Calibrated Verdict = "calibration" // no result, however near it is
)

// Verdicts are all.
var Verdicts = []Verdict{Holds, Explained, Fails, NotRun, Calibrated}

// Row is a record beside what is found here.
type Row struct {
	Record
	Ours    *float64 `json:"ours"` // nil if it was not run
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Text    string   `json:"text,omitempty"`
	Verdict Verdict  `json:"verdict"`
	Note    string   `json:"note,omitempty"`
	Because []string `json:"because,omitempty"`
}

// notRun is a row that no experiment evaluates, or none that was run.
func (r Record) notRun(why string) Row { return Row{Record: r, Verdict: NotRun, Note: why} }

// beside puts a record beside what was found.
func (r Record) beside(o Outcome) Row {
	if o.Bounds != nil {
		r.From, r.To = o.Bounds[0], o.Bounds[1]
	}
	row := Row{Record: r, Ours: &o.Ours, Low: &o.Low, High: &o.High, Text: o.Text, Note: o.Note, Because: o.Because}
	switch {
	case r.Role == Calibration:
		row.Verdict = Calibrated
	case r.holds(o.Ours):
		row.Verdict, row.Because = Holds, nil
	case len(o.Because) > 0:
		row.Verdict = Explained
	default:
		row.Verdict = Fails
	}
	return row
}

// Name is the row for people.
func (r Record) Name() string { return fmt.Sprintf("%s: %s, %s", r.Item, r.What, r.On) }
