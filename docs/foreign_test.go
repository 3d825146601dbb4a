package docs_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestForeignVerilogOfTheGuide: the code in the guide's section on external Verilog occurs in the
// example, which has its own tests.
func TestForeignVerilogOfTheGuide(t *testing.T) {
	section := regexp.MustCompile("(?s)\n## Foreign Verilog\n.*?\n## ").FindString(read(t, "reference/language.md"))
	pieces := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(section, -1)
	require.Len(t, pieces, 2)
	for _, p := range pieces {
		require.Contains(t, read(t, "../examples/foreign/mac.go"), p[1])
	}
}
