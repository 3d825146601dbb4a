package expr

import (
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
)

// Evaluator computes values in the lanes of a unit, one lane or word of lanes after the other. It
// appends the necessary statements.
type Evaluator struct {
	code.Builder
	Unit    *plan.Unit
	Lane    *code.Expr                   // the lane, or word of lanes
	Local   map[*plan.Value][]*code.Expr // words of values of the unit in this iteration
	hoisted map[*plan.Value]*code.Expr   // variables with the words of bits that this iteration reads
	loaded  map[string]*code.Expr        // variables with the values that this iteration has read
	full    map[*plan.Value]*code.Expr   // one-bit values as lanes of a packed unit
	tables  strings.Builder
	ntables int
	tableOf map[string]string // names of tables of indices
}

// New returns an Evaluator. Begin sets its unit.
func New() *Evaluator { return &Evaluator{tableOf: map[string]string{}} }

// Tables returns the declarations of the tables that functions read.
func (e *Evaluator) Tables() string { return e.tables.String() }

// Begin begins a function that evaluates u.
func (e *Evaluator) Begin(u *plan.Unit) {
	e.Builder = code.Builder{}
	e.Unit, e.Lane, e.Local = u, storage.Lane0, map[*plan.Value][]*code.Expr{}
	e.hoisted, e.loaded, e.full = nil, map[string]*code.Expr{}, map[*plan.Value]*code.Expr{}
}
