package gosim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// TestBitsInKernels generates kernels of whole cycles of a memory with words of one bit.
func TestBitsInKernels(t *testing.T) {
	files, err := gosim.GenerateCopies(elaborate(t, simtest.Memory{Depth: 13, Width: 1}), 64, "bits")
	require.NoError(t, err)
	require.Contains(t, texts(files), "inBlocks")
}

// TestBitsOfCopies compares copies of such a memory with the interpreter.
func TestBitsOfCopies(t *testing.T) {
	copiesLockstep(t, map[string]*ir.Design{"bits": elaborate(t, simtest.Memory{Depth: 13, Width: 1})}, 64, 100)
}
