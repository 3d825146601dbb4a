package funcs

import (
	"errors"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/guard"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel/avx2"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel/avx512"
	"github.com/hotline-rtl/hotline/gen/gosim/lower"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Targets contains the instruction sets for which models have kernels, the best first.
var Targets = []kernel.Target{avx512.Target{}, avx2.Target{}}

// either calls kernels on the targets that have them, if any, and otherwise executes portable.
func (e *Printer) either(build func() ([]*kernel.Kernel, error), portable func()) {
	e.groups = nil
	body := e.Within(portable)
	if kernels, err := build(); err == nil && len(kernels) > 0 {
		if have, ok := e.add(e.targets, kernels); ok {
			level := code.Op(">=", code.Name("s.level"), code.Name("%s", kernel.Level(have[len(have)-1])))
			body = []code.Stmt{&code.If{Cond: level, Then: e.calls(kernels), Else: body}}
		}
	}
	e.Do(body...)
}

// add appends kernels for the targets that support all of them, and reports whether there are any.
// A kernel that its verifier rejects is an internal error, not a missing instruction.
func (e *Printer) add(targets []kernel.Target, kernels []*kernel.Kernel) ([]kernel.Target, bool) {
	have, err := e.kernels.Add(targets, kernels...)
	if invalid := (*kernel.Invalid)(nil); errors.As(err, &invalid) {
		e.Err = errors.Join(e.Err, &guard.Error{Where: "in a kernel", Cause: err})
	}
	return have, err == nil
}

// Reserve adds kernels for one target, all of them or none, and reports whether it has. Functions
// then have no other kernels for that target.
func (e *Printer) Reserve(on kernel.Target, kernels []*kernel.Kernel) bool {
	if _, ok := e.add([]kernel.Target{on}, kernels); !ok {
		return false
	}
	for _, k := range kernels {
		e.Names = append(e.Names, k.Name)
	}
	e.targets = slices.DeleteFunc(slices.Clone(e.targets), func(t kernel.Target) bool { return t == on })
	return true
}

// Kernels returns the kernels of u, or none.
func (e *Printer) Kernels(u *plan.Unit) ([]*kernel.Kernel, error) { return lower.Unit(u, e.group) }

// Assembly returns the text of the file of all kernels.
func (e *Printer) Assembly() string { return e.kernels.String() }

// calls calls kernels and stores the changes that they return.
func (e *Printer) calls(kernels []*kernel.Kernel) (out []code.Stmt) {
	var changes []*code.Expr
	for _, k := range kernels {
		e.Names = append(e.Names, k.Name)
		call := code.Call(k.Name, code.Name("s"))
		if len(e.groups) == 0 {
			out = append(out, &code.Do{X: call})
		}
		changes = append(changes, call)
	}
	if len(e.groups) == 0 {
		return out
	}
	c := code.Name("c")
	out = append(out, &code.Define{Name: c, X: code.All("|", changes...), Int: true})
	for g, mark := range e.groups {
		out = append(out, &code.Assign{To: changed(mark), Operator: "|=", X: c.And(code.Num(1 << g))})
	}
	return out
}

// group returns the number of the group of changes of v in the present kernel, or -1 if v has no
// readers.
func (e *Printer) group(v *plan.Value) int { return e.groupOf(e.p.Readers[v]) }

// groupOf returns the number of the group of changes with these readers, or -1 without readers.
func (e *Printer) groupOf(readers []int) int {
	if len(readers) == 0 {
		return -1
	}
	mark := e.mark(markWords(readers))
	if g := slices.Index(e.groups, mark); g >= 0 {
		return g
	}
	e.groups = append(e.groups, mark)
	return len(e.groups) - 1
}
