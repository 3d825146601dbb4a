package tt

import "github.com/hotline-rtl/hotline/host/dlrm/kernel"

// Slices contains one slice of each core.
type Slices [Cores][]float32

// MulPrefix writes the product of the first two slices to dst (PrefixLen values).
func (s Shape) MulPrefix(dst []float32, of Slices) {
	width := s.Dims[1] * s.Rank
	clear(dst)
	for j := range s.Dims[0] {
		for r := range s.Rank {
			kernel.Axpy(dst[j*width:][:width], of[0][j*s.Rank+r], of[1][r*width:][:width])
		}
	}
}

// MulRow writes the row to dst (Dim values): the product of its prefix, from MulPrefix, and the
// third slice.
func (s Shape) MulRow(dst, prefix []float32, of Slices) {
	width := s.Dims[2]
	clear(dst)
	for j := range s.Dims[0] * s.Dims[1] {
		out := dst[j*width:][:width]
		for r, p := range prefix[j*s.Rank:][:s.Rank] {
			for c, v := range of[2][r*width:][:width] {
				out[c] += float32(p * v)
			}
		}
	}
}

// Gradient is memory for the gradients of the slices of a row.
type Gradient struct {
	Slices
	shape  Shape
	prefix []float32 // gradient of the product of the first two slices
}

// NewGradient returns memory for rows of a shape.
func NewGradient(s Shape) *Gradient {
	g := &Gradient{shape: s, prefix: make([]float32, s.PrefixLen())}
	for core := range g.Slices {
		g.Slices[core] = make([]float32, s.SliceLen(core))
	}
	return g
}

// Of computes the gradients of the slices from the gradient of their row (Dim values). prefix is
// the result of MulPrefix.
func (g *Gradient) Of(row, prefix []float32, of Slices) {
	g.third(row, prefix)
	g.ofPrefix(row, of[2])
	g.second(of[0])
	g.first(of[1])
}

// third computes the transposed prefix times the gradient of the row.
func (g *Gradient) third(row, prefix []float32) {
	rank, width, out := g.shape.Rank, g.shape.Dims[2], g.Slices[2]
	clear(out)
	for j := range len(prefix) / rank {
		for r, p := range prefix[j*rank:][:rank] {
			for c, v := range row[j*width:][:width] {
				out[r*width+c] += float32(p * v)
			}
		}
	}
}

// ofPrefix computes the gradient of the row times the transposed third slice.
func (g *Gradient) ofPrefix(row, third []float32) {
	rank, width := g.shape.Rank, g.shape.Dims[2]
	for j := range len(g.prefix) / rank {
		dots(g.prefix[j*rank:][:rank], row[j*width:][:width], third)
	}
}

// second computes the transposed first slice times the gradient of the prefix.
func (g *Gradient) second(first []float32) {
	rank, width, out := g.shape.Rank, g.shape.Dims[1]*g.shape.Rank, g.Slices[1]
	clear(out)
	for j := range g.shape.Dims[0] {
		for r := range rank {
			kernel.Axpy(out[r*width:][:width], first[j*rank+r], g.prefix[j*width:][:width])
		}
	}
}

// first computes the gradient of the prefix times the transposed second slice.
func (g *Gradient) first(second []float32) {
	rank, width := g.shape.Rank, g.shape.Dims[1]*g.shape.Rank
	for j := range g.shape.Dims[0] {
		dots(g.Slices[0][j*rank:][:rank], g.prefix[j*width:][:width], second)
	}
}

func dot(a, b []float32) float32 {
	var sum float32
	for i, v := range a {
		sum += float32(v * b[i])
	}
	return sum
}

// dots writes the products of a and of each of the consecutive rows in b to dst. It computes four
// independent sums at a time.
func dots(dst, a, b []float32) {
	n := len(a)
	r := 0
	for ; r+4 <= len(dst); r += 4 {
		b0, b1, b2, b3 := b[r*n:][:n], b[(r+1)*n:][:n], b[(r+2)*n:][:n], b[(r+3)*n:][:n]
		var s0, s1, s2, s3 float32
		for i, v := range a {
			s0 += float32(v * b0[i])
			s1 += float32(v * b1[i])
			s2 += float32(v * b2[i])
			s3 += float32(v * b3[i])
		}
		dst[r], dst[r+1], dst[r+2], dst[r+3] = s0, s1, s2, s3
	}
	for ; r < len(dst); r++ {
		dst[r] = dot(a, b[r*n:][:n])
	}
}
