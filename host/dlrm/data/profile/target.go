package profile

import "fmt"

// Kind is the quantity that a target refers to.
type Kind string

const (
	// Accesses is the share of accesses to the hottest rows.
	Accesses Kind = "accesses"
	// Popular is the share of inputs whose rows are all among the hottest rows.
	Popular Kind = "inputs"
)

// Target is a published statistic of a log.
type Target struct {
	Kind    Kind    `json:"kind"`
	Table   string  `json:"table"`    // name of the table; "" for all tables together
	Rows    float64 `json:"rows"`     // share of the rows of the tables that are hot
	OfRead  bool    `json:"of_read"`  // Rows is a share of the rows that were read
	Value   float64 `json:"value"`    // published value
	AtLeast bool    `json:"at_least"` // the value is a lower bound: exceeding it is no error
	Source  string  `json:"source"`   // publication
	Inputs  int64   `json:"inputs"`   // of the log or sample that the target refers to; 0 if unknown
}

// Reached is a target and the measured value.
type Reached struct {
	Target
	HotRows int64   `json:"hot_rows"` // number of hot rows
	Reached float64 `json:"reached"`
	Error   float64 `json:"error"` // reached minus the target's value, 0 if a lower bound is met
}

// Compare compares a measured value for the given number of hot rows with the target.
func (t Target) Compare(hotRows int64, reached float64) Reached {
	r := Reached{Target: t, HotRows: hotRows, Reached: reached, Error: reached - t.Value}
	if t.AtLeast && r.Error > 0 {
		r.Error = 0
	}
	return r
}

// String returns, for example, "share of inputs that the hottest 6.8 % of rows serve".
func (t Target) String() string {
	what, of := "accesses", ""
	if t.Kind == Popular {
		what = "inputs"
	}
	if t.Table != "" {
		of = " of table " + t.Table
	}
	if t.OfRead {
		of += " that were read"
	}
	return fmt.Sprintf("share of %s that the hottest %.3g %% of rows%s serve", what, 100*t.Rows, of)
}
