package funcs

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/expr"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Printer prints the functions of a model. They share tables and kernels.
type Printer struct {
	Names []string      // names of the kernels that functions call
	Doing func() string // what is being printed
	Err   error         // error of a kernel that its verifier rejects

	*expr.Evaluator
	p             *plan.Plan
	b             *strings.Builder
	asking        bool             // the function asks for changes and makes none
	unpredictable bool             // a processor cannot predict which values change
	marks         [][]markWord     // distinct marks of the values stored in this function
	kernels       *kernel.Assembly // kernels of the units so far
	groups        []int            // marks of the groups of changes of the present kernel
	targets       []kernel.Target  // targets of the kernels of units
}

// New returns a Printer of functions of a model of p, which prints to b.
func New(p *plan.Plan, b *strings.Builder) *Printer {
	return &Printer{Evaluator: expr.New(), p: p, b: b, kernels: kernel.NewAssembly(), targets: Targets,
		Doing: func() string { return "declarations" }}
}

// f prints formatted text.
func (e *Printer) f(format string, args ...any) { fmt.Fprintf(e.b, format, args...) }
