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
	Zipf     float64  // exponent of the popularity: row r (from 0) is read about (r+1)^-Zipf as often as row 0
	Curve    []Anchor // if not empty, replaces Zipf
	PerInput bool     // all time steps of an input read the same rows, like the rows of a user
}

// Params describes a synthetic click log.
//
// An input belongs to a context, such as a kind of user on a kind of page. With probability Rho, a
// lookup selects a row from a short list of the context; otherwise it selects a row from the whole
// table. Contexts are ordered by popularity and divided into Levels with equal numbers of inputs.
// The rows of each table are divided in the same way, by accesses. The list of a context contains
// rows of the context's level, so popular contexts have popular rows. Over all contexts, the rows
// of a table follow the table's popularity.
type Params struct {
	Name        string
	Seed        uint64
	Dense       int // dense features per time step
	Steps       int // time steps of an input; 0 or 1 without time steps
	Tables      []Table
	Contexts    int     // number of contexts, at least 1
	ContextZipf float64 // exponent of the contexts' popularity
	List        int     // rows in the list of a context and a table, at least 1
	Levels      int     // at least 1
	Rho         float64 // 0 to 1
	Signal      float64 // standard deviation of the logit of a click; half of its variance is from dense features, unless they encode the time
	Bias        float64 // mean of that logit
	Day         int64   // inputs per day; 0 without daily changes
	Drift       float64 // share of the rows of each table whose popularity moves to other rows each day, 0 to 1
}

// Validate returns nil, or all errors of the parameters, joined.
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
	if !Counts.Contains(p.Contexts) || !Counts.Contains(p.List) {
		wrong("%d contexts with lists of %d rows, expected %s of each", p.Contexts, p.List, Counts)
	}
	if !Exponents.Contains(p.ContextZipf) {
		wrong("contexts have Zipf exponent %v, expected %s", p.ContextZipf, Exponents)
	}
	if p.Levels < 1 {
		wrong("%d levels, expected at least 1", p.Levels)
	}
	if !Shares.Contains(p.Rho) {
		wrong("rho is %v, expected %s", p.Rho, Shares)
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

// steps returns the number of time steps of an input, at least one.
func (p Params) steps() int { return max(1, p.Steps) }
