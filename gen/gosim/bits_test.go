package gosim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// TestBitsInKernels generates whole-cycle kernels for a memory of one-bit words.
func TestBitsInKernels(t *testing.T) {
	files, err := gosim.GenerateCopies(elaborate(t, simtest.Memory{Depth: 13, Width: 1}), 64, "bits")
	require.NoError(t, err)
	require.True(t, strings.Contains(texts(files), "inBlocks"))
}

// bitOperators are operators of single bits, x and y.
var bitOperators = []string{"not(x)", "and(x, y)", "or(x, y)", "xor(x, y)", "add(x, y)", "sub(x, y)", "mul(x, y)", "eq(x, y)", "ne(x, y)",
	"ltu(x, y)", "leu(x, y)", "lts(x, y)", "shl(x, y)", "shru(x, y)", "shrs(x, y)", "lowest(x)", "popcount(x)"}

// bitDesign returns a design that stores the results of operators on single bits in registers.
func bitDesign(t *testing.T, operators ...string) *ir.Design {
	text := "module bits clock {\n  input x : 1\n  input y : 1\n"
	for i := range operators {
		text += fmt.Sprintf("  output q%d : 1\n", i)
	}
	for i, op := range operators {
		text += fmt.Sprintf("  reg r%d : 1\n  r%[1]d = %[2]s\n  q%[1]d = r%[1]d\n", i, op)
	}
	d, err := ir.Parse("bits.ir", text+"}\n")
	require.NoError(t, err)
	return d
}

// TestBitOperatorsInKernels generates whole-cycle kernels for every operator on single bits.
func TestBitOperatorsInKernels(t *testing.T) {
	for _, op := range bitOperators {
		files, err := gosim.GenerateCopies(bitDesign(t, op), 64, "bits")
		require.NoError(t, err, op)
		require.True(t, strings.Contains(texts(files), "inBlocks"), op)
	}
}

// TestBitsOfCopies compares batches of instances with the interpreter: the memory of one-bit words,
// and the operators on single bits.
func TestBitsOfCopies(t *testing.T) {
	copiesLockstep(t, map[string]*ir.Design{
		"bits":      elaborate(t, simtest.Memory{Depth: 13, Width: 1}),
		"operators": bitDesign(t, bitOperators...),
	}, 64, 100)
}

// TestEqualBitInLanes generates a comparison with the only element of a list in many lanes. The
// result of the comparison is a bit.
func TestEqualBitInLanes(t *testing.T) {
	d, err := ir.Parse("equal.ir", `module equal {
  input x : 64x5
  input y : 64x5
  output q : 64x1
  for l 64 {
    q[l] = eqlanes(vec(y[l]), x[l])
  }
}
`)
	require.NoError(t, err)
	_, err = gosim.Generate(d, "equal")
	require.NoError(t, err)
}
