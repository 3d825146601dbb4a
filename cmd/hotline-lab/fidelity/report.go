package fidelity

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// off returns the relative error of the functional model's time.
func off(cycle, functional result) float64 {
	return float64(functional.Time)/float64(cycle.Time) - 1
}

// line is the format of a table line.
const line = "%-40s %-9s %12s %12s %8s  %s\n"

func printHeader(w io.Writer) {
	fmt.Fprintf(w, line, "point", "command", "cycle, us", "funct., us", "error", "counts, and by how much those of the functional model differ")
}

// printPoint prints a line for each command of a point.
func printPoint(w io.Writer, c compared) {
	for i, want := range c.cycle {
		if i >= len(c.functional) {
			break
		}
		got := c.functional[i]
		counts := append(differences(want.Counts, got.Counts), differences(want.Waits, got.Waits)...)
		if got.Left != want.Left {
			counts = append(counts, "LEAVES ANOTHER MEMORY")
		}
		fmt.Fprintf(w, line, c.name, want.Command, us(want), us(got), fmt.Sprintf("%+.2f%%", 100*off(want, got)), strings.Join(counts, ", "))
	}
}

// differences formats the nonzero counts of the cycle model, with the deviations of the functional
// model.
func differences(want, got []count) (list []string) {
	for k, n := range want {
		d := got[k].N - n.N
		text := fmt.Sprintf("%s %d", n.Name, n.N)
		if d != 0 {
			text += fmt.Sprintf(" %+d", d)
		}
		if n.N != 0 || d != 0 {
			list = append(list, text)
		}
	}
	return list
}

func us(r result) string { return fmt.Sprintf("%.3f", float64(r.Time)/1e6) }

// commands lists the measured commands in order.
var commands = []string{"s_wr", "fence", "dma_rd", "gpu_rd", "v_mul", "v_add", "dma_wr", "learn", "hotset", "classify", "gather", "update"}

// summary accumulates the errors of a command over several points.
type summary struct {
	points int
	sum    float64 // sum of the absolute logarithms of the time ratios
	worst  float64
	where  string
}

func (s *summary) add(e float64, where string) {
	s.points++
	s.sum += math.Abs(math.Log1p(e))
	if math.Abs(e) > math.Abs(s.worst) {
		s.worst, s.where = e, " at "+where
	}
}

// printSummary prints the errors of each command: the geometric mean and the maximum. It separates
// the points with which the constants were fitted from the held-out points.
func printSummary(w io.Writer, all []compared) {
	for _, tuned := range []bool{true, false} {
		sums := map[string]*summary{}
		for _, name := range commands {
			sums[name] = &summary{}
		}
		for _, c := range all {
			for i := 0; c.tuned == tuned && i < min(len(c.cycle), len(c.functional)); i++ {
				sums[c.cycle[i].Command].add(off(c.cycle[i], c.functional[i]), c.name)
			}
		}
		for _, name := range commands {
			if s := sums[name]; s.points > 0 {
				fmt.Fprintf(w, "%-8s %-9s %3d points, mean %.3f%%, worst %+.3f%%%s\n", map[bool]string{true: "tuned", false: "held out"}[tuned],
					name, s.points, 100*math.Expm1(s.sum/float64(s.points)), 100*s.worst, s.where)
			}
		}
	}
}
