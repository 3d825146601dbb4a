package calibrate

// costs are the coefficients of the terms of operators.
type costs map[string][]float64

// terms returns products of an operator's sizes. The operator's time is the sum of these terms, each
// with a coefficient. The first term is 1, for dispatch.
var terms = map[string]func(s []int) []float64{
	"product":         productTerms,
	"weight_gradient": productTerms,
	"input_gradient":  productTerms,
	"activation":      func(s []int) []float64 { return []float64{1, float64(s[0] * s[1])} },
	"update":          func(s []int) []float64 { return []float64{1, float64(s[0])} },
	"layers":          func(s []int) []float64 { return []float64{1, float64(s[0])} },
	"loss":            func([]int) []float64 { return []float64{1} },
	"interaction": func(s []int) []float64 {
		n, f, d := float64(s[0]), float64(s[1]), float64(s[2])
		return []float64{1, n, n * f * d, n * f * f, n * f * f * d}
	},
	"pool_rows":   tableTerms,
	"update_rows": tableTerms,
}

func productTerms(s []int) []float64 {
	a, b, k := float64(s[0]), float64(s[1]), float64(s[2])
	return []float64{1, a * b * k, a*k + k*b, a * b}
}

func tableTerms(s []int) []float64 {
	tables, vectors, dim := float64(s[0]), float64(s[0]*s[1]), float64(s[3])
	rows := vectors * float64(s[2])
	return []float64{1, tables, vectors, rows, rows * dim}
}

// costs returns the coefficients that minimize the squares of the operators' relative errors.
func (x Measurements) costs() costs {
	rows := map[string][][]float64{}
	for _, o := range x.Operators {
		if t := terms[o.Name]; t != nil {
			row := t(o.Sizes)
			for i := range row {
				row[i] /= o.Us
			}
			rows[o.Name] = append(rows[o.Name], row)
		}
	}
	c := costs{}
	for name, r := range rows {
		c[name] = solve(r)
	}
	return c
}

// solve returns coefficients, none below 0, with which the sum of each row is as close to 1 as
// possible. It optimizes one coefficient at a time.
func solve(rows [][]float64) []float64 {
	c := make([]float64, len(rows[0]))
	errs := make([]float64, len(rows))
	for i := range errs {
		errs[i] = 1
	}
	for range 10_000 {
		for j, old := range c {
			gain, norm := 0.0, 0.0
			for i, r := range rows {
				gain += float64(errs[i] * r[j])
				norm += float64(r[j] * r[j])
			}
			c[j] = max(0, old+gain/norm)
			for i, r := range rows {
				errs[i] -= float64((c[j] - old) * r[j])
			}
		}
	}
	return c
}

// us returns the time of an operator.
func (c costs) us(o Operator) float64 {
	t := 0.0
	for i, x := range terms[o.Name](o.Sizes) {
		t += float64(c[o.Name][i] * x)
	}
	return t
}

// inLayer lists the operators of a layer. The operator layers has the time of their dispatch.
var inLayer = map[string]bool{"product": true, "weight_gradient": true, "input_gradient": true, "activation": true, "update": true}

// step returns the time of a step.
func (c costs) step(s Step) float64 {
	t := 0.0
	for _, o := range s.operators() {
		t += c.us(o)
		if inLayer[o.Name] {
			t -= c[o.Name][0]
		}
	}
	return t
}
