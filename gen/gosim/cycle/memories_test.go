package cycle

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
)

// edgeOf returns the kernels of a clock edge of 64 instances of d, or nil if there are none.
func edgeOf(t *testing.T, d *ir.Design) []*kernel.Kernel {
	c, err := Edge(planOf(t, d), 64, map[*plan.Value]kernel.Place{})
	if err != nil {
		return nil
	}
	return c.Kernels
}

func parsed(t *testing.T, text string) *ir.Design {
	d, err := ir.Parse("memories.ir", text)
	require.NoError(t, err)
	return d
}

// readsAndWrites maps each operation on memories of a design to whether it writes.
var readsAndWrites = map[kernel.Op]bool{kernel.Gather: false, kernel.Row: false, kernel.Scatter: true, kernel.StoreRow: true}

// readAfterWrite returns the first operation that reads a memory after a write to it, or "".
func readAfterWrite(kernels []*kernel.Kernel) string {
	written := map[string]bool{}
	for _, k := range kernels {
		for n, i := range k.Insts {
			writes, ok := readsAndWrites[i.Op]
			if ok && !writes && written[i.At.Field] {
				return fmt.Sprintf("%s, %%%d reads %s", k.Name, n, i.At.Field)
			}
			if writes {
				written[i.At.Field] = true
			}
		}
	}
	return ""
}

// TestReadsBeforeWrites checks that a clock edge reads memories before it writes them, also if a
// memory takes a word of a memory that is processed later.
func TestReadsBeforeWrites(t *testing.T) {
	memories := 0
	check := func(name string, d *ir.Design) {
		kernels := edgeOf(t, d)
		require.Empty(t, readAfterWrite(kernels), name)
		for _, k := range kernels {
			if slices.ContainsFunc(k.Insts, func(i kernel.Inst) bool { return readsAndWrites[i.Op] }) {
				memories++
				break
			}
		}
	}
	for _, width := range []int{8, 64, 130, 500} {
		check(fmt.Sprint(width), parsed(t, fmt.Sprintf(`module chain clock {
  input on : 1
  input at : 2
  input x : %[1]d
  output z : %[1]d
  mem first : 4x%[1]d
  mem second : 4x%[1]d
  when on {
    first[at] = x
    second[at] = first[at]
  }
  z = second[at]
}
`, width)))
	}
	seeds := []uint64{1837081701073} // which once read a memory too late
	for seed := range uint64(25) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		o := random.Varied(seed)
		o.Extern = false
		check(fmt.Sprint(seed), random.Random(seed, o))
	}
	require.GreaterOrEqual(t, memories, 10, "designs with memories")
}

// TestReadAfterWriteIsFound: a kernel that reads a word that it has written is detected.
func TestReadAfterWriteIsFound(t *testing.T) {
	k := kernel.New("late", 8, 64)
	at, always := kernel.Place{Field: "m0", Size: 64}, k.Do(kernel.Equal, k.Load(kernel.Place{Field: "v", Size: 64}), k.Const(1))
	k.Scatter(at, k.Const(1), k.Const(0), always, -1)
	require.Empty(t, readAfterWrite([]*kernel.Kernel{k}))
	k.Gather(at, k.Const(8), always)
	require.Contains(t, readAfterWrite([]*kernel.Kernel{k}), "reads m0")
}

// TestRowsEnd checks that no row is written beyond the last row of a memory, where readers expect
// zeros.
func TestRowsEnd(t *testing.T) {
	for rows, compared := range map[int]bool{31: true, 32: false, 33: true} {
		kernels := edgeOf(t, parsed(t, fmt.Sprintf(`module rows clock {
  input on : 1
  input at : %d
  input x : 500
  output z : 500
  mem m : %dx500
  when on {
    m[at] = x
  }
  z = m[at]
}
`, bits.Len(uint(rows-1)), rows)))
		require.NotEmpty(t, kernels)
		found := map[kernel.Op]bool{}
		for _, k := range kernels {
			for _, i := range k.Insts {
				found[i.Op] = true
			}
		}
		require.True(t, found[kernel.StoreRow], "%d rows", rows)
		require.Equal(t, compared, found[kernel.Less], "%d rows", rows)
	}
}
