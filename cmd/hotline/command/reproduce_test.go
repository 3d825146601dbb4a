package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReproduce prints rows with a verdict, as Markdown, as JSON and as a page, and keeps what was
// found unless --fresh is given.
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
	require.Contains(t, fresh, "| Avazu | 87.6 MiB | 87.63 MiB |  | holds, 1.00x |")
	require.Contains(t, fresh, "A result *holds* if")
	require.NotContains(t, fresh, "Placebo", "statistics of a few rows")
	require.Contains(t, stderr, "reproduce: 7 of 7 rows")
	require.Contains(t, contents(t, page), "hotline reproduce cdlrm/figure-1b --machine v100")
	require.Contains(t, contents(t, page), version())
	for range 2 {
		code, out, stderr := hotline("reproduce", "elrec/table-iii", "cdlrm/figure-1b")
		require.Zero(t, code, stderr)
		require.Equal(t, fresh, out)
		require.Equal(t, 7, kept())
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
	require.Contains(t, out, "| all, of which the EAL is most | 7.01 mm2 | 33.84 mm2 |  | differs, 4.83x |", stderr)
	code, out, stderr = hotline("reproduce", "fae/table-6/dlrm-s-copies-kaggle", "fae/table-9", "--json", "--fresh")
	require.Zero(t, code, stderr)
	var got struct {
		Schema        string
		Configuration struct{ What []string }
		Rows          []struct {
			ID, Class, Verdict string
			Ours               *float64
		}
		Statistics struct {
			Counts []struct{ Class string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, "hotline.reproduce/2", got.Schema)
	require.Equal(t, []string{"fae/table-6/dlrm-s-copies-kaggle", "fae/table-9"}, got.Configuration.What)
	require.Len(t, got.Rows, 3+1+13)
	require.Len(t, got.Statistics.Counts, 4)
	for _, r := range got.Rows {
		require.True(t, strings.HasPrefix(r.ID, "fae/table-"), r.ID)
		require.Equal(t, r.Class == "calibration" || r.Class == "arithmetic", r.Verdict == "no result", r.ID)
		require.Equal(t, r.Ours == nil, r.Verdict == "not run" || r.Class == "arithmetic", r.ID)
	}
}
