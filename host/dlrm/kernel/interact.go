package kernel

// Interact multiplies all pairs of vectors of each input. z receives the dot products of vectors i
// and j for i = 1, 2, ... and j = 0, ..., i-1. A dot product is 0 + a[0]*b[0] + a[1]*b[1] + ... in
// that order. vectors has dim features per vector.
func Interact(z, vectors Tensor, dim int) {
	mustMatch(z, vectors, z.Width, pairs(vectors.Width/dim))
	for p := range z.Panels {
		dst, v := z.Panel(p), vectors.Panel(p)
		for i := 1; i*dim < vectors.Width; i++ {
			use.dots(dst[:i*Lanes], v[i*dim*Lanes:][:dim*Lanes], v)
			dst = dst[i*Lanes:]
		}
	}
}

// InteractBack adds the gradients of the vectors to dVectors, given the gradients dz of their
// products. The terms of a vector are added in the order of the vectors that it was multiplied
// with.
func InteractBack(dVectors, dz, vectors Tensor, dim int) {
	mustMatch(dz, vectors, dz.Width, pairs(vectors.Width/dim))
	mustMatch(dVectors, vectors, dVectors.Width, vectors.Width)
	size := dim * Lanes
	for p := range dz.Panels {
		dots, v, dv := dz.Panel(p), vectors.Panel(p), dVectors.Panel(p)
		for i := 1; i*dim < vectors.Width; i++ {
			for j := range i {
				use.mulRows(dv[i*size:][:size], dots[j*Lanes:], v[j*size:][:size])
				use.mulRows(dv[j*size:][:size], dots[j*Lanes:], v[i*size:][:size])
			}
			dots = dots[i*Lanes:]
		}
	}
}

// Dots multiplies one vector of each input with several vectors: z[c] = 0 + a[0]*b[c][0] +
// a[1]*b[c][1] + ... in that order. b has z.Width vectors of a.Width features.
func Dots(z, a, b Tensor) {
	mustMatch(z, a, b.Width, z.Width*a.Width)
	for p := range z.Panels {
		use.dots(z.Panel(p), a.Panel(p), b.Panel(p))
	}
}

// MulAdd adds a*x to y, where a has one feature.
func MulAdd(y, a, x Tensor) {
	mustMatch(y, x, y.Width, x.Width*a.Width)
	for p := range y.Panels {
		use.mulRows(y.Panel(p), a.Panel(p), x.Panel(p))
	}
}

func pairs(n int) int { return n * (n - 1) / 2 }
