package papers

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/ui/picture"
)

// TestSynthesised compares the blocks with the table of docs/evidence/synthesis.md, to the digit.
func TestSynthesised(t *testing.T) {
	page, err := os.ReadFile("../../../docs/evidence/synthesis.md")
	require.NoError(t, err)
	blocks, err := synthesised(synthesisJSON)
	require.NoError(t, err)
	require.Contains(t, string(page), "\n\n"+synthesisTable(blocks)+"\n", "the document has another table than synthesis.json")
	blocks[3].Slow++
	require.NotContains(t, string(page), synthesisTable(blocks))
	_, err = synthesised([]byte(`[{"mhz": "fast"}]`))
	require.ErrorContains(t, err, "synthesis.json: ")
}

// synthesisTable returns blocks as docs/evidence/synthesis.md prints them.
func synthesisTable(blocks []block) string {
	lines := "| block | area, um2 | logic, um2 | memory bits | MHz | MHz, slow | mW at 350 MHz |\n|---|---|---|---|---|---|---|\n"
	for _, b := range blocks {
		lines += fmt.Sprintf("| `%s` | %s | %s | %s | %.0f | %.0f | %.1f |\n", b.Name, picture.Grouped(b.Area, 0), picture.Grouped(b.Logic, 0), picture.Grouped(float64(b.MemoryBits), 0), b.MHz, b.Slow, b.Power)
	}
	return lines
}
