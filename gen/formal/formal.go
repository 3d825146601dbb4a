package formal

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Result is what is known of the assertions of a design.
type Result struct {
	Proved  bool     // all hold in every run
	Clauses int      // of the invariant that proves it, besides what induction merged
	Failure *Failure // a run in which one fails, or nil
}

// Prove tries to prove the assertions of d. The error is that a tool is missing or does not
// understand the design, or that the tool has given up.
func Prove(d *ir.Design) (Result, error) { return run(d, "scorr -F 6; pdr") }

// Search looks for a failure in the first steps of a run. That there is none proves no more
// than that.
func Search(d *ir.Design, steps int) (Result, error) { return run(d, fmt.Sprintf("bmc3 -F %d", steps)) }

// run gives a design to ABC.
func run(d *ir.Design, commands string) (Result, error) {
	dir, err := os.MkdirTemp("", "formal")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(dir)
	n, err := synthesise(dir, d)
	if err != nil {
		return Result{}, err
	}
	c, err := newCircuit(n, d)
	if err != nil {
		return Result{}, err
	}
	result, inputs, err := solve(dir, c, commands)
	if err == nil && inputs != nil {
		result.Failure, err = c.play(dir, inputs)
	}
	return result, err
}

// Holds requires that the assertions of d are proved.
func Holds(t testing.TB, d *ir.Design) {
	t.Helper()
	r, err := Prove(d)
	check(t, d, r, err)
	t.Logf("%s: proved, with an invariant of %d clauses", d.Top.Name, r.Clauses)
}

// HoldsFor requires that no assertion of d fails in the first steps of a run.
func HoldsFor(t testing.TB, d *ir.Design, steps int) {
	t.Helper()
	r, err := Search(d, steps)
	check(t, d, r, err)
	t.Logf("%s: no failure in %d steps", d.Top.Name, steps)
}

func check(t testing.TB, d *ir.Design, r Result, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", d.Top.Name, err)
	}
	if r.Failure != nil {
		t.Fatalf("%s: %v", d.Top.Name, r.Failure)
	}
}

// Fails requires that Prove refutes d, by the failure of an assertion with one of the texts.
func Fails(t testing.TB, d *ir.Design, texts ...string) {
	t.Helper()
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
