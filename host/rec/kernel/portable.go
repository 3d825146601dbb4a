package kernel

import "math"

func linearRow(y, init, w, x []float32, _, _, termStep, terms int) {
	y = y[:Lanes]
	for l := range y {
		y[l] = init[0]
	}
	for t := range terms {
		f := w[t*termStep]
		for l, v := range x[t*Lanes:][:Lanes] {
			y[l] += float32(f * v)
		}
	}
}

// The tile of productsTile.
const (
	outputs = 4
	inputs  = 8
)

func productsTile(s, y, x []float64, step, terms int) {
	for t := range terms {
		for i, f := range y[t*outputs:][:outputs] {
			row := s[i*step:][:inputs]
			for j, v := range x[t*inputs:][:inputs] {
				row[j] = math.FMA(f, v, row[j])
			}
		}
	}
}

func sumsTile(s, y []float64, terms int) {
	for t := range terms {
		for i, v := range y[t*outputs:][:outputs] {
			s[i] += v
		}
	}
}

func pack(dst []float64, x []float32, step, lanes int) {
	for r := range packRows {
		for l, v := range x[r*Lanes:][:lanes] {
			dst[l*step+r] = float64(v)
		}
	}
}

func packOdd(dst []float64, x []float32, step, lanes int) {
	for r := range packRows {
		for l, v := range x[r*Lanes:][:lanes] {
			dst[l*step+r] = Odd(v)
		}
	}
}

func rectify(x []float32) {
	for i, v := range x {
		if v <= 0 {
			x[i] = 0
		}
	}
}

func rectifyBack(dx, x []float32) {
	for i, v := range x {
		if v <= 0 {
			dx[i] = 0
		}
	}
}

func dots(z, a, b []float32) {
	clear(z)
	for ; len(z) > 0; z, b = z[Lanes:], b[len(a):] {
		for i := 0; i < len(a); i += Lanes {
			for l := range Lanes {
				z[l] += float32(a[i+l] * b[i+l])
			}
		}
	}
}

func mulRows(y, a, x []float32) {
	for i := 0; i < len(y); i += Lanes {
		for l, f := range a[:Lanes] {
			y[i+l] += float32(f * x[i+l])
		}
	}
}

func maxAbs(top []uint32, x []float32) {
	for i, v := range x {
		top[i%Lanes] = max(top[i%Lanes], math.Float32bits(v)&^(1<<31))
	}
}

func axpy(y []float32, a float32, x []float32) {
	for i, v := range x[:len(y)] {
		y[i] += float32(a * v)
	}
}
