package top

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Opcodes, statuses and kinds have their names in the Verilog, and what streams carry
// has those of its fields.
func TestNamesInTheVerilog(t *testing.T) {
	d, err := hw.Elaborate(Hotline{arch.Small()})
	require.NoError(t, err)
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	text := map[string]string{}
	for _, f := range files {
		text[strings.TrimSuffix(f.Name, ".v")] = f.Text
	}
	for module, names := range map[string][]string{
		"dispatch":               {"OPCODE_GATHER", "STATUS_BAD_OPCODE", "STATUS_RANGE", "command_operand1", "row_req_addr"},
		"isa":                    {"STATUS_BAD_CRC", "STATUS_FETCH", "command_opcode"},
		"dma_read_s128_t32_v128": {"READ_ROW", "DMA_ERROR_POISONED", "req_dest"},
		"reduce_s128_v128":       {"OP_MUL", "op_scalar", "DMA_ERROR_OK"},
	} {
		for _, n := range names {
			require.Contains(t, text[module], n, module)
		}
	}
	for module, body := range text {
		require.NotContains(t, body, "command_data[", module)
	}
}
