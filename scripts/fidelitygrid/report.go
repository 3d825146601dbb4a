package main

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// off is the error of the functional model's time, as a share.
func off(cycle, functional result) float64 {
	return float64(functional.Time)/float64(cycle.Time) - 1
}

// printPoint prints a line for each command of a point.
func printPoint(w io.Writer, c compared) {
	for i, want := range c.cycle {
		if i >= len(c.functional) {
			break
		}
		got := c.functional[i]
		var counts []string
		for k, n := range want.Counts {
			text := fmt.Sprintf("%s %d", n.Name, n.N)
			if d := got.Counts[k].N - n.N; d != 0 {
				text += fmt.Sprintf(" %+d", d)
			}
			counts = append(counts, text)
		}
		fmt.Fprintf(w, "%-40s %-9s %12.3f %12.3f %+7.2f%%  %s\n", c.name, want.Command, us(want), us(got), 100*off(want, got), strings.Join(counts, ", "))
	}
}

func us(r result) float64 { return float64(r.Time) / 1e6 }

// printSummary prints the errors of each command over all points: the geometric
// mean of the factors by which times differ, and the worst.
func printSummary(w io.Writer, all []compared) {
	for _, held := range []bool{false, true} {
		for _, command := range []string{"s_wr", "fence", "dma_rd", "gpu_rd", "v_mul", "v_add", "dma_wr", "learn", "hotset", "classify", "gather", "update"} {
			sum, n, worst, where := 0.0, 0, 0.0, ""
			for _, c := range all {
				if c.tuned == held {
					continue
				}
				for i, want := range c.cycle {
					if want.Command != command || i >= len(c.functional) {
						continue
					}
					e := off(want, c.functional[i])
					sum += math.Abs(math.Log1p(e))
					n++
					if math.Abs(e) > math.Abs(worst) {
						worst, where = e, c.name
					}
				}
			}
			if n > 0 {
				fmt.Fprintf(w, "%-10s %-9s %3d points, mean %.2f%%, worst %+.2f%% (%s)\n", map[bool]string{false: "tuned", true: "held out"}[held], command, n, 100*math.Expm1(sum/float64(n)), 100*worst, where)
			}
		}
	}
}
