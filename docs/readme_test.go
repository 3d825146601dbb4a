package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The pieces of Go and Verilog in README.md are those of the files.
func TestPiecesOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	for language, file := range map[string]string{"go": "../hw/hotline/dispatch/input/edram.go", "verilog": "../verilog/small/edram_bank_h2048.v"} {
		_, piece, ok := strings.Cut(string(readme), "\n```"+language+"\n")
		require.True(t, ok, language)
		piece, _, _ = strings.Cut(piece, "```")
		if language == "go" { // in the body of a function there
			piece = regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(piece, "\t$1")
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(text), piece)
	}
}

// What README.md points to exists.
func TestLinksOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	links := regexp.MustCompile(`\]\(([^)h][^)]*)\)|\./(scripts/[\w-]+)|(configs/\w+\.hcl)`).FindAllStringSubmatch(string(readme), -1)
	require.Greater(t, len(links), 8)
	for _, m := range links {
		require.FileExists(t, "../"+m[1]+m[2]+m[3])
	}
}
