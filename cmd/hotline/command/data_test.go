package command

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDataProfile(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	code, stdout, stderr := hotline("data", "profile", "--inputs", "2000", "--html", page)
	require.Zero(t, code, stderr)
	require.True(t, strings.HasPrefix(stdout, "criteo-like: 2,000 inputs with 26 lookups each, "), stdout)
	require.Contains(t, contents(t, page), "<svg")
	require.NotContains(t, contents(t, page), "src=\"http", "nothing is loaded")

	code, log, stderr := hotline("data", "profile", "--data", "criteo:"+clicks)
	require.Zero(t, code, stderr)
	require.True(t, strings.HasPrefix(log, "clicks.tsv: 70 inputs"), log)

	code, none, stderr := hotline("data", "profile", "--inputs", "100", "--json")
	require.Zero(t, code, stderr)
	code, some, stderr := hotline("data", "profile", "--data", "gen:scratchpipe-high", "--inputs", "100", "--json")
	require.Zero(t, code, stderr)
	require.Equal(t, listed(t, "hotline data profile"), printed(t, none, some))
}

func TestDataUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--data", "gen:nothing"}, `there is no preset "nothing", expected criteo-like, kaggle, `},
		{[]string{"--data", "criteo:" + clicks, "--index", "alphabet"}, `--index: index rule "alphabet", expected first-pass, hash:ROWS or max-ind-range:ROWS`},
		{[]string{"--data", "movielens:x"}, `data is "movielens:x"; expected criteo:FILE, avazu:FILE, taobao:FILE or gen:PRESET`},
	} {
		code, _, stderr := hotline(append([]string{"data", "profile"}, c.args...)...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, c.want)
	}
}
