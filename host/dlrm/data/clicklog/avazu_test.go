package clicklog_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
)

func TestAvazuFixture(t *testing.T) {
	log, set := load(t, "avazu", avazuFile, clicklog.Options{})
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

func TestAvazuMaxIndRange(t *testing.T) {
	_, set := load(t, "avazu", avazuFile, clicklog.Options{Rule: index.MaxIndRange(2000)})
	require.EqualValues(t, 15002%2000, set[0].Sparse[13], "C14 by its value")
	require.EqualValues(t, 320, set[0].Sparse[14], "C15 by its value")
	require.EqualValues(t, (1<<32-1)%2000, set[0].Sparse[19], "C20 is -1")
}

func TestAvazuFormatErrors(t *testing.T) {
	content, err := os.ReadFile(avazuFile)
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
		{lines[1], `:1: the first line begins with "` + lines[1][:40] + `"..., expected the header ` + strings.TrimSuffix(lines[0], "\n")},
		{lines[0] + lines[0], `:2: column id (field 1): "id" is not a number`},
		{with(1, ""), `:2: column id (field 1): "" is not a number`},
		{with(2, "yes"), `:2: column click (field 2): "yes" is not 0 or 1`},
		{with(3, "14102124"), `:2: column hour (field 3): "14102124" is not a time of the form YYMMDDHH`},
		{with(3, "2014102123"), `:2: column hour (field 3): "2014102123" is not a time of the form YYMMDDHH`},
		{with(4, "-2147483649"), `:2: column C1 (field 4): "-2147483649" is not a decimal id from -2^31 to 2^32-1`},
		{with(6, ""), `:2: column site_id (field 6): "" is not a hexadecimal id of 1 to 8 digits`},
		{with(24, "4294967296"), `:2: column C21 (field 24): "4294967296" is not a decimal id from -2^31 to 2^32-1`},
		{with(24, "1,2"), `:2: 25 fields, expected 24 (id, click, hour, ..., C21, separated by commas)`},
		{lines[0] + lines[1][:30], `:2: 3 fields, expected 24 (id, click, hour, ..., C21, separated by commas), and no newline: the file looks cut off`},
	} {
		path := filepath.Join(t.TempDir(), "x.csv")
		require.NoError(t, os.WriteFile(path, []byte(c.content), 0o600))
		_, err := clicklog.Open(t.Context(), public(t, "avazu"), []string{path}, clicklog.Options{})
		require.EqualError(t, err, path+c.want)
	}
}
