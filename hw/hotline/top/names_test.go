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
	missing := map[string]bool{"dispatch": true, "isa": true, "dma_read": true, "reduce": true, "address_registers": true, "fifo_request_eal": true}
	for block, names := range map[string][]string{
		"dispatch": {"OPCODE_GATHER", "STATUS_BAD_OPCODE", "STATUS_RANGE", "command_operand1", "row_req_addr",
			"operand1[9:0] != REG_ROW_LOG2", "held_rows_ahead == AHEAD", "taken_size <= HALF_WORDS"},
		"address_registers": {"write_index == REG_SLOTS && ", "<= SLOTS && ", "[9:0] REG_SCALE        = 10'h224;", "[3:0] MOST_ROW_LOG2    = 4'd9;"},
		"fifo_request_eal":  {"count != DEPTH", "tail == LAST"},
		"isa":               {"STATUS_BAD_CRC", "STATUS_FETCH", "command_opcode"},
		"dma_read":          {"READ_ROW", "DMA_ERROR_POISONED", "req_dest"},
		"reduce":            {"OP_MUL", "op_scalar", "DMA_ERROR_OK"},
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

// assignment matches the left side of a nonblocking assignment, and compared a comparison with a
// number above 1.
var (
	assignment = regexp.MustCompile(`(?m)^ *[a-z][^ ]* +<= `)
	compared   = regexp.MustCompile(`(==|!=|<=?|>=?) \d+'[dh](1[0-9a-f]|[2-9a-f])[0-9a-f_]*`)
)

// bare returns the comparisons of a text with numbers that have no name.
func bare(text string) []string {
	return compared.FindAllString(assignment.ReplaceAllString(text, ""), -1)
}

// TestBareNumbers: modules compare with named numbers. The exceptions are numbers without a name in
// the description: the oldest age, the words of a memory, the last beat of a packet, and the engines
// in which inputs can end.
func TestBareNumbers(t *testing.T) {
	found := map[string][]string{}
	for module, body := range generated(t, arch.Small()) {
		if list := bare(body); list != nil {
			found[module] = list
		}
	}
	require.Equal(t, map[string][]string{
		"eal_bank":         {"== 2'd3"},
		"fifo_addressed":   {"< 2'd3", "< 2'd3"},
		"fifo_request_eal": {"< 3'd6", "< 3'd6"},
		"hot_set_packer":   {"== 3'd3"},
		"input_classifier": {"<= 6'd7", "<= 7'd4", "<= 8'd2", "> 14'd3", "> 14'd2", "> 14'd3", "> 14'd2"},
	}, found)
	require.Equal(t, []string{"!= 10'd546", "<= 8'h1f"}, bare("  x <= 4'd8;\n  if (operand[9:0] != 10'd546 && y <= 8'h1f) z <= 1'b0;\n"))
}
