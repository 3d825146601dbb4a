package synth

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
)

// TestMemoriesOfFPGAs: no memory of the small accelerator is built from flip-flops in an FPGA.
func TestMemoriesOfFPGAs(t *testing.T) {
	tools.Need(t, "yosys")
	for _, family := range Families() {
		t.Run(family, func(t *testing.T) {
			d, err := hw.Elaborate(top.Hotline{Params: *configs.Small().Accelerator})
			require.NoError(t, err)
			fallen, err := FallenMemories(t.Context(), d, family)
			require.NoError(t, err)
			require.Empty(t, fallen)
		})
	}
}

// scratch is a memory with two write ports, which FPGAs do not support.
type scratch struct{}

func (scratch) Build(m *hw.Module) storePorts {
	io := storePorts{In: m.In("in", 12), Out: m.Out("out", 12)}
	words := m.Mem("words", 64, 12)
	words.Write(io.In.Trunc(6), io.In)
	words.Write(io.In.Slice(11, 6), io.In.Not())
	io.Out.Set(words.Read(io.In.Trunc(6)))
	return io
}

func TestFallenMemory(t *testing.T) {
	tools.Need(t, "yosys")
	d, err := hw.Elaborate(scratch{})
	require.NoError(t, err)
	fallen, err := FallenMemories(t.Context(), d, "ecp5")
	require.NoError(t, err)
	require.Equal(t, map[string]int{"scratch.words": 64 * 12}, fallen)
}
