package avazu

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
)

const fixture = "testdata/avazu.csv" // five invented rows

func TestFixture(t *testing.T) {
	log, err := Open(t.Context(), []string{fixture}, true, clicklog.Options{})
	require.NoError(t, err)
	set, err := datatest.Read(log, 0)
	require.NoError(t, err)
	require.Equal(t, 1, log.Shape().Dense)
	require.Len(t, set, 5)
	cfg := dlrm.Config{Dense: log.Shape().Dense, Tables: log.Shape().Tables}
	var names []string
	for _, table := range log.Shape().Tables {
		names = append(names, table.Name)
	}
	require.Equal(t, strings.Split("C1,banner_pos,site_id,site_domain,site_category,app_id,app_domain,app_category,device_id,device_ip,"+
		"device_model,device_type,device_conn_type,C14,C15,C16,C17,C18,C19,C20,C21", ","), names)
	for i, s := range set {
		require.NoError(t, cfg.Check(s))
		require.Equal(t, float32(i%2), s.Label)
		require.Equal(t, []float32{float32(5*i) / 24}, s.Dense)
		require.EqualValues(t, i%3, s.Sparse[1], "banner_pos")
	}
	require.Equal(t, 3, log.Shape().Tables[1].Rows)
	require.Equal(t, 1, log.Shape().Tables[20].Rows)
}

func TestTwentyTables(t *testing.T) {
	log, err := Open(t.Context(), []string{fixture}, false, clicklog.Options{Rule: index.MaxIndRange(2000)})
	require.NoError(t, err)
	set, err := datatest.Read(log, 0)
	require.NoError(t, err)
	require.Len(t, log.Shape().Tables, 20)
	require.Equal(t, "banner_pos", log.Shape().Tables[0].Name)
	require.EqualValues(t, 15002%2000, set[0].Sparse[12], "C14 by its value")
	require.EqualValues(t, 320, set[0].Sparse[13], "C15 by its value")
}

func TestFormatErrors(t *testing.T) {
	content, err := os.ReadFile(fixture)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(content), "\n")
	with := func(f int, value string) string {
		fields := strings.Split(strings.TrimSuffix(lines[1], "\n"), ",")
		fields[f-1] = value
		return lines[0] + strings.Join(fields, ",") + "\n" + lines[2]
	}
	for _, c := range []struct{ content, want string }{
		{"", ": the file is empty, expected a header and lines of 24 comma-separated fields"},
		{lines[0], ": there is not a single good line, expected a header and lines of 24 comma-separated fields"},
		{lines[1], `:1: the first line begins with "` + lines[1][:40] + `"..., expected the header ` + header},
		{lines[0] + lines[0], `:2: column id (field 1): "id" is not a decimal number`},
		{with(1, ""), `:2: column id (field 1): "" is not a decimal number`},
		{with(2, "yes"), `:2: column click (field 2): "yes" is not 0 or 1`},
		{with(3, "14102124"), `:2: column hour (field 3): "14102124" is not a time of the form YYMMDDHH`},
		{with(3, "2014102123"), `:2: column hour (field 3): "2014102123" is not a time of the form YYMMDDHH`},
		{with(4, "-1005"), `:2: column C1 (field 4): "-1005" is not a decimal id below 2^32, or -1`},
		{with(6, ""), `:2: column site_id (field 6): "" is not a hexadecimal id of 1 to 8 digits`},
		{with(24, "4294967296"), `:2: column C21 (field 24): "4294967296" is not a decimal id below 2^32, or -1`},
		{with(24, "1,2"), `:2: 25 fields, expected 24 (id, click, hour, C1 to C21, separated by commas)`},
		{lines[0] + lines[1][:30], `:2: 3 fields, expected 24 (id, click, hour, C1 to C21, separated by commas), and no newline: the file looks cut off`},
	} {
		path := filepath.Join(t.TempDir(), "x.csv")
		require.NoError(t, os.WriteFile(path, []byte(c.content), 0o600))
		_, err := Open(t.Context(), []string{path}, true, clicklog.Options{})
		require.EqualError(t, err, path+c.want)
	}
}

// FuzzParse: every line is parsed or rejected, and a parsed line conforms to the format.
func FuzzParse(f *testing.F) {
	content, err := os.ReadFile(fixture)
	require.NoError(f, err)
	for line := range strings.Lines(string(content)) {
		f.Add([]byte(strings.TrimSuffix(line, "\n")))
	}
	f.Add([]byte("1,1\x00"))
	f.Fuzz(func(t *testing.T, line []byte) {
		in := clicklog.Input{Dense: make([]float32, 1), IDs: make([]uint64, 21)}
		if wrong := parse(line, firstID, &in); wrong != nil {
			require.NotEmpty(t, wrong.Kind)
			return
		}
		require.Equal(t, 23, strings.Count(string(line), ","))
		require.True(t, in.Dense[0] >= 0 && in.Dense[0] < 1)
		for _, id := range in.IDs {
			require.Less(t, id, uint64(1<<32))
		}
	})
}
