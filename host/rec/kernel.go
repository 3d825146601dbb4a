package rec

// The float32 kernels. Each sum runs in index order; several sums advance together, which changes no sum but lets the
// processor overlap their chains of additions.

// matVecAdd adds W*x to y: y[i] += W[i][0]*x[0], then W[i][1]*x[1], and so on. W is len(y) x len(x), row-major.
func matVecAdd(y, w, x []float32) {
	n := len(x)
	i := 0
	for ; i+4 <= len(y); i += 4 {
		r0, r1, r2, r3 := w[i*n:][:n], w[(i+1)*n:][:n], w[(i+2)*n:][:n], w[(i+3)*n:][:n]
		y0, y1, y2, y3 := y[i], y[i+1], y[i+2], y[i+3]
		for j, f := range x {
			y0 += float32(r0[j] * f)
			y1 += float32(r1[j] * f)
			y2 += float32(r2[j] * f)
			y3 += float32(r3[j] * f)
		}
		y[i], y[i+1], y[i+2], y[i+3] = y0, y1, y2, y3
	}
	for ; i < len(y); i++ {
		row, sum := w[i*n:][:n], y[i]
		for j, f := range x {
			sum += float32(row[j] * f)
		}
		y[i] = sum
	}
}

// matTVecAdd adds transpose(W)*y to x: x[j] += W[i][j]*y[i] for each i in order whose y[i] is not zero.
func matTVecAdd(x, w, y []float32) {
	n := len(x)
	var rows [4]int
	found := 0
	for i, f := range y {
		if f == 0 {
			continue
		}
		rows[found] = i
		found++
		if found == len(rows) {
			addRows4(x, w, y, &rows)
			found = 0
		}
	}
	for _, i := range rows[:found] {
		axpy(x, y[i], w[i*n:][:n])
	}
}

// addRows4 adds y[i] times row i of W to x, for four rows in order.
func addRows4(x, w, y []float32, rows *[4]int) {
	n := len(x)
	r0, r1, r2, r3 := w[rows[0]*n:][:n], w[rows[1]*n:][:n], w[rows[2]*n:][:n], w[rows[3]*n:][:n]
	y0, y1, y2, y3 := y[rows[0]], y[rows[1]], y[rows[2]], y[rows[3]]
	for j, sum := range x {
		sum += float32(r0[j] * y0)
		sum += float32(r1[j] * y1)
		sum += float32(r2[j] * y2)
		sum += float32(r3[j] * y3)
		x[j] = sum
	}
}

// axpy adds a*x to y.
func axpy(y []float32, a float32, x []float32) {
	for i, f := range x[:len(y)] {
		y[i] += float32(a * f)
	}
}

// rectify is the ReLU. It keeps a NaN, so that a broken computation is seen at the end.
func rectify(x []float32) {
	for i, f := range x {
		if f <= 0 {
			x[i] = 0
		}
	}
}

// rectifyBack zeroes the gradients of the values that rectify zeroed; x is its output.
func rectifyBack(dx, x []float32) {
	for i, f := range x {
		if f <= 0 {
			dx[i] = 0
		}
	}
}

// Pool sums the rows, at least one, into dst: the first row is copied, the others are added in order.
func Pool(dst []float32, rows ...[]float32) {
	copy(dst, rows[0])
	for _, row := range rows[1:] {
		addTo(dst, row)
	}
}

func addTo(dst, row []float32) {
	for i, f := range row[:len(dst)] {
		dst[i] += f
	}
}

// PoolSample pools all rows of one input into dst (bags x Dim), reading them by row, which need not keep a row valid after
// the next call.
func (c Config) PoolSample(dst []float32, sparse []uint32, row func(table int, index uint32) []float32) {
	for _, bag := range c.Bags() {
		vector := dst[:c.Dim]
		Pool(vector, row(bag.Table, sparse[0]))
		for _, index := range sparse[1:bag.Lookups] {
			addTo(vector, row(bag.Table, index))
		}
		dst, sparse = dst[c.Dim:], sparse[bag.Lookups:]
	}
}

// UpdateRow makes one SGD step: row[i] + float32(negLR*grad[i]), where negLR is minus the learning rate. The two roundings are
// those of the accelerator's v_mul and v_add.
func UpdateRow(row, grad []float32, negLR float32) { axpy(row, negLR, grad) }
