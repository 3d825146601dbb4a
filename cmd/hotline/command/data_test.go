package command

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
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

// TestDataDocument takes the steps of docs/how-to/data.md.
func TestDataDocument(t *testing.T) {
	tools.Need(t, "sh", "awk")
	blocks := regexp.MustCompile("(?ms)^```(?:sh)?\n(.*?)^```$").FindAllStringSubmatch(contents(t, "../../../docs/how-to/data.md"), -1)
	require.Len(t, blocks, 4)
	folder(t, map[string]string{"own.csv": blocks[0][1]})
	convert, profile, ok := strings.Cut(blocks[1][1], "\nhotline ")
	require.True(t, ok)
	out, err := exec.Command("sh", "-ec", convert).CombinedOutput()
	require.NoError(t, err, string(out))
	code, stdout, stderr := hotline(strings.Fields(profile)...)
	require.Zero(t, code, stderr)
	require.True(t, strings.HasPrefix(stdout, blocks[2][1]), stdout)

	folder(t, map[string]string{"clicks.tsv": "1\t12\n"})
	code, _, stderr = hotline(strings.Fields(profile)...)
	require.Equal(t, exitUsage, code)
	require.Equal(t, blocks[3][1], stderr)
	code, _, stderr = hotline(strings.Fields(profile + " --skip 1")...)
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "1\t12\n", "skipped lines are printed")
}
