package papers

import "fmt"

// Result is a number that a paper publishes and that needs no time, beside ours.
type Result struct {
	Name   string  `json:"name"`  // what it is, and where in the paper
	Class  Class   `json:"class"` // how it comes about
	Paper  string  `json:"paper"` // as published; empty if it is only a picture
	Low    float64 `json:"low"`   // from here
	High   float64 `json:"high"`  // to there it is the same; math.MaxFloat64 if nothing bounds it
	Ours   float64 `json:"ours"`
	Unit   string  `json:"unit,omitempty"`
	Digits int     `json:"digits"`         // behind the point, in print
	Same   *bool   `json:"same,omitempty"` // nil if nothing is published
	Note   string  `json:"note,omitempty"` // what ours is of; why it is not the same
}

// Class is how a result comes about.
type Class string

const (
	// Exact follows from sizes that the paper states.
	Exact Class = "exact"
	// Functional is counted in a run.
	Functional Class = "functional"
)

// exact is a result that is the same if it is within a tolerance.
func exact(name string, paper, tolerance, ours float64, digits int, unit, note string) Result {
	return Result{Name: name, Class: Exact, Paper: fmt.Sprintf("%.*f", digits, paper), Low: paper - tolerance, High: paper + tolerance, Ours: ours, Unit: unit, Digits: digits, Note: note}.judged()
}

// below is a result that the paper bounds.
func below(name string, high, ours float64, digits int, unit, note string) Result {
	return Result{Name: name, Class: Exact, Paper: fmt.Sprintf("less than %g", high), High: high, Ours: ours, Unit: unit, Digits: digits, Note: note}.judged()
}

// counted is a result of a run that is the same from low to high.
func counted(name, paper string, low, high, ours float64, digits int, unit, note string) Result {
	return Result{Name: name, Class: Functional, Paper: paper, Low: low, High: high, Ours: ours, Unit: unit, Digits: digits, Note: note}.judged()
}

func (r Result) judged() Result {
	same := r.Low <= r.Ours && r.Ours <= r.High
	r.Same = &same
	return r
}

// unpublished is a result of a run beside which the paper has no number.
func unpublished(name string, ours float64, digits int, unit, note string) Result {
	return Result{Name: name, Class: Functional, Ours: ours, Unit: unit, Digits: digits, Note: note}
}
