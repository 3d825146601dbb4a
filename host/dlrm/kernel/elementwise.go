package kernel

// Rectify applies the ReLU. It keeps NaNs, so that an invalid computation is visible at the end.
func Rectify(x Tensor) {
	for p := range x.Panels {
		use.rectify(x.Panel(p))
	}
}

// RectifyBack zeroes the gradients of the values that Rectify zeroed; x is the output of Rectify.
func RectifyBack(dx, x Tensor) {
	mustMatch(dx, x, dx.Width, x.Width)
	for p := range x.Panels {
		use.rectifyBack(dx.Panel(p), x.Panel(p))
	}
}

// Axpy adds a*x to y, rounding each product before it is added.
func Axpy(y []float32, a float32, x []float32) { use.axpy(y, a, x) }

// MaxAbs raises, for each lane, top to the bits of the largest magnitude of a panel. The bits of
// magnitudes sort like the magnitudes, with NaN above infinity.
func MaxAbs(top *[Lanes]uint32, panel []float32) { use.maxAbs(top[:], panel) }
