package kernel

// Linear computes y = w*x + b for each input: y[i] = b[i] + w[i][0]*x[0] + w[i][1]*x[1] + ... in
// that order. w is y.Width x x.Width, row-major. b may be nil for zeros.
func Linear(y Tensor, w, b []float32, x Tensor) {
	mustMatch(y, x, len(w), y.Width*x.Width)
	each(y, func(i int, tile []float32, p int, loop linearLoop) {
		init, step := zero[:], 0
		if b != nil {
			init, step = b[i:], 1
		}
		loop(tile, init, w[i*x.Width:], x.Panel(p), step, x.Width, 1, x.Width)
	})
}

var zero [1]float32

// InputGradient computes dx = transpose(w)*dy for each input: dx[j] = 0 + w[0][j]*dy[0] +
// w[1][j]*dy[1] + ... in that order. w is dy.Width x dx.Width, row-major.
func InputGradient(dx Tensor, w []float32, dy Tensor) {
	mustMatch(dx, dy, len(w), dx.Width*dy.Width)
	each(dx, func(j int, tile []float32, p int, loop linearLoop) {
		loop(tile, zero[:], w[min(j, len(w)):], dy.Panel(p), 0, 1, dx.Width, dy.Width)
	})
}

type linearLoop = func(y, init, w, x []float32, initStep, rowStep, termStep, terms int)

// each visits tiles of y. It visits all panels of a tile consecutively, while the tile's weights
// are in the cache. If the number of rows is not a multiple of the tile, the last tile overlaps the
// previous tile and computes some sums twice.
func each(y Tensor, visit func(row int, tile []float32, p int, loop linearLoop)) {
	rows, loop := use.rows, use.linearTile
	if y.Width < rows {
		rows, loop = 1, use.linearRow
	}
	for i := 0; i < y.Width; i += rows {
		i := min(i, y.Width-rows)
		for p := range y.Panels {
			visit(i, y.Panel(p)[i*Lanes:], p, loop)
		}
	}
}

func mustMatch(a, b Tensor, got, want int) {
	if got != want || a.Panels != b.Panels {
		panic("kernel: shapes do not match")
	}
}
