package profile

import "fmt"

// Kind is what a target is about.
type Kind string

const (
	// Accesses is the share of accesses that go to the hottest rows.
	Accesses Kind = "accesses"
	// Popular is the share of inputs all of whose rows are among the hottest.
	Popular Kind = "inputs"
)

// Target is a published figure about a log.
type Target struct {
	Kind    Kind    `json:"kind"`
	Table   string  `json:"table"`    // whose rows and accesses are meant; "" for all tables together
	Rows    float64 `json:"rows"`     // share of the rows of the tables that are hot
	OfRead  bool    `json:"of_read"`  // of those rows that were read
	Value   float64 `json:"value"`    // what was published
	AtLeast bool    `json:"at_least"` // the value is a bound: more is no error
	Source  string  `json:"source"`   // where it was published
	Inputs  int64   `json:"inputs"`   // of the log or sample that it is about; 0 if that is not known
}

// Reached is a target and what was reached of it.
type Reached struct {
	Target
	HotRows int64   `json:"hot_rows"` // rows that are hot
	Reached float64 `json:"reached"`
	Error   float64 `json:"error"` // reached less the target's value, 0 where a bound is kept
}

// Compare says what was reached, with so many hot rows.
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
