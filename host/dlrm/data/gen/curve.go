package gen

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// Anchor is a point of a popularity curve: the most popular Rows (a share, above 0) get the share
// Accesses of all accesses.
type Anchor struct{ Rows, Accesses float64 }

// curve interpolates anchors linearly in logarithmic coordinates. The first segment extends to the
// most popular row. Its memory does not depend on n.
type curve struct {
	n        int
	anchors  []Anchor
	exponent []float64 // slopes between consecutive anchors
}

func newCurve(n int, anchors []Anchor) curve {
	c := curve{n: n, anchors: anchors}
	for i := range len(anchors) - 1 {
		c.exponent = append(c.exponent, slope(anchors[i], anchors[i+1]))
	}
	return c
}

func slope(a, b Anchor) float64 {
	return detmath.Log(b.Accesses/a.Accesses) / detmath.Log(b.Rows/a.Rows)
}

// checkCurve checks that anchors rise to (1, 1) and that popularity does not increase with the
// rank.
func checkCurve(anchors []Anchor) error {
	if len(anchors) == 0 {
		return nil
	}
	if last := anchors[len(anchors)-1]; len(anchors) < 2 || last != (Anchor{1, 1}) {
		return fmt.Errorf("a popularity curve with %d anchors up to %v, expected at least 2 up to {1 1}", len(anchors), last)
	}
	steepest := 1.0
	for i, a := range anchors[:len(anchors)-1] {
		b := anchors[i+1]
		if !(a.Rows > 0 && a.Rows < b.Rows && a.Accesses > 0 && a.Accesses < b.Accesses) {
			return fmt.Errorf("a popularity curve from %v to %v, expected both shares above 0 and rising", a, b)
		}
		s := slope(a, b)
		if s > steepest {
			return fmt.Errorf("a popularity curve that gets steeper at %v, expected each row to be less popular than the row before", a)
		}
		steepest = s
	}
	return nil
}

func (c curve) rank(u float64) uint32 {
	i := 0
	for i+1 < len(c.exponent) && u >= c.anchors[i+1].Accesses {
		i++
	}
	if u <= 0 {
		return 0
	}
	a := c.anchors[i]
	return clampRank(float64(c.n)*float64(a.Rows*detmath.Pow(u/a.Accesses, 1/c.exponent[i])), c.n)
}

func (c curve) share(n float64) float64 {
	x := n / float64(c.n)
	if x <= 0 {
		return 0
	}
	i := 0
	for i+1 < len(c.exponent) && x >= c.anchors[i+1].Rows {
		i++
	}
	a := c.anchors[i]
	return min(1, float64(a.Accesses*detmath.Pow(x/a.Rows, c.exponent[i])))
}
