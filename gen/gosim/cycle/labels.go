package cycle

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// labels numbers the functions of tasks: tasks that do the same with values of the same labels have
// the same label. A register or an input has the label of its path without indices.
type labels struct {
	of    map[string]int
	tasks *tasks
}

// number returns the label of a description.
func (l *labels) number(what ...any) int {
	key := fmt.Sprint(what...)
	n, ok := l.of[key]
	if !ok {
		n = len(l.of) + 1
		l.of[key] = n
	}
	return n
}

// value returns the label of v.
func (l *labels) value(v *plan.Value) int {
	if x := l.tasks.of[v]; x != nil {
		return x.label
	}
	return l.number("value", v.Width, indices.ReplaceAllString(v.Doc, "[]"))
}

// values returns the labels of several values.
func (l *labels) values(list []*plan.Value) (out []int) {
	for _, v := range list {
		out = append(out, l.value(v))
	}
	return out
}

var indices = regexp.MustCompile(`\[\d+\]`)

// node returns the label of n.
func (l *labels) node(n *plan.Node, reads []*plan.Value) int {
	what := []any{n.Code, n.Width, n.Lo, l.values(reads)}
	for _, a := range n.Args {
		what = append(what, slices.Index(reads, a.V), a.K, a.Width)
	}
	return l.number(what...)
}

// take returns the label of giving r its next value, d.
func (l *labels) take(r *plan.Regs, d plan.Operand, reads []*plan.Value) int {
	return l.number("take", l.value(r.Q), d.K, d.Width, r.Mask != nil, r.Clear != nil, r.Init, l.values(reads))
}

// plain reports whether n only computes words from words of the same lane, and its lanes fill words
// of masks.
func plain(n *plan.Node) bool {
	return n.Mem == nil && n.List == nil && n.Moves == nil && n.Nout <= 1 && !n.Wide() && n.Lo.Constant() &&
		!slices.ContainsFunc(n.Args, func(a plan.Operand) bool { return !inLanes(a, n.Out.Lanes) })
}

// inLanes reports whether o is a constant or the words of the same lanes, which fill words of masks.
func inLanes(o plan.Operand, lanes int) bool { return lanes%64 == 0 && (o.K != nil || o.Same(lanes)) }
