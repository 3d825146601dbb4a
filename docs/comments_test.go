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

// TestPackageCommentsNameFiles: files that package comments name exist.
func TestPackageCommentsNameFiles(t *testing.T) {
	named := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "doc.go" {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, line := range strings.Split(string(text), "\n") {
			if !strings.HasPrefix(line, "// ") && !strings.HasPrefix(line, "//\t") {
				continue
			}
			for _, file := range regexp.MustCompile(`[a-z0-9_]+\.go\b`).FindAllString(line, -1) {
				require.FileExists(t, filepath.Join(filepath.Dir(path), file), path)
				named++
			}
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, named, 20)
}
