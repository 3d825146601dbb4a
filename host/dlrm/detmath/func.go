package detmath

import "math"

// ln 2 in two parts. The first has 21 trailing zero bits, so that k*ln2Hi is exact for every
// exponent k of a float64.
const (
	ln2Hi = 0x1.62e42feep-1
	ln2Lo = 0x1.a39ef35793c76p-33
)

// expDegree is the degree of the Taylor series of e^r, |r| <= ln(2)/2, whose error is below half a
// unit in the last place of a float64.
const expDegree = 13

// logTerms is the number of terms for the same accuracy of the series of 2*artanh(s), |s| <=
// 3-2*sqrt(2).
const logTerms = 11

// logCoeff contains the coefficients of that series.
var logCoeff = func() (c [logTerms]float64) {
	for i := range c {
		c[i] = 1 / float64(2*i+1)
	}
	return c
}()

var expCoeff = func() (c [expDegree + 1]float64) {
	factorial := 1.0
	for i := range c {
		c[i] = 1 / factorial
		factorial *= float64(i + 1)
	}
	return c
}()

// Exp returns e^x to within two units in the last place: 0 below the smallest subnormal, +Inf above
// the largest number.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	k := math.Floor(float64(x/math.Ln2) + 0.5)
	r := x - float64(k*ln2Hi)
	r -= float64(k * ln2Lo)
	p := expCoeff[expDegree]
	for i := expDegree - 1; i >= 0; i-- {
		p = float64(p*r) + expCoeff[i]
	}
	if k > -1022 && k < 1023 {
		return p * math.Float64frombits(uint64(int(k)+1023)<<52) // exact
	}
	return math.Ldexp(p, int(k))
}

// Log returns the natural logarithm of x to within two units in the last place: -Inf at 0, NaN
// below.
func Log(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	s := (m - 1) / (m + 1)
	s2 := float64(s * s)
	tail := logCoeff[logTerms-1]
	for i := logTerms - 2; i >= 1; i-- {
		tail = float64(tail*s2) + logCoeff[i]
	}
	ln := float64(2*s) + float64(float64(2*s)*float64(tail*s2))
	return float64(float64(e)*ln2Hi) + (ln + float64(float64(e)*ln2Lo))
}

// Pow returns x^a for x > 0, with the relative error of Exp times |a*ln(x)|.
func Pow(x, a float64) float64 { return Exp(float64(a * Log(x))) }
