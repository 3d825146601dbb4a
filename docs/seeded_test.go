package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/consistency"
)

// TestSeededBugsOfTheDocument: verification.md lists bugs of every system that at least two kinds
// of findings report, or two bugs. The tests that seed them exist and name the kinds.
func TestSeededBugsOfTheDocument(t *testing.T) {
	_, table, ok := strings.Cut(read(t, "evidence/verification.md"), "| system | bug | found | test |\n|---|---|---|---|\n")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n\n")
	found := map[string]int{}
	for _, line := range strings.Split(table, "\n") {
		m := regexp.MustCompile("^\\| (`[^|]+`) \\| [^|]+ \\| ([a-z, ]+) \\| `([a-z]+)` `(Test[A-Za-z1]+)` \\|$").FindStringSubmatch(line)
		require.NotNil(t, m, line)
		text := testOf(t, m[3], m[4])
		kinds := strings.Split(m[2], ", ")
		for _, kind := range kinds {
			require.Regexp(t, nameOf(t, kind)+"|"+kind, text, line)
		}
		for _, system := range strings.Split(m[1], ", ") {
			found[strings.Trim(system, "`")] += len(kinds)
		}
	}
	for _, s := range catalog.Systems() {
		require.GreaterOrEqual(t, found[s.Name], 2, s.Name)
	}
	require.Len(t, found, len(catalog.Systems()))
}

// nameOf returns the constant for a kind of finding.
func nameOf(t *testing.T, kind string) string {
	for k, name := range map[consistency.Kind]string{consistency.StaleRead: "StaleRead", consistency.WrongRead: "WrongRead", consistency.LostUpdate: "LostUpdate", consistency.HeldSlot: "HeldSlot"} {
		if k.String() == kind {
			return name
		}
	}
	t.Fatalf("no kind %q", kind)
	return ""
}

// testOf returns the text of a test in a system's package.
func testOf(t *testing.T, pkg, name string) string {
	files, err := filepath.Glob("../host/train/" + pkg + "/*_test.go")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if _, body, ok := strings.Cut(string(text), "\nfunc "+name+"("); ok {
			body, _, _ = strings.Cut(body, "\n}\n")
			return body
		}
	}
	t.Fatalf("%s has no %s", pkg, name)
	return ""
}
