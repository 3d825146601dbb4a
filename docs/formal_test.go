package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProofsOfTheDocument: each row of the table of proofs names a test that proves and refutes,
// and each such test has a row.
func TestProofsOfTheDocument(t *testing.T) {
	_, table, ok := strings.Cut(read(t, "evidence/verification.md"), "| what | of | refuted | test |\n|---|---|---|---|\n")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n\n")
	named := map[string]bool{}
	for _, line := range strings.Split(table, "\n") {
		m := regexp.MustCompile("\\| `([a-z0-9/]+)` `(TestFormal[A-Za-z]*)` \\|$").FindStringSubmatch(line)
		require.NotNil(t, m, line)
		named[m[1]+" "+m[2]] = true
	}
	found := map[string]bool{}
	for _, pattern := range []string{"../hw/lib/*/formal_test.go", "../hw/hotline/*/formal_test.go", "../hw/hotline/dispatch/*/formal_test.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range regexp.MustCompile(`(?ms)^func (TestFormal[A-Za-z]*)\(.*?^}$`).FindAllStringSubmatch(string(text), -1) {
				require.Regexp(t, `formal\.Holds\(`, m[0])
				require.Regexp(t, `formal\.Fails\(`, m[0])
				found[strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")+" "+m[1]] = true
			}
		}
	}
	require.Equal(t, found, named)
}
