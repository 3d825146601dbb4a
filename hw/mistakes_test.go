package hw_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// mistake is a description and its expected errors. In want, {x} represents the position of the
// test line in this package that ends with the comment "// x".
type mistake struct {
	name     string
	describe func(m *hw.Module)
	want     []string
}

func run(t *testing.T, cases []mistake) {
	t.Helper()
	marks := marks(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := hw.Elaborate(described{&c.describe}) // elaborate
			requireErrors(t, err, c.want, marks)
		})
	}
}

// described is a module that a function describes.
type described struct{ f *func(m *hw.Module) }

func (described) ModuleName() string { return "bad" }

func (d described) Build(m *hw.Module) struct{} {
	(*d.f)(m) // build
	return struct{}{}
}

func requireErrors(t *testing.T, err error, want []string, marks map[string]string) {
	t.Helper()
	require.Error(t, err)
	expected := make([]string, len(want))
	for i, w := range want {
		expected[i] = markForm.ReplaceAllStringFunc(w, func(s string) string {
			require.Contains(t, marks, s[1:len(s)-1])
			return marks[s[1:len(s)-1]]
		})
	}
	require.Equal(t, strings.Join(expected, "\n"), err.Error())
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		var one *hw.Error
		require.True(t, errors.As(e, &one))
		require.Contains(t, e.Error(), "["+one.ID+"] "+one.Text)
		require.Contains(t, documented(t), one.ID)
	}
}

// documented returns the ids that the package documentation lists.
func documented(t *testing.T) (ids []string) {
	text, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`(?m)^//\t([a-z]+) {2,}`).FindAllStringSubmatch(string(text), -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// TestIDs checks that the tests cover mistakes of every id. run checks that each id is documented.
func TestIDs(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	var tests strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		tests.Write(text)
	}
	require.Len(t, documented(t), 16)
	for _, id := range documented(t) {
		require.Contains(t, tests.String(), ": ["+id+"] ", "no test of %s", id)
	}
}

var (
	markForm = regexp.MustCompile(`\{[a-z]+[0-9]*\}`)
	markLine = regexp.MustCompile(`// ([a-z]+[0-9]*)$`)
)

// marks returns the positions of the marked lines.
func marks(t *testing.T) map[string]string {
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	out := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for i, line := range strings.Split(string(text), "\n") {
			if m := markLine.FindStringSubmatch(line); m != nil && strings.TrimSpace(line) != m[0] {
				require.NotContains(t, out, m[1], "mark stands twice")
				out[m[1]] = f + ":" + strconv.Itoa(i+1)
			}
		}
	}
	return out
}

// sound requires that describe contains no mistake.
func sound(t *testing.T, describe func(m *hw.Module)) {
	t.Helper()
	d, err := hw.Elaborate(described{&describe})
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
}
