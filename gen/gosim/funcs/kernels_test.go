package funcs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel/avx512"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// copying returns a kernel that copies a field of bytes.
func copying(name string, lanes int) *kernel.Kernel {
	k := kernel.New(name, lanes, 8)
	k.Doc = name
	k.Store(kernel.Place{Field: "w", Size: 8}, k.Load(kernel.Place{Field: "v", Size: 8}), kernel.None, -1)
	return k
}

// TestInvalidKernel: adding an invalid kernel is an internal error, not a missing instruction.
func TestInvalidKernel(t *testing.T) {
	p := New(&plan.Plan{}, &strings.Builder{})
	bad := kernel.New("bad", 64, 8)
	bad.Insts = append(bad.Insts, kernel.Inst{Op: kernel.Add, Size: 8})
	_, ok := p.add(Targets, []*kernel.Kernel{bad})
	require.False(t, ok)
	require.ErrorContains(t, p.Err, "kernel bad: %0, add: operands")

	p = New(&plan.Plan{}, &strings.Builder{})
	_, ok = p.add(Targets, []*kernel.Kernel{copying("few", 3)})
	require.False(t, ok)
	require.NoError(t, p.Err)
}

// TestReserve: later functions have no kernels for a reserved target, unless it lacks a kernel.
func TestReserve(t *testing.T) {
	p := New(&plan.Plan{}, &strings.Builder{})
	require.False(t, p.Reserve(avx512.Target{}, []*kernel.Kernel{copying("all", 64), copying("few", 3)}))
	require.Equal(t, Targets, p.targets)
	require.Empty(t, p.Names)

	require.True(t, p.Reserve(avx512.Target{}, []*kernel.Kernel{copying("all", 64)}))
	require.NotContains(t, p.targets, avx512.Target{})
	require.Len(t, p.targets, len(Targets)-1)
	require.Equal(t, []string{"all"}, p.Names)
	require.Contains(t, p.Assembly(), "TEXT ·all(SB)")
}
