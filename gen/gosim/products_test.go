package gosim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// products returns a design that computes a product, a quotient and a remainder of two inputs of
// each width.
func products(t *testing.T, widths ...int) *ir.Design {
	var ports, body strings.Builder
	for _, w := range widths {
		fmt.Fprintf(&ports, "  input x%d : %[1]d\n  input y%[1]d : %[1]d\n", w)
		for _, op := range []string{"mul", "divu", "modu"} {
			fmt.Fprintf(&ports, "  output %s%d : %[2]d\n", op, w)
			fmt.Fprintf(&body, "  reg r_%s%d : %[2]d\n  r_%[1]s%[2]d = %[1]s(x%[2]d, y%[2]d)\n  %[1]s%[2]d = r_%[1]s%[2]d\n", op, w)
		}
	}
	d, err := ir.Parse("products.ir", "module products clock {\n"+ports.String()+body.String()+"}\n")
	require.NoError(t, err)
	return d
}

// TestProductsGenerate generates models of products and quotients of any number of words.
func TestProductsGenerate(t *testing.T) {
	for words := 1; words <= 17; words++ {
		for _, w := range []int{64*words - 1, 64 * words, 64*words + 1} {
			d := products(t, w)
			_, err := gosim.Generate(d, "products")
			require.NoError(t, err, w)
			_, err = gosim.GenerateCopies(d, 64, "products")
			require.NoError(t, err, w)
		}
	}
}

// TestProductsOfCopies compares batches of instances with wide products with the interpreter.
func TestProductsOfCopies(t *testing.T) {
	copiesLockstep(t, map[string]*ir.Design{"products": products(t, 63, 64, 65, 128, 192, 256, 257, 320, 384, 448, 512, 513, 1024)}, 8, 20)
}
