package papers

import "embed"

// Record is a number, or an order, that a paper publishes: a row of the embedded files.
type Record struct {
	ID    string `json:"id"` // PAPER/ITEM/WHAT/ON, in small letters
	Paper string `json:"paper"`
	Item  string `json:"item"` // where in the paper
	What  string `json:"what"`
	On    string `json:"on"` // conditions
	Class Class  `json:"class"`
	Role  Role   `json:"role"`

	Value *float64 `json:"value"` // as published; nil if it is a bound, or no number
	Says  string   `json:"says"`  // as published
	Unit  string   `json:"unit,omitempty"`
	From  float64  `json:"from"` // from here
	To    float64  `json:"to"`   // to there it holds

	By      string `json:"experiment,omitempty"` // that evaluates it; empty if none does
	NotRun  string `json:"not_run,omitempty"`    // why none does
	Rests   string `json:"rests_on,omitempty"`   // a choice, or what is inconsistent in the paper
	Missing string `json:"missing,omitempty"`    // effect that is not modelled, or that the paper contradicts
}

// Class is how a number comes about, and so what may be asked of it.
type Class string

const (
	Exact      Class = "exact"      // follows from sizes that the paper states
	Functional Class = "functional" // is counted in a run
	Timing     Class = "timing"     // rests on simulated time
	Trend      Class = "trend"      // says which way, or in which order
)

// Classes are all, in the order of their strength.
var Classes = []Class{Exact, Functional, Timing, Trend}

// Role tells whether something here was fitted to a number.
type Role string

const (
	HeldOut     Role = "held out"
	Calibration Role = "calibration" // is no result
)

//go:embed records/*.hcl
var recordFiles embed.FS
