package gen

import (
	"errors"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Table is a table of the generator.
type Table struct {
	dlrm.Table
	Zipf     float64  // exponent of its popularity: row r (from 0) is read about (r+1)^-Zipf as often as row 0
	Curve    []Anchor // if there are any, they replace Zipf
	PerInput bool     // all time steps of an input read the same rows, as those of a user
}

// Params describe generated clicks.
//
// An input belongs to a context, such as a kind of user on a kind of page. Each of its lookups comes, with probability Rho, from
// a short list of rows that belongs to the context, else from the whole table. Contexts are ordered by popularity and cut into
// Levels that have equally many inputs; so are the rows of each table, by accesses. A list of a context has rows of the
// context's level, so popular contexts have popular rows. Over all contexts, a table's rows are read as its popularity says.
type Params struct {
	Name        string
	Seed        uint64
	Dense       int // dense features of a time step
	Steps       int // time steps of an input; 0 or 1 if there is no time
	Tables      []Table
	Contexts    int     // number of contexts, at least 1
	ContextZipf float64 // exponent of the contexts' popularity
	List        int     // rows in the list of a context and a table, at least 1
	Levels      int     // at least 1
	Rho         float64 // 0 to 1
	Signal      float64 // standard deviation of the logit of a click; half of its variance is from dense features, unless they tell the time
	Bias        float64 // mean of that logit
	Day         int64   // inputs in a day; 0 if nothing changes from day to day
	Drift       float64 // share of the rows of each table whose popularity goes to other rows from day to day, 0 to 1
}

// Validate returns nil, or all that is wrong with the parameters, joined.
func (p Params) Validate() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf("generator: "+format, args...)) }
	if p.Dense < 1 {
		wrong("%d dense features, expected at least 1", p.Dense)
	}
	if p.Steps < 0 {
		wrong("%d time steps, expected 0 or more", p.Steps)
	}
	if len(p.Tables) == 0 {
		wrong("no tables, expected at least 1")
	}
	for i, t := range p.Tables {
		t.check(func(format string, args ...any) {
			wrong("table %d (%q) has "+format, append([]any{i, t.Name}, args...)...)
		})
	}
	if p.Contexts < 1 || p.List < 1 {
		wrong("%d contexts with lists of %d rows, expected at least 1 of each", p.Contexts, p.List)
	}
	if !(p.ContextZipf >= 0 && p.ContextZipf <= maxZipf) {
		wrong("contexts have Zipf exponent %v, expected 0 to %d", p.ContextZipf, maxZipf)
	}
	if p.Levels < 1 {
		wrong("%d levels, expected at least 1", p.Levels)
	}
	if !(p.Rho >= 0 && p.Rho <= 1) {
		wrong("rho is %v, expected 0 to 1", p.Rho)
	}
	if !(p.Signal >= 0 && p.Signal <= math.MaxFloat32) || p.Bias-p.Bias != 0 {
		wrong("signal is %v and bias %v, expected finite numbers, the signal not negative", p.Signal, p.Bias)
	}
	if p.Day < 0 {
		wrong("a day of %d inputs, expected 0 or more", p.Day)
	}
	if !(p.Drift >= 0 && p.Drift <= 1) {
		wrong("drift is %v, expected 0 to 1", p.Drift)
	}
	return errors.Join(errs...)
}

func (t Table) check(wrong func(format string, args ...any)) {
	if t.Rows < 1 || uint64(t.Rows) > 1<<32 {
		wrong("%d rows, expected 1 to 2^32", t.Rows)
	}
	if t.Lookups < 1 {
		wrong("%d lookups per input, expected at least 1", t.Lookups)
	}
	if !(t.Zipf >= 0 && t.Zipf <= maxZipf) {
		wrong("Zipf exponent %v, expected 0 to %d", t.Zipf, maxZipf)
	}
	if err := checkCurve(t.Curve); err != nil {
		wrong("%v", err)
	}
}

// Steps of an input, at least one.
func (p Params) steps() int { return max(1, p.Steps) }
