package kernel

import "math"

// linearRow adds four terms to each sum at a time, to reduce loads and stores of the sums.
func linearRow(y, init, w, x []float32, _, _, termStep, terms int) {
	y = y[:Lanes]
	for l := range y {
		y[l] = init[0]
	}
	for ; terms >= 4; terms -= 4 {
		f0, f1, f2, f3 := w[0], w[termStep], w[2*termStep], w[3*termStep]
		x0, x1, x2, x3 := x[:Lanes], x[Lanes:][:Lanes], x[2*Lanes:][:Lanes], x[3*Lanes:][:Lanes]
		for l, sum := range y {
			sum += float32(f0 * x0[l])
			sum += float32(f1 * x1[l])
			sum += float32(f2 * x2[l])
			sum += float32(f3 * x3[l])
			y[l] = sum
		}
		x, w = x[4*Lanes:], w[min(4*termStep, len(w)):]
	}
	for t := range terms {
		f := w[t*termStep]
		for l, v := range x[t*Lanes:][:Lanes] {
			y[l] += float32(f * v)
		}
	}
}

// The tile size of productsTile.
const (
	outputs = 4
	inputs  = 8
)

func productsTile(s, y, x []float64, step, terms int) {
	for i := 0; i < outputs; i += 2 {
		for j := 0; j < inputs; j += 4 {
			productsBlock(s[i*step+j:], y[i:], x[j:], step, terms)
		}
	}
}

// productsBlock computes the part of a tile that stays in registers: 2 rows of 4 sums.
func productsBlock(s, y, x []float64, step, terms int) {
	a, b := s[:4], s[step:][:4]
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
	for t := range terms {
		f, v := y[t*outputs:][:2], x[t*inputs:][:4]
		a0, a1 = math.FMA(f[0], v[0], a0), math.FMA(f[0], v[1], a1)
		a2, a3 = math.FMA(f[0], v[2], a2), math.FMA(f[0], v[3], a3)
		b0, b1 = math.FMA(f[1], v[0], b0), math.FMA(f[1], v[1], b1)
		b2, b3 = math.FMA(f[1], v[2], b2), math.FMA(f[1], v[3], b3)
	}
	a[0], a[1], a[2], a[3] = a0, a1, a2, a3
	b[0], b[1], b[2], b[3] = b0, b1, b2, b3
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

func addOdd(s []float64, x []float32) {
	for i, v := range x[:len(s)] {
		s[i] += Odd(v)
	}
}

func axpy(y []float32, a float32, x []float32) {
	for i, v := range x[:len(y)] {
		y[i] += float32(a * v)
	}
}
