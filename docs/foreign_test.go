package docs_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The pieces of the guide on foreign Verilog are of the example, which its tests run.
func TestForeignVerilogOfTheGuide(t *testing.T) {
	section := regexp.MustCompile("(?s)\n## Foreign Verilog\n.*?\n## ").FindString(read(t, "reference/language.md"))
	pieces := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(section, -1)
	require.Len(t, pieces, 2)
	for _, p := range pieces {
		require.Contains(t, read(t, "../examples/foreign/mac.go"), p[1])
	}
}
