package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/ui/format"
)

func TestCut(t *testing.T) {
	a := strings.Repeat("a", 80)
	require.Equal(t, a, format.Cut(a))
	require.Equal(t, a+"… (81 characters)", format.Cut(a+"b"))
	require.Equal(t, strings.Repeat("é", 80)+"… (1,000 characters)", format.Cut(strings.Repeat("é", 1000)))
	require.Equal(t, strings.Repeat("\xff", 80)+"… (90 characters)", format.Cut(strings.Repeat("\xff", 90)))
}

func TestCutMessage(t *testing.T) {
	a, path := strings.Repeat("a", 80), "/"+strings.Repeat("folder/", 140)
	for message, want := range map[string]string{
		`f.hcl:1: there is no "x"; expected a list of names that is longer than eighty characters, before or "y" after`: "",
		fmt.Sprintf("%q is no name", a):                    "",
		"open " + path + ": no such file":                  "",
		"a line\n" + a + a + ` "x` + "\ny":                 "",
		fmt.Sprintf("%q, %q", a+"bc", "d"):                 `"` + a + `…" (82 characters), "d"`,
		fmt.Sprintf("%q", strings.Repeat("\x01", 40)+`"`):  `"` + strings.Repeat(`\x01`, 20) + `…" (162 characters)`,
		fmt.Sprintf("%q", "a"+strings.Repeat("\x01", 40)):  `"a` + strings.Repeat(`\x01`, 19) + `…" (161 characters)`,
		"name " + strings.Repeat("a", 1000) + " is long":   "name " + a + "… (1,000 characters) is long",
		"between 1 and " + strings.Repeat("9", 309) + ".0": "between 1 and " + strings.Repeat("9", 80) + "… (309 characters).0",
	} {
		if want == "" {
			want = message
		}
		require.Equal(t, want, format.CutMessage(message))
	}
}
