package command

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDataProfile(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	code, stdout, stderr := hotline("data", "profile", "--inputs", "2000", "--html", page)
	require.Zero(t, code, stderr)
	require.Contains(t, stderr, "profile: 2000 of 2000 inputs\n", "both passes together")
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
		{[]string{"--data", "movielens:x"}, `data is "movielens:x"; expected LOG:FILE, where LOG is avazu, criteo, taobao, trace or SCHEMA.hcl, or gen:PRESET`},
	} {
		code, _, stderr := hotline(append([]string{"data", "profile"}, c.args...)...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, c.want)
	}
}

// TestDataDocument takes the steps of docs/how-to/data.md.
func TestDataDocument(t *testing.T) {
	blocks := regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$").FindAllStringSubmatch(contents(t, "../../../docs/how-to/data.md"), -1)
	require.Len(t, blocks, 7)
	log, schema, profile := blocks[0][2], blocks[1][2], strings.Fields(blocks[2][2])[1:]
	folder(t, map[string]string{"own.csv": log, "own.hcl": schema})
	code, stdout, stderr := hotline(profile...)
	require.Zero(t, code, stderr)
	require.True(t, strings.HasPrefix(stdout, blocks[3][2]), stdout)

	folder(t, map[string]string{"own.csv": edited(t, log, "12.5", "cheap"), "own.hcl": schema})
	code, _, stderr = hotline(profile...)
	require.Equal(t, exitUsage, code)
	require.Equal(t, blocks[6][2], stderr)
	code, stdout, stderr = hotline(append(profile, "--skip", "1")...)
	require.Zero(t, code, stderr)
	require.Contains(t, stderr, "1,cheap,ann,new|sale\n", "skipped lines are printed")
	require.True(t, strings.HasPrefix(stdout, "own.csv: 2 inputs"), stdout)

	folder(t, map[string]string{"own.csv": log, "own.hcl": edited(t, schema, `"price"`, `"cost"`)})
	code, _, stderr = hotline(profile...)
	require.Equal(t, exitUsage, code)
	require.Equal(t, "hotline: own.csv: there is no column \"cost\", which own.hcl uses; found clicked, price, user, tags\n", stderr)
}
