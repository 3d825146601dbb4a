package kernel

// implementation is a set of innermost loops. All implementations produce the same bits.
type implementation struct {
	name string

	// rows is the number of rows of a linear tile.
	rows int
	// linearTile computes rows of a panel, y[r] = init[r] + w[r][0]*x[0] + w[r][1]*x[1] + ..., in
	// that order. initStep, rowStep and termStep are the strides, in values, of init, of w's rows
	// and of w's terms.
	linearTile func(y, init, w, x []float32, initStep, rowStep, termStep, terms int)
	// linearRow does the same for one row.
	linearRow func(y, init, w, x []float32, initStep, rowStep, termStep, terms int)

	// outputs and inputs are the numbers of rows and columns of a products tile, multiples of
	// packRows.
	outputs, inputs int
	// productsTile adds y[t][i]*x[t][j] to s[i][j] for each term t, each by one fused multiply-add.
	// Rows of s are step values apart, y is terms x outputs, x is terms x inputs.
	productsTile func(s, y, x []float64, step, terms int)

	// sumsTile adds y[t][i] to s[i] for each term t; y is terms x outputs.
	sumsTile func(s, y []float64, terms int)

	// pack writes packRows rows of a panel as columns, for a multiple of packLanes lanes: x[r][l]
	// is written to dst[l*step+r]. packOdd does the same with Odd of the values.
	pack, packOdd func(dst []float64, x []float32, step, lanes int)

	// rectify, rectifyBack, dots, mulRows and maxAbs process whole rows of one panel; see the
	// exported functions.
	rectify     func(x []float32)
	rectifyBack func(dx, x []float32)
	dots        func(z, a, b []float32)
	mulRows     func(y, a, x []float32)
	maxAbs      func(top []uint32, x []float32)

	// addOdd adds Odd of x to s.
	addOdd func(s []float64, x []float32)

	// axpy adds a*x to y.
	axpy func(y []float32, a float32, x []float32)
}

const (
	packRows  = 4
	packLanes = 4
)

// portable is the implementation in Go only.
var portable = implementation{
	name: "Go",
	rows: 1, linearTile: linearRow, linearRow: linearRow,
	outputs: outputs, inputs: inputs, productsTile: productsTile, sumsTile: sumsTile,
	pack: pack, packOdd: packOdd,
	rectify: rectify, rectifyBack: rectifyBack, dots: dots, mulRows: mulRows, maxAbs: maxAbs, addOdd: addOdd, axpy: axpy,
}

// use is the implementation in use: the best implementation for this processor.
var use = func() *implementation {
	all := implementations()
	return &all[len(all)-1]
}()
