//go:build !amd64

package model

// Vectors tells whether the processor has the vector instructions of generated kernels.
const Vectors = false
