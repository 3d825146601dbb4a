package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReproduce: rows with a verdict are printed as text, as JSON and as a page. Results are
// cached, except with --fresh.
func TestReproduce(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	kept := func() (n int) {
		require.NoError(t, filepath.WalkDir(cache, func(_ string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				n++
			}
			return err
		}))
		return n
	}
	page := filepath.Join(t.TempDir(), "page.html")
	code, fresh, stderr := hotline("reproduce", "elrec/table-iii", "cdlrm/figure-1b", "--fresh", "--html", page)
	require.Zero(t, code, stderr)
	require.Zero(t, kept())
	require.Contains(t, fresh, "| Avazu | 87.6 MiB | 87.63 MiB | holds |")
	require.Contains(t, stderr, "reproduce: 3 of 3 experiments")
	require.Contains(t, contents(t, page), "hotline reproduce cdlrm/figure-1b --machine v100")
	require.Contains(t, contents(t, page), version())
	for range 2 {
		code, out, stderr := hotline("reproduce", "elrec/table-iii", "cdlrm/figure-1b")
		require.Zero(t, code, stderr)
		require.Equal(t, fresh, out)
		require.Equal(t, 3, kept())
	}
	unwritable := filepath.Join(page, "cache")
	t.Setenv("XDG_CACHE_HOME", unwritable)
	code, lost, stderr := hotline("reproduce", "elrec/table-iii", "cdlrm/figure-1b")
	require.Zero(t, code, stderr)
	require.Equal(t, fresh, lost)
	require.Equal(t, 1, strings.Count(stderr, "hotline: the results are not kept for the next run: "), stderr)
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	code, lost, stderr = hotline("reproduce", "elrec/table-iii", "cdlrm/figure-1b")
	require.Zero(t, code, stderr)
	require.Equal(t, fresh, lost)
	require.Equal(t, 1, strings.Count(stderr, "hotline: the results are not kept for the next run: "), stderr)
	_, out, stderr := hotline("reproduce", "hotline/figure-29", "--fresh")
	require.Contains(t, out, "| all, of which the EAL is most | 7.01 mm2 | ", stderr)
	code, _, stderr = hotline("reproduce", "hotline/figure-26", "--data", "criteo:"+clicks)
	require.Equal(t, 3, code)
	require.Contains(t, stderr, "it has too few inputs for studies, which take up to 9,000")
	code, _, stderr = hotline("reproduce", "hotline/figure-26", "--data", "clicks.tsv")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, `data is "clicks.tsv"; expected criteo:FILE, `)
	code, out, stderr = hotline("reproduce", "fae/table-6/minutes-of-dlrm-s-copies", "fae/table-9", "--json", "--fresh")
	require.Zero(t, code, stderr)
	var got struct {
		Schema        string
		Configuration struct{ What []string }
		Rows          []struct {
			ID, Role, Verdict string
			Ours              *float64
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, "hotline.reproduce/1", got.Schema)
	require.Equal(t, []string{"fae/table-6/minutes-of-dlrm-s-copies", "fae/table-9"}, got.Configuration.What)
	require.Len(t, got.Rows, 12+13)
	for _, r := range got.Rows {
		require.True(t, strings.HasPrefix(r.ID, "fae/table-"), r.ID)
		require.Equal(t, r.Role == "calibration", r.Verdict == "calibration", r.ID)
		require.Equal(t, r.Ours == nil, r.Verdict == "not run", r.ID)
	}
}
