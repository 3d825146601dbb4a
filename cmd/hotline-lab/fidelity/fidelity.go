package fidelity

import (
	"io"
	"strings"
)

// Run compares both models at the points whose names contain only, or at those of them in the quick grid. With raw it prints what
// the cycle model does at the point named only, as JSON: another program, which has that model, is asked for it.
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
