package resets

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// TestResets removes a sample of the resets. scripts/resets removes all.
func TestResets(t *testing.T) {
	tools.Need(t, "iverilog", "vvp")
	const every = 20
	var out bytes.Buffer
	ok, err := all(&out, known(survivorsText), every)
	require.NoError(t, err)
	require.True(t, ok, out.String())
	require.Contains(t, out.String(), " resets removed, ")
}

// TestSurvivorsHaveReasons checks the format of survivors.txt.
func TestSurvivorsHaveReasons(t *testing.T) {
	list := known(survivorsText)
	require.Len(t, list, strings.Count(survivorsText, "\n")-2)
	for name, reason := range list {
		require.Contains(t, name, "/")
		require.NotEmpty(t, reason, name)
	}
}

// TestVerdict covers every outcome of a removed reset.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		survives, listed bool
		reason, text     string
		ok               bool
	}{
		{true, true, "nobody asks", "survives: nobody asks", true},
		{true, false, "", "SURVIVES, and is not in survivors.txt", false},
		{false, true, "nobody asks", "is in survivors.txt, but is NOTICED", false},
		{false, true, "is noticed by the test of hw/hotline/isa, which has more stimulus", "", true},
		{false, true, "shows on some stimulus only: of an idle cycle", "", true},
		{false, false, "", "", true},
	} {
		text, ok := verdict(c.survives, c.listed, c.reason)
		require.Equal(t, c.text, text)
		require.Equal(t, c.ok, ok, c.text)
	}
}

// TestReasons: some reasons state that the test of a package notices the reset. The register must
// then be missing in that package's list of unnoticed registers, regardless of the sizes of its
// module.
func TestReasons(t *testing.T) {
	held := 0
	for name, reason := range known(survivorsText) {
		pkg := regexp.MustCompile(`noticed by the test of (\S+),`).FindStringSubmatch(reason)
		if pkg == nil {
			continue
		}
		text, err := os.ReadFile("../../../" + pkg[1] + "/unreset_test.go")
		require.NoError(t, err)
		_, register, _ := strings.Cut(name, "/")
		module, signal, _ := strings.Cut(register, ".")
		require.NotRegexp(t, `"`+regexp.QuoteMeta(module)+`(_[a-z0-9_]+)?\.`+regexp.QuoteMeta(signal)+`"`, string(text), name)
		held++
	}
	require.Positive(t, held)
}
