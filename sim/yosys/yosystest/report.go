package yosystest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Variables of the environment: the file for reports, which mutants to run (their
// number and a seed), whether to run gates.
const (
	reportFile = "HOTLINE_NETLISTS"
	mutants    = "HOTLINE_MUTANTS"
	gates      = "HOTLINE_GATES"
)

// Report is what became of a block: of its mutants, or of its gates.
type Report struct {
	Block string

	Mutants    int      // that are designs
	Killed     int      // by the test of the block
	Equivalent int      // proved
	Survivors  []string // all others

	Gates    int
	Unproven int // bits that nobody proved to be the same
}

// report appends r to the file.
func report(t *testing.T, r Report) {
	f, err := os.OpenFile(os.Getenv(reportFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	must(t, "netlist", err)
	defer f.Close()
	must(t, "netlist", json.NewEncoder(f).Encode(r))
}

// Mutants reports on count mutants, drawn by seed, of each block of a package below ./hw, or of
// all packages whose names match a pattern.
func Mutants(name string, count int, seed uint64) ([]Report, error) {
	return run(name, fmt.Sprintf("%s=%d %d", mutants, count, seed))
}

// Gates reports on the gates of such blocks.
func Gates(name string) ([]Report, error) { return run(name, gates+"=1") }

// run runs the tests of packages.
func run(name, variable string) ([]Report, error) {
	f, err := os.CreateTemp("", "netlists")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	arguments := []string{"test", "-count=1", "-timeout=24h", "-run=^TestNetlists$"}
	for _, folder := range []string{"hw/*", "hw/*/*"} {
		tests, err := filepath.Glob(filepath.Join(folder, name, "netlist_test.go"))
		if err != nil {
			return nil, err
		}
		for _, path := range tests {
			arguments = append(arguments, "./"+filepath.Dir(path))
		}
	}
	if len(arguments) == 4 {
		return nil, fmt.Errorf("no block %s", name)
	}
	c := exec.Command("go", arguments...)
	c.Env = append(os.Environ(), reportFile+"="+f.Name(), variable)
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	var list []Report
	for in := json.NewDecoder(f); ; {
		var r Report
		switch err := in.Decode(&r); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, err
		}
		list = append(list, r)
	}
}
