package data

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/rec"
)

const fixture = "testdata/criteo.tsv" // five invented rows

func TestLoadCriteo(t *testing.T) {
	set, err := LoadCriteo(fixture, 0)
	require.NoError(t, err)
	require.Equal(t, "criteo.tsv", set.Name)
	require.Equal(t, 13, set.Dense)
	require.Len(t, set.Tables, 26)
	require.Len(t, set.Samples, 5)

	var labels []float32
	cfg := rec.Config{Dense: set.Dense, Tables: set.Tables}
	for _, s := range set.Samples {
		require.NoError(t, cfg.Check(s))
		labels = append(labels, s.Label)
	}
	require.Equal(t, []float32{1, 0, 0, 1, 0}, labels)

	ln := func(x float64) float32 { return float32(math.Log(1 + x)) }
	require.Equal(t, []float32{ln(1), 0, 0, 0, ln(12), 0, ln(7), ln(3), ln(255), ln(1), ln(2), 0, ln(4)}, set.Samples[0].Dense)
	require.Equal(t, make([]float32, 13), set.Samples[4].Dense)

	// C1: three new ids, then the first again, then a missing one. C2 (odd columns): the third row repeats the first.
	require.Equal(t, rec.Table{Name: "C1", Rows: 4, Lookups: 1}, set.Tables[0])
	require.Equal(t, rec.Table{Name: "C2", Rows: 3, Lookups: 1}, set.Tables[1])
	column := func(c int) (rows []uint32) {
		for _, s := range set.Samples {
			rows = append(rows, s.Sparse[c])
		}
		return rows
	}
	require.Equal(t, []uint32{0, 1, 2, 0, 3}, column(0))
	require.Equal(t, []uint32{0, 1, 0, 1, 2}, column(1))
	require.Equal(t, []uint32{0, 1, 0, 0, 1}, column(21), "the missing ids of C22 share a row")
}

func TestLimit(t *testing.T) {
	set, err := LoadCriteo(fixture, 2)
	require.NoError(t, err)
	require.Len(t, set.Samples, 2)
	require.Equal(t, 2, set.Tables[0].Rows)
}

func TestGzipIsToldByContent(t *testing.T) {
	plain, err := LoadCriteo(fixture, 0)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "criteo.tsv") // no .gz
	require.NoError(t, os.WriteFile(path, pack(t, read(t)), 0o600))
	packed, err := LoadCriteo(path, 0)
	require.NoError(t, err)
	require.Equal(t, plain, packed)
}

func TestLastNewlineMayBeMissing(t *testing.T) {
	plain, err := LoadCriteo(fixture, 0)
	require.NoError(t, err)
	set, err := ReadCriteo("criteo.tsv", strings.NewReader(strings.TrimSuffix(read(t), "\n")), 0)
	require.NoError(t, err)
	require.Equal(t, plain, set)
}

func TestIDs(t *testing.T) {
	for text, want := range map[string]uint64{"0": 0, "a": 10, "DeadBeef": 0xdeadbeef, "ffffffff": 0xffffffff, "": missingID} {
		id, ok := parseID([]byte(text))
		require.True(t, ok, text)
		require.Equal(t, want, id)
	}
	for _, text := range []string{"g", "123456789", "-1", "0x1", " 1", "1\r", "@", "`", "é"} {
		_, ok := parseID([]byte(text))
		require.False(t, ok, text)
	}
}

// TestFormatErrors pins the messages. Each case spoils the fixture's text.
func TestFormatErrors(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimSuffix(read(t), "\n"), "\n")
	lines[4] += "\n"
	// with replaces field f (from 1) of line n (from 1).
	with := func(n, f int, value string) string {
		fields := strings.Split(strings.TrimSuffix(lines[n-1], "\n"), "\t")
		fields[f-1] = value
		return strings.Join(lines[:n-1], "") + strings.Join(fields, "\t") + "\n" + strings.Join(lines[n:], "")
	}
	all := strings.Join(lines, "")
	packed := string(pack(t, all))
	flipped := []byte(packed)
	flipped[len(flipped)-6] ^= 1 // in the check sum
	for _, c := range []struct{ name, content, want string }{
		{"empty", "", "x.tsv: the file is empty, expected lines of 40 tab-separated fields"},
		{"empty gzip", string(pack(t, "")), "x.tsv: the file is empty, expected lines of 40 tab-separated fields"},
		{"label", with(1, 1, "2"), `x.tsv:1: column label (field 1): "2" is not 0 or 1`},
		{"no label", with(2, 1, ""), `x.tsv:2: column label (field 1): "" is not 0 or 1`},
		{"integer", with(3, 3, "1.5"), `x.tsv:3: column I2 (field 3): "1.5" is not an integer`},
		{"huge integer", with(3, 14, "99999999999999999999"), `x.tsv:3: column I13 (field 14): "99999999999999999999" is not an integer`},
		{"id", with(4, 17, "xyz"), `x.tsv:4: column C3 (field 17): "xyz" is not a hexadecimal id of 1 to 8 digits`},
		{"long id", with(5, 40, "123456789"), `x.tsv:5: column C26 (field 40): "123456789" is not a hexadecimal id of 1 to 8 digits`},
		{"very long id", with(5, 40, strings.Repeat("a", 5000)),
			`x.tsv:5: column C26 (field 40): "` + strings.Repeat("a", 40) + `"... is not a hexadecimal id of 1 to 8 digits`},
		{"carriage return", strings.ReplaceAll(all, "\n", "\r\n"),
			`x.tsv:1: column C26 (field 40): "` + lines[0][len(lines[0])-9:len(lines[0])-1] + `\r" is not a hexadecimal id of 1 to 8 digits`},
		{"a field too few", lines[0] + strings.Replace(lines[1], "\t", "", 1) + lines[2],
			"x.tsv:2: 39 fields, expected 40 (a label, 13 integers, 26 hexadecimal ids, separated by tabs)"},
		{"a field too many", lines[0] + "0\t" + lines[1],
			"x.tsv:2: 41 fields, expected 40 (a label, 13 integers, 26 hexadecimal ids, separated by tabs)"},
		{"blank line", lines[0] + "\n" + lines[1],
			"x.tsv:2: 1 fields, expected 40 (a label, 13 integers, 26 hexadecimal ids, separated by tabs)"},
		{"cut off", lines[0] + lines[1] + lines[2][:60],
			"x.tsv:3: 18 fields, expected 40 (a label, 13 integers, 26 hexadecimal ids, separated by tabs), and no newline: the file looks cut off"},
		{"other text", "<html>\n", "x.tsv:1: 1 fields, expected 40 (a label, 13 integers, 26 hexadecimal ids, separated by tabs)"},
		{"no lines at all", strings.Repeat("x", maxLine+1), "x.tsv:1: the line is longer than 65536 bytes, expected 40 tab-separated fields"},
		{"gzip cut off", packed[:len(packed)/2], "x.tsv:3: the gzip data ends early: the file looks cut off"},
		{"gzip without its end", packed[:len(packed)-4], "x.tsv:6: the gzip data ends early: the file looks cut off"},
		{"gzip header cut off", packed[:5], "x.tsv: the gzip data ends early: the file looks cut off"},
		{"gzip check sum", string(flipped), "x.tsv:6: the gzip data is damaged (gzip: invalid checksum)"},
		{"gzip header", "\x1f\x8b\x07" + packed[3:], "x.tsv: the gzip data is damaged (gzip: invalid header)"},
		{"gzip body", packed[:12] + "\xff\xff\xff" + packed[15:], "x.tsv:1: the gzip data is damaged (flate: corrupt input before offset 5)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadCriteo("x.tsv", strings.NewReader(c.content), 0)
			var format *FormatError
			require.ErrorAs(t, err, &format)
			require.EqualError(t, err, c.want)
			require.Equal(t, strings.Contains(c.want, "cut off"), format.CutOff)
		})
	}
}

func TestOtherErrorsKeepTheirCause(t *testing.T) {
	_, err := LoadCriteo("testdata/absent.tsv", 0)
	require.ErrorIs(t, err, os.ErrNotExist)

	broken := errors.New("disk on fire")
	lines := io.MultiReader(strings.NewReader(read(t)), iotest.ErrReader(broken))
	_, err = ReadCriteo("x.tsv", lines, 0)
	require.ErrorIs(t, err, broken)
	require.EqualError(t, err, "x.tsv:6: disk on fire")

	_, err = ReadCriteo("x.tsv", bytes.NewReader(pack(t, read(t))[:100]), 0)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func read(t *testing.T) string {
	text, err := os.ReadFile(fixture)
	require.NoError(t, err)
	return string(text)
}

func pack(t *testing.T, text string) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.NoCompression) // the same bytes whatever the compressor
	require.NoError(t, err)
	_, err = z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}
