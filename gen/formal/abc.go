package formal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/outfile"
)

var (
	proved   = regexp.MustCompile(`(?m)^Property proved\.`)
	asserted = regexp.MustCompile(`(?m)^Output 0 of miter .* was asserted in frame \d+`)
	clauses  = regexp.MustCompile(`(?m)^Verification of invariant with (\d+) clauses was successful`)
)

var errUndecided = errors.New("ABC is undecided")

// solve asks ABC whether the assertions of c can fail. If seconds is not 0, it limits the processor
// time. If they can fail, it returns the inputs of each step that lead to the failure.
func solve(dir string, c *circuit, seconds int) (r Result, inputs []string, err error) {
	if err := outfile.Scratch(filepath.Join(dir, "proof.aig"), c.aiger()); err != nil {
		return r, nil, err
	}
	out, err := eda.ABC(dir, seconds, "read_aiger proof.aig; strash; scorr -F 6; pdr; write_cex -a failure")
	if err != nil {
		return r, nil, err
	}
	switch m := clauses.FindStringSubmatch(out); {
	case asserted.MatchString(out):
		inputs, err = readFailure(filepath.Join(dir, "failure"))
		return r, inputs, err
	case proved.MatchString(out) && m != nil:
		r.Clauses, err = strconv.Atoi(m[1])
		return r, nil, err
	}
	return r, nil, fmt.Errorf("%w: %s", errUndecided, strings.TrimSpace(out))
}

// readFailure reads a counterexample of ABC: the values of latches, then a line of inputs for each
// step.
func readFailure(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	run, _, _ := strings.Cut(string(text), "#")
	return strings.Fields(run)[1:], nil
}
