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

// Environment variables: the report file, the mutants to run (their number and a seed), and whether
// to run gates.
const (
	reportFile = "HOTLINE_NETLISTS"
	mutants    = "HOTLINE_MUTANTS"
	gates      = "HOTLINE_GATES"
)

// Report is the result for a block: of its mutants or of its gates.
type Report struct {
	Block string

	Mutants    int      // that are valid designs
	Killed     int      // detected by the test of the block
	Equivalent int      // proved
	Survivors  []string // all others

	Gates    int
	Unproven int // bits not proved equal
}

// report appends r to the file.
func report(t *testing.T, r Report) {
	f, err := os.OpenFile(os.Getenv(reportFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	must(t, "netlist", err)
	defer f.Close()
	must(t, "netlist", json.NewEncoder(f).Encode(r))
}

// Mutants returns reports on count mutants, sampled with a seed, of each block. The pattern name
// selects packages below ./hw.
func Mutants(name string, count int, seed uint64) ([]Report, error) {
	return run(name, fmt.Sprintf("%s=%d %d", mutants, count, seed))
}

// Gates returns reports on the gates of each block. The pattern name selects packages below ./hw.
func Gates(name string) ([]Report, error) { return run(name, gates+"=1") }

// run runs the tests of the selected packages and returns their reports.
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
