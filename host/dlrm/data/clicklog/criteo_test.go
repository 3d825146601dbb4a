package clicklog_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// Fixtures of five invented rows each.
const (
	criteoFile = "testdata/criteo.tsv"
	avazuFile  = "testdata/avazu.csv"
)

// public returns the schema of a public log.
func public(t testing.TB, name string) *schema.Schema {
	s, err := schema.Load(name)
	require.NoError(t, err)
	return s
}

// load opens a file of a public log and reads it.
func load(t *testing.T, name, path string, o clicklog.Options) (data.Source, []dlrm.Sample) {
	log, err := clicklog.Open(t.Context(), public(t, name), []string{path}, o)
	require.NoError(t, err)
	inputs, err := datatest.Read(log, 0)
	require.NoError(t, err)
	return log, inputs
}

func TestCriteoFixture(t *testing.T) {
	log, set := load(t, "criteo", criteoFile, clicklog.Options{})
	require.Equal(t, "criteo.tsv", log.Name())
	require.Equal(t, 13, log.Shape().Dense)
	require.Len(t, log.Shape().Tables, 26)
	require.Len(t, set, 5)

	var labels []float32
	cfg := dlrm.Config{Dense: log.Shape().Dense, Tables: log.Shape().Tables}
	for _, s := range set {
		require.NoError(t, cfg.Check(s))
		labels = append(labels, s.Label)
	}
	require.Equal(t, []float32{1, 0, 0, 1, 0}, labels)

	ln := func(x float64) float32 { return float32(math.Log(1 + x)) }
	require.Equal(t, []float32{ln(1), 0, 0, 0, ln(12), 0, ln(7), ln(3), ln(255), ln(1), ln(2), 0, ln(4)}, set[0].Dense)
	require.Equal(t, make([]float32, 13), set[4].Dense)

	// C1: three new ids, the first id again, a missing id. C2 (odd columns): the third row repeats
	// the first.
	require.Equal(t, dlrm.Table{Name: "C1", Rows: 4, Lookups: 1}, log.Shape().Tables[0])
	require.Equal(t, dlrm.Table{Name: "C2", Rows: 3, Lookups: 1}, log.Shape().Tables[1])
	column := func(c int) (rows []uint32) {
		for _, s := range set {
			rows = append(rows, s.Sparse[c])
		}
		return rows
	}
	require.Equal(t, []uint32{0, 1, 2, 0, 3}, column(0))
	require.Equal(t, []uint32{0, 1, 0, 1, 2}, column(1))
	require.Equal(t, []uint32{0, 1, 0, 0, 1}, column(21), "the missing ids of C22 share a row")
}

func TestCriteoMaxIndRange(t *testing.T) {
	log, set := load(t, "criteo", criteoFile, clicklog.Options{Rule: index.MaxIndRange(1000)})
	require.Equal(t, dlrm.Table{Name: "C1", Rows: 1000, Lookups: 1}, log.Shape().Tables[0])
	require.EqualValues(t, 0xa1b47d75%1000, set[0].Sparse[0])
	require.Zero(t, set[4].Sparse[0], "a missing id")
}

// TestCriteoDressings: the encoding of the file does not change the rows.
func TestCriteoDressings(t *testing.T) {
	log, want := load(t, "criteo", criteoFile, clicklog.Options{})
	plain := contents(t, criteoFile)
	for name, content := range map[string]string{
		"gzip":          gz(t, plain),
		"zstd":          zst(t, plain),
		"no last end":   strings.TrimSuffix(plain, "\n"),
		"Windows":       "\xef\xbb\xbf" + strings.ReplaceAll(plain, "\n", "\r\n"),
		"Windows, gzip": gz(t, "\xef\xbb\xbf"+strings.ReplaceAll(plain, "\n", "\r\n")),
	} {
		path := filepath.Join(t.TempDir(), "criteo.tsv")
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		got, inputs := load(t, "criteo", path, clicklog.Options{})
		require.Equal(t, log.Shape(), got.Shape(), name)
		require.Equal(t, want, inputs, name)
	}
}

// TestCriteoFormatErrors pins the messages. Each case corrupts the fixture's text.
func TestCriteoFormatErrors(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimSuffix(contents(t, criteoFile), "\n"), "\n")
	lines[4] += "\n"
	// with replaces field f (from 1) of line n (from 1).
	with := func(n, f int, value string) string {
		fields := strings.Split(strings.TrimSuffix(lines[n-1], "\n"), "\t")
		fields[f-1] = value
		return strings.Join(lines[:n-1], "") + strings.Join(fields, "\t") + "\n" + strings.Join(lines[n:], "")
	}
	for _, c := range []struct{ name, content, want, kind string }{
		{"empty", "", "the file is empty, expected lines of 40 tab-separated fields", ""},
		{"empty gzip", gz(t, ""), "the file is empty, expected lines of 40 tab-separated fields", ""},
		{"label", with(1, 1, "2"), `1: column label (field 1): "2" is not 0 or 1`, "not 0 or 1"},
		{"no label", with(2, 1, ""), `2: column label (field 1): "" is not 0 or 1`, "not 0 or 1"},
		{"integer", with(3, 3, "1.5"), `3: column I2 (field 3): "1.5" is not an integer`, "not an integer"},
		{"huge integer", with(3, 14, "99999999999999999999"), `3: column I13 (field 14): "99999999999999999999" is not an integer`, "not an integer"},
		{"NUL", with(3, 14, "1\x00"), `3: column I13 (field 14): "1\x00" is not an integer`, "not an integer"},
		{"id", with(4, 17, "xyz"), `4: column C3 (field 17): "xyz" is not a hexadecimal id of 1 to 8 digits`, "not a hexadecimal id of 1 to 8 digits"},
		{"long id", with(5, 40, "123456789"), `5: column C26 (field 40): "123456789" is not a hexadecimal id of 1 to 8 digits`, "not a hexadecimal id of 1 to 8 digits"},
		{"very long id", with(5, 40, strings.Repeat("a", 5000)),
			`5: column C26 (field 40): "` + strings.Repeat("a", 40) + `"... is not a hexadecimal id of 1 to 8 digits`, "not a hexadecimal id of 1 to 8 digits"},
		{"a field too few", lines[0] + strings.Replace(lines[1], "\t", "", 1) + lines[2],
			"2: 39 fields, expected 40 (label, I1, I2, ..., C26, separated by tabs)", "wrong number of fields"},
		{"a field too many", lines[0] + "0\t" + lines[1],
			"2: 41 fields, expected 40 (label, I1, I2, ..., C26, separated by tabs)", "wrong number of fields"},
		{"blank line", lines[0] + "\n" + lines[1],
			"2: 1 fields, expected 40 (label, I1, I2, ..., C26, separated by tabs)", "wrong number of fields"},
		{"cut off", lines[0] + lines[1] + lines[2][:60],
			"3: 18 fields, expected 40 (label, I1, I2, ..., C26, separated by tabs), and no newline: the file looks cut off", "wrong number of fields"},
		{"other text", "<html>\n", "1: 1 fields, expected 40 (label, I1, I2, ..., C26, separated by tabs)", "wrong number of fields"},
		{"no lines at all", strings.Repeat("x", 10<<20), "1: the line is longer than 65536 bytes, expected lines of 40 tab-separated fields", "too long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.tsv")
			require.NoError(t, os.WriteFile(path, []byte(c.content), 0o600))
			_, err := clicklog.Open(t.Context(), public(t, "criteo"), []string{path}, clicklog.Options{})
			var format *text.FormatError
			require.ErrorAs(t, err, &format)
			separator := ":"
			if format.Line == 0 {
				separator = ": "
			}
			require.EqualError(t, err, path+separator+c.want)
			require.Equal(t, c.kind, format.Kind)
			require.Equal(t, strings.Contains(c.want, "cut off"), format.CutOff)
		})
	}
}

func contents(t testing.TB, path string) string {
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}
