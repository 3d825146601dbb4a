package funcs

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/expr"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Printer prints the functions of a model. Several of them share tables and kernels.
type Printer struct {
	Names []string      // of the kernels that functions call
	Doing func() string // what is being printed
	Err   error         // kernels that their verifier refuses

	*expr.Evaluator
	p             *plan.Plan
	b             *strings.Builder
	unpredictable bool             // a processor cannot predict what changes
	marks         [][]markWord     // of the values stored in this function, distinct
	kernels       *kernel.Assembly // of the units so far
	groups        []int            // marks of the groups of changes of the present kernel
	targets       []kernel.Target  // of the kernels of units
}

// New returns a Printer of functions of a model of p, which prints to b.
func New(p *plan.Plan, b *strings.Builder) *Printer {
	return &Printer{Evaluator: expr.New(), p: p, b: b, kernels: kernel.NewAssembly(), targets: Targets,
		Doing: func() string { return "declarations" }}
}

// f prints text as it is.
func (e *Printer) f(format string, args ...any) { fmt.Fprintf(e.b, format, args...) }
