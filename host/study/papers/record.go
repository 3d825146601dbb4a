package papers

import "embed"

// Record is a number, or a trend, that a paper publishes: a row of an embedded file.
type Record struct {
	ID    string `json:"id"` // PAPER/ITEM/WHAT/ON, in small letters
	Paper string `json:"paper"`
	Item  string `json:"item"` // figure, table or section
	What  string `json:"what"` // series within the item
	On    string `json:"on"`   // condition
	Class Class  `json:"class"`

	Claim
	Unit   string `json:"unit,omitempty"`
	Rule   string `json:"rule,omitempty"`    // counting rule, and choices that the paper leaves open
	NotRun string `json:"not_run,omitempty"` // why it is not evaluated
	Long   bool   `json:"long,omitempty"`    // evaluated with --all only

	parameters
	cases [][]Case // by step of a series, for a measure that has steps
}

// Claim is the published statement of a row: a number, or a bound.
type Claim struct {
	Value *float64 `json:"value"` // nil for a bound
	Says  string   `json:"says"`  // as published
	From  float64  `json:"from"`  // lower bound within which the row holds
	To    float64  `json:"to"`    // upper bound
}

// holds reports whether ours is within the bounds of a claim.
func (c Claim) holds(ours float64) bool { return c.From <= ours && ours <= c.To }

// Class specifies the origin of a number, which determines how it is judged.
type Class string

// The first four classes are results. The others are listed and never judged.
const (
	Exact       Class = "exact"       // follows from sizes that the paper states, by rules of the implementation
	Functional  Class = "functional"  // counted in a run
	Timing      Class = "timing"      // simulated time
	Trend       Class = "trend"       // order of published numbers
	Calibration Class = "calibration" // a constant or a generator was fitted to the number
	Selection   Class = "selection"   // used to choose a profile, a reading or a counting rule
	SetUp       Class = "set-up"      // repeats an input of the model
	Arithmetic  Class = "arithmetic"  // follows from other numbers of the paper
)

// Results lists the classes that are results, and Listed the other classes.
var (
	Results = []Class{Exact, Functional, Timing, Trend}
	Listed  = []Class{Calibration, Selection, SetUp, Arithmetic}
)

//go:embed records/*.hcl
var recordFiles embed.FS
