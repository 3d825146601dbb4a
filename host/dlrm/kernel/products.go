package kernel

import (
	"math"
	"sync"
)

// Odd returns v as a float64 with its last bit set, which changes it by at most 2^-52 of its value.
// Zero is unchanged.
func Odd(v float32) float64 {
	b := math.Float64bits(float64(v))
	return math.Float64frombits(b | (b<<1|-(b<<1))>>63)
}

// AddProducts adds, for inputs from, from+1, ..., to-1, the outer product of y and x to s: s[i][j]
// becomes fma(Odd(y[i]), x[j], s[i][j]), in any order of the inputs. s is y.Width x x.Width,
// row-major. The caller must ensure that the order does not matter.
func AddProducts(s []float64, y, x Tensor, from, to int) {
	mustMatch(y, x, len(s), y.Width*x.Width)
	eachPack(y, from, to, func(m *packed, tiles, from, to int) {
		m.x = grow(m.x, use.inputs*(to-from))
		for j := 0; j < x.Width; j += use.inputs {
			columns(m.x, use.inputs, x, j, from, to, use.pack, widen)
			for t := range tiles {
				m.addTile(s, t, j, x.Width, y.Width, to-from)
			}
		}
	})
}

// AddInputs adds y, of inputs from, from+1, ..., to-1, to s, of length y.Width: s[i] becomes s[i] +
// Odd(y[i]), in any order of the inputs. The caller must ensure that the order does not matter.
func AddInputs(s []float64, y Tensor, from, to int) {
	mustMatch(y, y, len(s), y.Width)
	eachPack(y, from, to, func(m *packed, tiles, from, to int) {
		m.edge = grow(m.edge, use.outputs)
		for t := range tiles {
			at := s[t*use.outputs:]
			n := copy(m.edge, at)
			use.sumsTile(m.edge, m.tile(t, to-from), to-from)
			copy(at, m.edge[:n])
		}
	})
}

// AddOdd adds Odd(x[i]) to s[i]; s and x have the same length.
func AddOdd(s []float64, x []float32) { use.addOdd(s, x) }

// packTerms is the number of inputs that are packed at a time. It is small enough for a column of
// tiles to stay in the L1 cache.
const packTerms = 128

// packed is memory for inputs in the order in which the tiles read them. It holds y in tiles of
// outputs rows, one tile of x, and a tile of sums.
type packed struct{ y, x, edge []float64 }

var packedPool = sync.Pool{New: func() any { return &packed{} }}

// eachPack packs y, some inputs at a time, and visits them.
func eachPack(y Tensor, from, to int, visit func(m *packed, tiles, from, to int)) {
	m := packedPool.Get().(*packed)
	defer packedPool.Put(m)
	tiles := (y.Width + use.outputs - 1) / use.outputs
	m.y = grow(m.y, tiles*use.outputs*packTerms)
	for ; from < to; from += packTerms {
		end := min(from+packTerms, to)
		for t := range tiles {
			columns(m.tile(t, end-from), use.outputs, y, t*use.outputs, from, end, use.packOdd, Odd)
		}
		visit(m, tiles, from, end)
	}
}

// tile returns tile t of y.
func (m *packed) tile(t, terms int) []float64 {
	size := use.outputs * terms
	return m.y[t*size:][:size]
}

func widen(v float32) float64 { return float64(v) }

// columns writes width features, starting with first, of each of the inputs, input by input.
// Missing features are zero. many converts whole blocks, and one converts single values.
func columns(dst []float64, width int, t Tensor, first, from, to int, many func(dst []float64, x []float32, step, lanes int), one func(float32) float64) {
	for k := from; k < to; {
		l := k % Lanes
		n := min(Lanes-l, to-k)
		whole := n / packLanes * packLanes
		for c := 0; c < width; c += packRows {
			at := dst[(k-from)*width+c:]
			if first+c+packRows > t.Width {
				edgeColumns(at, width, t, first+c, k, n, one)
				continue
			}
			if whole > 0 {
				many(at, t.Panel(k / Lanes)[(first+c)*Lanes+l:], width, whole)
			}
			if whole < n {
				edgeColumns(at[whole*width:], width, t, first+c, k+whole, n-whole, one)
			}
		}
		k += n
	}
}

// edgeColumns does the work of columns for up to packRows features and n inputs of one panel.
func edgeColumns(dst []float64, width int, t Tensor, first, from, n int, one func(float32) float64) {
	for c := range packRows {
		for i := range n {
			v := 0.0
			if first+c < t.Width {
				v = one(t.At(from+i, first+c))
			}
			dst[i*width+c] = v
		}
	}
}

// addTile adds the products of tile t of y and the tile of x to s at column j. A tile across the
// edge of s is computed in a temporary full tile.
func (m *packed) addTile(s []float64, t, j, columns, rows, terms int) {
	i, y := t*use.outputs, m.tile(t, terms)
	h, w := min(use.outputs, rows-i), min(use.inputs, columns-j)
	at := s[i*columns+j:]
	if h == use.outputs && w == use.inputs {
		use.productsTile(at, y, m.x, columns, terms)
		return
	}
	m.edge = grow(m.edge, use.outputs*use.inputs)
	for r := range h {
		copy(m.edge[r*use.inputs:][:w], at[r*columns:])
	}
	use.productsTile(m.edge, y, m.x, use.inputs, terms)
	for r := range h {
		copy(at[r*columns:][:w], m.edge[r*use.inputs:])
	}
}

func grow(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}
