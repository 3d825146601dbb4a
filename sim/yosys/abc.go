package yosys

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// patience is the CPU time in seconds that ABC may spend on a proof.
const patience = 60

// rounds lists the proof rounds. Each round works on the results that previous rounds left
// unproven. The rounds merge equal nodes, so cheap proofs first simplify the problem for expensive
// proofs. The second round uses decision diagrams, which are small for sums of many bits regardless
// of the adder structure.
var rounds = []string{
	"&r step0.aig; &miter step1.aig; &fraig -y -C 1000; &w next.aig",
	"read_aiger left.aig; strash; collapse -B 1000000; strash; write_aiger next.aig",
	"&r left.aig; &fraig -y -C 100000; &w next.aig",
}

// different reports for each result of both steps whether ABC fails to prove it equal.
func (n *Netlist) different(results int) ([]bool, error) {
	left, next := filepath.Join(n.dir, "left.aig"), filepath.Join(n.dir, "next.aig")
	unequal := slices.Repeat([]bool{true}, results)
	for i, round := range rounds {
		_, err := eda.ABC(n.dir, patience, round)
		finished := !errors.Is(err, eda.ErrOutOfTime)
		if finished && err != nil {
			return nil, err
		}
		if !finished || os.Rename(next, left) != nil { // this round was not able to finish
			if i == 0 {
				break
			}
			continue
		}
		outputs, err := outputs(left)
		if err != nil {
			return nil, err
		}
		if len(outputs) != results {
			return nil, fmt.Errorf("yosys: yosys-abc has %d results, expected %d", len(outputs), results)
		}
		for k, literal := range outputs {
			unequal[k] = literal != "0"
		}
		if count(unequal) == 0 {
			break
		}
	}
	return unequal, nil
}

// count returns the number of true elements.
func count(list []bool) (n int) {
	for _, x := range list {
		if x {
			n++
		}
	}
	return n
}

// outputs returns the output literals of an and-inverter graph without latches. The literal 0 is
// the constant false.
func outputs(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("yosys: %w", err)
	}
	lines := strings.Split(string(text), "\n")
	var last, inputs, latches, count int
	if _, err := fmt.Sscanf(lines[0], "aig %d %d %d %d", &last, &inputs, &latches, &count); err != nil {
		return nil, fmt.Errorf("yosys: %s: %w", path, err)
	}
	return lines[1 : 1+count], nil
}
