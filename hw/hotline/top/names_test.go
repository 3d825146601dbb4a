package top

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// sizesOf matches the sizes in a module name.
var sizesOf = regexp.MustCompile(`(_[a-z]+\d+)+$`)

// generated returns the Verilog of an accelerator, by module.
func generated(t *testing.T, p arch.Params) map[string]string {
	d, err := hw.Elaborate(Hotline{p})
	require.NoError(t, err)
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	text := map[string]string{}
	for _, f := range files {
		text[strings.TrimSuffix(f.Name, ".v")] = f.Text
	}
	return text
}

// TestModulesThatDependOnTheGPUs: another number of GPUs changes only the modules that depend on
// it. The files of all other modules are identical.
func TestModulesThatDependOnTheGPUs(t *testing.T) {
	two := arch.Small()
	two.GPUs = 2
	eight, other := generated(t, arch.Small()), generated(t, two)
	var changed []string
	for module, body := range eight {
		if other[module] != body {
			changed = append(changed, sizesOf.ReplaceAllString(module, ""))
		}
	}
	require.ElementsMatch(t, []string{"hotline", "isa", "control_registers", "dispatch", "address_registers", "bitmap_writer", "memory_controller", "emitter"}, changed)
	require.Len(t, other, len(eight))
}

// TestNamesInTheVerilog: opcodes, statuses and kinds have their names in the Verilog, and fields of
// streams have the names of the Go fields.
func TestNamesInTheVerilog(t *testing.T) {
	text := generated(t, arch.Small())
	missing := map[string]bool{"dispatch": true, "isa": true, "dma_read": true, "reduce": true}
	for block, names := range map[string][]string{
		"dispatch": {"OPCODE_GATHER", "STATUS_BAD_OPCODE", "STATUS_RANGE", "command_operand1", "row_req_addr"},
		"isa":      {"STATUS_BAD_CRC", "STATUS_FETCH", "command_opcode"},
		"dma_read": {"READ_ROW", "DMA_ERROR_POISONED", "req_dest"},
		"reduce":   {"OP_MUL", "op_scalar", "DMA_ERROR_OK"},
	} {
		for module, body := range text {
			if sizesOf.ReplaceAllString(module, "") == block {
				for _, n := range names {
					require.Contains(t, body, n, module)
				}
				delete(missing, block)
			}
		}
	}
	require.Empty(t, missing)
	for module, body := range text {
		require.NotContains(t, body, "command_data[", module)
	}
}
