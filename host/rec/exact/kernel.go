package exact

import "math"

// Add adds x, as long as s, element by element.
func (s *Sum) Add(x []float32) {
	mustMatch(len(s.v), len(x))
	s.charge(magnitude(x))
	for i, f := range x {
		s.v[i] += round(float64(f))
	}
}

// AddOuter adds the outer product of y and x: s, read as a row-major len(y) x len(x) matrix, grows by y[i]*x[j].
// Rows whose y[i] is zero cost nothing, which halves the work behind a rectifier.
func (s *Sum) AddOuter(y, x []float32) {
	n := len(x)
	mustMatch(len(s.v), len(y)*n)
	s.charge(magnitude(y) * magnitude(x))
	var rows [4]int
	found := 0
	for i, f := range y {
		if f == 0 {
			continue
		}
		rows[found] = i
		found++
		if found == len(rows) {
			s.addRows4(&rows, y, x)
			found = 0
		}
	}
	for _, i := range rows[:found] {
		addRow(s.v[i*n:(i+1)*n], float64(y[i]), x)
	}
}

// addRows4 adds y[i]*x to four rows i at once: x is widened once, and the four chains of additions overlap.
func (s *Sum) addRows4(rows *[4]int, y, x []float32) {
	n := len(x)
	r0, r1, r2, r3 := s.v[rows[0]*n:][:n], s.v[rows[1]*n:][:n], s.v[rows[2]*n:][:n], s.v[rows[3]*n:][:n]
	y0, y1, y2, y3 := float64(y[rows[0]]), float64(y[rows[1]]), float64(y[rows[2]]), float64(y[rows[3]])
	for j, f := range x {
		w := float64(f)
		r0[j] += round(float64(y0 * w))
		r1[j] += round(float64(y1 * w))
		r2[j] += round(float64(y2 * w))
		r3[j] += round(float64(y3 * w))
	}
}

func addRow(row []float64, y float64, x []float32) {
	row = row[:len(x)]
	for j, f := range x {
		row[j] += round(float64(y * float64(f)))
	}
}

// magnitude returns the largest |x[i]|, NaN if there is one. The bit patterns of magnitudes sort like the magnitudes, and
// NaN above infinity, so the result does not depend on the order.
func magnitude(x []float32) float64 {
	var top uint32
	for _, f := range x {
		top = max(top, math.Float32bits(f)&^(1<<31))
	}
	return float64(math.Float32frombits(top))
}
