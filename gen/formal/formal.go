package formal

import (
	"os"
	"slices"
	"testing"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Result is the result of a proof: the assertions hold in every run, or one fails.
type Result struct {
	Clauses int      // clauses of the invariant, in addition to the signals merged by induction
	Failure *Failure // a run in which an assertion fails, or nil if all are proved
}

// Prove proves or refutes the assertions of d. It returns an error if a tool is missing, does not
// support the design, or gives up.
func Prove(d *ir.Design) (Result, error) {
	dir, err := os.MkdirTemp("", "formal")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(dir)
	n, err := synthesise(dir, d)
	if err != nil {
		return Result{}, err
	}
	c, err := newCircuit(n, d.Top)
	if err != nil {
		return Result{}, err
	}
	result, inputs, err := solve(dir, c, 0)
	if err == nil && inputs != nil {
		result.Failure, err = c.play(dir, inputs)
	}
	return result, err
}

// Holds requires that Prove proves the assertions of d. With -short it skips the test.
func Holds(t testing.TB, d *ir.Design) {
	t.Helper()
	tools.Need(t, "yosys")
	r, err := Prove(d)
	switch {
	case err != nil:
		t.Fatalf("%s: %v", d.Top.Name, err)
	case r.Failure != nil:
		t.Fatalf("%s: %v", d.Top.Name, r.Failure)
	}
	t.Logf("%s: proved, with an invariant of %d clauses", d.Top.Name, r.Clauses)
}

// Fails requires that Prove refutes d, and that the failing assertion has one of the texts. With
// -short it skips the test.
func Fails(t testing.TB, d *ir.Design, texts ...string) {
	t.Helper()
	tools.Need(t, "yosys")
	r, err := Prove(d)
	switch {
	case err != nil:
		t.Fatalf("%s: %v", d.Top.Name, err)
	case r.Failure == nil:
		t.Fatalf("%s: no assertion fails", d.Top.Name)
	case !slices.Contains(texts, r.Failure.Text):
		t.Fatalf("%s: want that one of %q fails, but %v", d.Top.Name, texts, r.Failure)
	}
	t.Logf("%s: %q fails in step %d", d.Top.Name, r.Failure.Text, r.Failure.Step)
}
