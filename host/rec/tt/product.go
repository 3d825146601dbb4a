package tt

import "github.com/hotline-rtl/hotline/host/rec/kernel"

// Slices are a slice of each core.
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

// MulRow writes the row to dst (Dim values): the product of its prefix, from
// MulPrefix, and the third slice.
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

// Gradient is room for the gradients of the slices of a row.
type Gradient struct {
	Slices
	shape  Shape
	prefix []float32 // gradient of the product of the first two
}

// NewGradient makes room for rows of a shape.
func NewGradient(s Shape) *Gradient {
	g := &Gradient{shape: s, prefix: make([]float32, s.PrefixLen())}
	for core := range g.Slices {
		g.Slices[core] = make([]float32, s.SliceLen(core))
	}
	return g
}

// Of makes the gradients of the slices from that of their row (Dim values); prefix
// is from MulPrefix.
func (g *Gradient) Of(row, prefix []float32, of Slices) {
	g.third(row, prefix)
	g.ofPrefix(row, of[2])
	g.second(of[0])
	g.first(of[1])
}

// third is the transposed prefix times the gradient of the row.
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

// ofPrefix is the gradient of the row times the transposed third slice.
func (g *Gradient) ofPrefix(row, third []float32) {
	rank, width := g.shape.Rank, g.shape.Dims[2]
	for j := range len(g.prefix) / rank {
		for r := range rank {
			g.prefix[j*rank+r] = dot(row[j*width:][:width], third[r*width:][:width])
		}
	}
}

// second is the transposed first slice times the gradient of the prefix.
func (g *Gradient) second(first []float32) {
	rank, width, out := g.shape.Rank, g.shape.Dims[1]*g.shape.Rank, g.Slices[1]
	clear(out)
	for j := range g.shape.Dims[0] {
		for r := range rank {
			kernel.Axpy(out[r*width:][:width], first[j*rank+r], g.prefix[j*width:][:width])
		}
	}
}

// first is the gradient of the prefix times the transposed second slice.
func (g *Gradient) first(second []float32) {
	rank, width := g.shape.Rank, g.shape.Dims[1]*g.shape.Rank
	for j := range g.shape.Dims[0] {
		for r := range rank {
			g.Slices[0][j*rank+r] = dot(g.prefix[j*width:][:width], second[r*width:][:width])
		}
	}
}

func dot(a, b []float32) float32 {
	var sum float32
	for i, v := range a {
		sum += float32(v * b[i])
	}
	return sum
}
