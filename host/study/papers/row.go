package papers

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Finding is the result of a measure for a row.
type Finding struct {
	Ours   float64        `json:"ours"`
	Spread *timing.Spread `json:"spread,omitempty"` // of a time: spread over the ranges of the machine's constants
	Series []float64      `json:"series,omitempty"` // of an order: the time of each system
	Text   string         `json:"text,omitempty"`   // our result in words
	Note   string         `json:"note,omitempty"`   // description of our number
	Caused *float64       `json:"caused,omitempty"` // our number with the paper's declared cause
}

// Verdict is the result of comparing a row with the paper.
type Verdict string

const (
	Holds    Verdict = "holds"
	Differs  Verdict = "differs"
	NotRun   Verdict = "not run"
	NoResult Verdict = "no result" // of a class that is never judged
)

// Row is a record with its finding.
type Row struct {
	Record
	Ours    *float64            `json:"ours"`              // nil if it was not run
	Low     *float64            `json:"low,omitempty"`     // 80 % range of a time, with the error of the model
	High    *float64            `json:"high,omitempty"`    //
	Depends []timing.Dependence `json:"depends,omitempty"` // constants on which it depends most
	Text    string              `json:"text,omitempty"`
	Verdict Verdict             `json:"verdict"`
	Factor  *float64            `json:"factor,omitempty"` // our number divided by the published number; for speed-ups, the ratio of the gains
	Note    string              `json:"note,omitempty"`

	spread *timing.Spread
	series []float64
	caused *float64
}

// modelError widens the ranges of all times in both directions. The ranges of the constants alone
// contain too few published values. With this factor they contain 80 % of the calibration half of
// the rows. A test repeats the fit.
const modelError = 1.456

// judge returns the row of a record and its finding, which is nil if the record was not evaluated.
func (r Record) judge(f *Finding) Row {
	row := Row{Record: r, Verdict: NotRun, Note: r.NotRun}
	if !slices.Contains(Results, r.Class) {
		row.Verdict = NoResult
	}
	if f == nil {
		if r.Measure != "" {
			row.Note = takesMinutes
		}
		return row
	}
	row.Ours, row.Text, row.Note, row.spread, row.series, row.caused = &f.Ours, f.Text, f.Note, f.Spread, f.Series, f.Caused
	if s := f.Spread; s != nil {
		low, high := s.Low/modelError, s.High*modelError
		row.Low, row.High, row.Depends = &low, &high, s.Depends
	}
	if factor := r.factor(f.Ours); !math.IsNaN(factor) {
		row.Factor = &factor
	}
	if row.Verdict == NotRun {
		row.Verdict = Differs
		if r.holds(f.Ours) {
			row.Verdict = Holds
		}
	}
	return row
}

// factor returns the ratio of our number to the published value, or of the gains for speed-ups. It
// returns NaN if there is no ratio.
func (r Record) factor(ours float64) float64 {
	switch {
	case r.Value == nil || *r.Value == 0:
		return math.NaN()
	case !r.speedUp():
		return ours / *r.Value
	case *r.Value == 1:
		return math.NaN()
	}
	return (ours - 1) / (*r.Value - 1)
}

// speedUp reports whether a row compares times.
func (r Record) speedUp() bool { return r.Unit == "x" && r.Class != Functional && r.Class != Exact }

// clearly is the minimum ratio of two published values whose order counts.
const clearly = 1.05

// inOrder counts the pairs of clearly different published values, and how many of these pairs our
// values have in the same order. Equal values are in no order.
func inOrder(published, ours []float64) (same, pairs int) {
	for i, a := range published {
		for j, b := range published {
			if b > 0 && a >= clearly*b {
				pairs++
				if ours[i] > ours[j] {
					same++
				}
			}
		}
	}
	return same, pairs
}

// trend returns the trend of a series, if it has rows with clearly different values that were all
// evaluated. A mean and an extreme of the same cases form no trend, because their order does not
// depend on the model.
func trend(rows []Row) (Row, bool) {
	var published, ours, caused []float64
	class := Trend
	if !slices.ContainsFunc(rows, func(r Row) bool { return r.Class == Timing }) {
		class = rows[0].Class
	}
	for _, r := range rows {
		if r.Value == nil || r.Measure == "" {
			continue
		}
		if _, ok := times[r.Measure]; !ok || r.Ours == nil || r.Reduce != rows[0].Reduce {
			return Row{}, false
		}
		published, ours = append(published, *r.Value), append(ours, *r.Ours)
		if r.caused != nil {
			caused = append(caused, *r.caused)
		}
	}
	same, pairs := inOrder(published, ours)
	if pairs == 0 {
		return Row{}, false
	}
	first := rows[0].Record
	r := Record{
		ID: strings.TrimSuffix(first.ID, slug(first.On)) + "trend", Paper: first.Paper, Item: first.Item, What: first.What, On: "trend", Class: class,
		Claim: Claim{Says: "order"}, Unit: "pairs", Rule: first.Rule,
	}
	f := Finding{Ours: float64(pairs - same), Text: fmt.Sprintf("%d of %d pairs", same, pairs)}
	if len(caused) == len(ours) {
		same, _ := inOrder(published, caused)
		wrong := float64(pairs - same)
		f.Caused = &wrong
	}
	return r.judge(&f), true
}

// bySeries splits rows where item or series change.
func bySeries(rows []Row) (list [][]Row) {
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Item == rows[0].Item && rows[n].What == rows[0].What && rows[n].Paper == rows[0].Paper {
			n++
		}
		list = append(list, rows[:n])
		rows = rows[n:]
	}
	return list
}

// withTrends inserts the trend of each series after its rows.
func withTrends(rows []Row) (list []Row) {
	for _, series := range bySeries(rows) {
		list = append(list, series...)
		if t, ok := trend(series); ok {
			list = append(list, t)
		}
	}
	return list
}
