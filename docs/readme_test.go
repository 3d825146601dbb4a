package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPiecesOfTheReadme: the Go and Verilog code in README.md occurs in the source files.
func TestPiecesOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	for language, file := range map[string]string{"go": "../hw/hotline/dispatch/input/edram.go", "verilog": "../verilog/small/edram_bank_h2048.v"} {
		_, piece, ok := strings.Cut(string(readme), "\n```"+language+"\n")
		require.True(t, ok, language)
		piece, _, _ = strings.Cut(piece, "```")
		if language == "go" { // indented in the source file
			piece = regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(piece, "\t$1")
		}
	}
	return broken
}

// TestLinksOfTheReadme: the targets of links in README.md exist.
func TestLinksOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	links := regexp.MustCompile(`\]\(([^)h][^)]*)\)|\./(scripts/[\w-]+)|(configs/\w+\.hcl)`).FindAllStringSubmatch(string(readme), -1)
	require.Greater(t, len(links), 8)
	for _, m := range links {
		require.FileExists(t, "../"+m[1]+m[2]+m[3])
	}
}
