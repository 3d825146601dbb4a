package fidelity

import (
	"io"
	"strings"
)

// Run compares both models at the points whose names contain only. With quick it uses only points
// of the quick grid. With raw it prints the results of the cycle model at one point as JSON. Run
// starts programs that contain another cycle model with raw.
func Run(quick, raw bool, only string, out, log io.Writer) error {
	if raw {
		return printCycle(out, only)
	}
	printHeader(out)
	var all []compared
	for _, p := range grid() {
		if quick && !p.quick || !strings.Contains(p.name, only) {
			continue
		}
		c, err := p.compare(log)
		if err != nil {
			return err
		}
		printPoint(out, c)
		all = append(all, c)
	}
	printSummary(out, all)
	return nil
}
