package docs_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fenced returns the code blocks of a page in a language.
func fenced(t *testing.T, page, language string) (list []string) {
	for _, m := range regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$").FindAllStringSubmatch(read(t, page), -1) {
		if m[1] == language {
			list = append(list, m[2])
		}
	}
	return list
}

// shell runs commands in a directory outside of this module.
type shell struct {
	t   *testing.T
	dir string
}

// outside runs the commands that create a module. The last command enters its folder, and this
// module is in an adjacent folder. The commands have no network access.
func outside(t *testing.T, setUp, module string) *shell {
	for name, value := range map[string]string{"GOPROXY": "off", "GOWORK": "off", "GOFLAGS": ""} {
		t.Setenv(name, value)
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	s := &shell{t, t.TempDir()}
	s.run(strings.ReplaceAll(setUp, "../hotline", root))
	s.dir = filepath.Join(s.dir, module)
	return s
}

// run executes a command, which must succeed, and returns its output.
func (s *shell) run(command string) string {
	cmd := exec.Command("sh", "-ec", command)
	cmd.Dir = s.dir
	out, err := cmd.CombinedOutput()
	require.NoError(s.t, err, string(out))
	return string(out)
}
