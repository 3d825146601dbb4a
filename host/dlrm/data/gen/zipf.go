package gen

import (
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// maxZipf limits the exponents; for larger exponents all samples would be row 0.
const maxZipf = 20

// Ranges of parameters that a configuration can change.
var (
	Counts    = limits.AtLeast(1)          // of Contexts and List
	Exponents = limits.Between(0, maxZipf) // of ContextZipf
	Shares    = limits.Between(0, 1)       // of Rho
)

// zipf samples ranks below n with probabilities proportional to (rank+1)^-a. It inverts the
// integral of x^-a from 1/2 to n+1/2; rank r owns the part from r+1/2 to r+3/2. Its memory does not
// depend on n.
type zipf struct {
	n            int
	b            float64 // 1-a
	first, whole float64 // the antiderivative at 1/2, and its increase up to n+1/2
}

func newZipf(n int, a float64) zipf {
	z := zipf{n: n, b: 1 - a}
	z.first = z.integral(0.5)
	z.whole = z.integral(float64(n)+0.5) - z.first
	return z
}

// integral returns an antiderivative of x^-a.
func (z zipf) integral(x float64) float64 {
	if z.b == 0 {
		return detmath.Log(x)
	}
	return detmath.Pow(x, z.b) / z.b
}

func (z zipf) rank(u float64) uint32 {
	y := z.first + float64(u*z.whole)
	var x float64
	if z.b == 0 {
		x = detmath.Exp(y)
	} else {
		x = detmath.Pow(float64(y*z.b), 1/z.b)
	}
	return clampRank(x-0.5, z.n)
}

func (z zipf) share(n float64) float64 { return (z.integral(n+0.5) - z.first) / z.whole }
