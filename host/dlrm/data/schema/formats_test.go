package schema_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// blocks describes the columns of the same four inputs in each format.
const blocks = `
label "label" {}

dense {
  columns = ["price"]
  missing = -1
}

dense {
  columns   = ["count"]
  kind      = "integer"
  transform = "log"
}

categorical {
  columns = ["user"]
  kind    = "decimal"
}

categorical {
  columns = ["tags"]
  kind    = "decimal"
  most    = 2
  split   = "|"
}
`

const m = uint64(index.Missing)

// want contains the four inputs.
var want = []schema.Input{
	{Label: 1, Dense: []float32{1.5, float32(math.Log(8))}, IDs: []uint64{11, 5, 6}},
	{Label: 0, Dense: []float32{-1, 0}, IDs: []uint64{12, m, m}},
	{Label: 0, Dense: []float32{0.25, float32(math.Log(4))}, IDs: []uint64{11, 7, 8}},
	{Label: 1, Dense: []float32{1000, 0}, IDs: []uint64{13, 10, m}},
}

const csv = `label,price,count,user,tags
1,1.5,7,11,5|6
0,,-1,12,
0,0.25,3,"11","7|8|9"
1,1e3,0,13,10
`

const jsonl = `{"label": 1, "price": 1.5, "count": 7, "user": 11, "tags": [5, 6]}
{"label": false, "price": null, "count": -1, "user": "12", "other": {"a": 1}}
{"label": 0, "price": 0.25, "count": 3, "user": 11, "tags": "7|8|9"}
{"label": true, "price": 1e3, "count": 0, "user": 13, "tags": [10, null]}
`

// file writes a file and returns its path.
func file(t testing.TB, name, content string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// read reads the inputs of files from a mark on.
func read(l *schema.Log, at text.Mark) (inputs []schema.Input, marks []text.Mark, err error) {
	r := l.Open(at)
	defer r.Close()
	for {
		marks = append(marks, r.Mark())
		if err := r.Next(); errors.Is(err, io.EOF) {
			return inputs, marks, nil
		} else if err != nil {
			return inputs, marks, err
		}
		in := r.Input
		in.Dense, in.IDs = append([]float32(nil), in.Dense...), append([]uint64(nil), in.IDs...)
		inputs = append(inputs, in)
	}
}

// parse returns the inputs of files with a schema.
func parse(t testing.TB, text string, bad *text.Quarantine, paths ...string) *schema.Log {
	s, err := schema.Parse("own.hcl", []byte(text))
	require.NoError(t, err)
	l, err := s.Open(paths, index.FirstPass, bad)
	require.NoError(t, err)
	return l
}

func gz(t testing.TB, content string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(content))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

func zst(t testing.TB, content string) string {
	z, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return string(z.EncodeAll([]byte(content), nil))
}

// TestFormats reads the same inputs in each format, from each mark on. NumPy wrote the NPZ files.
func TestFormats(t *testing.T) {
	header := "format = \"csv\"\nheader = true\n" + blocks
	columns := "columns = [\"label\", \"price\", \"count\", \"user\", \"tags\"]\n" + blocks
	_, body, _ := strings.Cut(csv, "\n")
	tabs := strings.ReplaceAll(strings.ReplaceAll(body, ",", "\t"), `"`, "")
	arrays := strings.ReplaceAll(blocks, `"count"`, `"counts[0]"`)
	for name, c := range map[string]struct{ schema, path string }{
		"csv":             {header, file(t, "a.csv", csv)},
		"csv, Windows":    {header, file(t, "a.csv", "\xef\xbb\xbf"+strings.ReplaceAll(csv, "\n", "\r\n"))},
		"csv, zstd":       {"format = \"csv\"\n" + columns, file(t, "a", zst(t, body))},
		"csv, semicolons": {"format = \"csv\"\nseparator = \";\"\n" + columns, file(t, "a", strings.ReplaceAll(body, ",", ";"))},
		"csv, NA":         {"empty = [\"NA\"]\n" + header, file(t, "a", strings.ReplaceAll(csv, ",,", ",NA,"))},
		"tsv":             {"format = \"tsv\"\n" + columns, file(t, "a.tsv", tabs)},
		"tsv, gzip":       {"format = \"tsv\"\n" + columns, file(t, "a", gz(t, tabs))},
		"jsonl":           {"format = \"jsonl\"\n" + blocks, file(t, "a", jsonl)},
		"jsonl, gzip":     {"format = \"jsonl\"\n" + blocks, file(t, "a", gz(t, jsonl))},
		"npz":             {"format = \"npz\"\n" + arrays, "testdata/log.npz"},
		"npz, compressed": {"format = \"npz\"\n" + arrays, "testdata/packed.npz"},
	} {
		t.Run(name, func(t *testing.T) {
			l := parse(t, c.schema, nil, c.path, c.path)
			got, marks, err := read(l, text.Mark{})
			require.NoError(t, err)
			require.Equal(t, append(want[:4:4], want...), got)
			for i, mark := range marks {
				rest, _, err := read(l, mark)
				require.NoError(t, err)
				require.Equal(t, got[i:], append([]schema.Input{}, rest...), "from input %d on", i)
			}
			require.Equal(t, 2, l.Dense)
			require.Equal(t, []schema.Table{{Name: "user", Lookups: 1}, {Name: "tags", Lookups: 2}}, l.Tables)
		})
	}
}

// TestWholeBags: without an index, a column is the whole bag.
func TestWholeBags(t *testing.T) {
	l := parse(t, `
format = "npz"
label "label" {}
categorical {
  columns = ["counts"]
  kind    = "signed"
  most    = 3
}`, nil, "testdata/log.npz")
	got, _, err := read(l, text.Mark{})
	require.NoError(t, err)
	require.Equal(t, schema.Input{Label: 0, Dense: []float32{0}, IDs: []uint64{1<<32 - 1, 4096, m}}, got[1], "and a log without dense columns has a feature 0")
}

// TestTrace reads a trace of three tables and four samples that NumPy converted from the layout of
// dlrm_datasets.
func TestTrace(t *testing.T) {
	s, err := schema.Load("trace")
	require.NoError(t, err)
	const path = "testdata/trace.npz"
	l, err := s.Open([]string{path, path}, index.Hash(10), nil)
	require.NoError(t, err)
	rule := index.Hash(10)
	require.Equal(t, []schema.Table{{Name: "t0", Lookups: 8, Rule: rule}, {Name: "t1", Lookups: 8, Rule: rule}, {Name: "t2", Lookups: 8, Rule: rule}}, l.Tables)
	got, marks, err := read(l, text.Mark{})
	require.NoError(t, err)
	var ids [][]uint64
	for _, in := range got {
		require.Equal(t, []float32{0, 0}, append(in.Dense, in.Label))
		ids = append(ids, in.IDs)
	}
	bag := func(values ...uint64) []uint64 { return append(values, slices.Repeat([]uint64{m}, 8-len(values))...) }
	once := [][]uint64{
		slices.Concat(bag(10), bag(), bag(1, 2, 3)), slices.Concat(bag(20, 21), bag(), bag(4)),
		slices.Concat(bag(), bag(), bag(5)), slices.Concat(bag(40), bag(), bag(6, 7, 8, 9)),
	}
	require.Equal(t, append(once[:4:4], once...), ids)
	for i, mark := range marks {
		rest, _, err := read(l, mark)
		require.NoError(t, err)
		require.Equal(t, got[i:], append([]schema.Input{}, rest...))
	}
}

// TestIDsOfTables: rows, vocabularies, texts and missing values.
func TestIDsOfTables(t *testing.T) {
	l := parse(t, `
format  = "csv"
columns = ["label", "user", "device", "city"]
empty   = ["?"]

label "label" {
  positive = ["yes", "buy"]
}
categorical {
  columns = ["device"]
  vocabulary = ["phone", "tablet"]
}
categorical {
  columns = ["city"]
  rows    = 100
}
categorical {}
`, nil, file(t, "a.csv", "yes,ann,tablet,Rome\nno,bob,fridge,?\nbuy,ann,?,\nno,\"a \"\"b\"\"\",phone,Rome\n"))
	require.Equal(t, []schema.Table{
		{Name: "device", Lookups: 1, Rule: index.MaxIndRange(3)}, {Name: "city", Lookups: 1, Rule: index.Hash(100)}, {Name: "user", Lookups: 1},
	}, l.Tables)
	got, _, err := read(l, text.Mark{})
	require.NoError(t, err)
	var labels []float32
	for _, in := range got {
		labels = append(labels, in.Label)
	}
	require.Equal(t, []float32{1, 0, 1, 0}, labels)
	require.Equal(t, []uint64{1, 2, 2, 0}, []uint64{got[0].IDs[0], got[1].IDs[0], got[2].IDs[0], got[3].IDs[0]}, "the last row is for other and missing ids")
	require.Equal(t, []uint64{m, m}, []uint64{got[1].IDs[1], got[2].IDs[1]})
	require.Equal(t, got[0].IDs[1], got[3].IDs[1])
	require.Equal(t, got[0].IDs[2], got[2].IDs[2])
	require.NotEqual(t, got[0].IDs[2], got[1].IDs[2])
}

// TestMistakesInLogs: errors name file, line or record, column, and what was found and expected.
func TestMistakesInLogs(t *testing.T) {
	header, json := "format = \"csv\"\nheader = true\n"+blocks, "format = \"jsonl\"\n"+blocks
	first := strings.SplitAfter(jsonl, "\n")[0]
	for _, c := range []struct{ schema, content, want string }{
		{header, csv + "2,,,1,\n", `:6: column label (field 1): "2" is not 0 or 1`},
		{header, csv + "1,x,,1,\n", `:6: column price (field 2): "x" is not a number`},
		{header, csv + "1,,1.5,1,\n", `:6: column count (field 3): "1.5" is not an integer`},
		{header, csv + "1,,,1,5|a|6\n", `:6: column tags (field 5): "a" is not a decimal id below 2^32`},
		{header, csv + "1,,,1\n", `:6: 4 fields, expected 5 (label, price, count, user, tags, separated by commas)`},
		{header, csv + "1,,,\"1,\n", `:6: "\"1," has no closing quote before a separator or the end of the line`},
		{header, csv + "1,,,\"1\"2,\n", `:6: "\"1\"2," has no closing quote before a separator or the end of the line`},
		{header, csv + "1,,", `:6: 3 fields, expected 5 (label, price, count, user, tags, separated by commas), and no newline: the file looks cut off`},
		{json, first + "[1]\n", `:2: "[1]" is not a JSON object`},
		{json, first + "null\n", `:2: "null" is not a JSON object`},
		{json, first + first[:20], `:2: "{\"label\": 1, \"price\"" is not a JSON object, and no newline: the file looks cut off`},
		{json, first + "{}\n", `:2: column label: "" is not a label`},
		{json, first + "{\"label\":1,\"user\":[1,2]}\n", `:2: column user: "1, 2" is not a single value`},
		{json, first + "{\"label\":1,\"price\":[1,2]}\n", `:2: column price: "1, 2" is not a single value`},
		{json, first + "{\"label\":1,\"tags\":[1,[2]]}\n", `:2: column tags: "[1,[2]]" is not a string, a number, a boolean, null or a list of these`},
		{json, first + "{\"label\":1,\"user\":-1}\n", `:2: column user: "-1" is not a decimal id below 2^32`},
		{"format = \"npz\"\n" + blocks, "PK", `: zip: not a valid zip file, expected an NPZ file as numpy.savez writes it, without further compression`},
	} {
		path := file(t, "a", c.content)
		_, _, err := read(parse(t, c.schema, nil, path), text.Mark{})
		require.EqualError(t, err, path+c.want)
	}
}

// TestMistakesInArrays changes a good file.
func TestMistakesInArrays(t *testing.T) {
	content, err := os.ReadFile("testdata/log.npz")
	require.NoError(t, err)
	arrays := "format = \"npz\"\n" + strings.ReplaceAll(blocks, `"count"`, `"counts[0]"`)
	with := func(old, new string) string { return strings.Replace(arrays, old, new, 1) }
	for _, c := range []struct{ schema, want string }{
		{with(`"user"`, `"users"`), `: there is no array users, found label, price, counts, user, tags, tags_lengths`},
		{with(`[0]`, `[2]`), `: array counts has 2 values in an entry, expected more than 2`},
		{with(`["user"]`, `["tags_lengths"]`), ""},
		{with(`columns = ["user"]`, `columns = ["user", "counts"]`), `: record 1: column counts: "7, 0" is not a single value`},
		{with(`"user"`, `"price"`), `: record 1: column price: "1.5" is not a decimal id below 2^32`},
		{with(`"price"`, `"counts"`), `: record 1: column counts: "7, 0" is not a single value`},
	} {
		path := file(t, "a.npz", string(content))
		_, _, err := read(parse(t, c.schema, nil, path), text.Mark{})
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, path+c.want)
	}
	path := file(t, "a.npz", strings.Replace(string(content), "(4,)", "(5,)", 1))
	_, _, err = read(parse(t, arrays, nil, path), text.Mark{})
	require.EqualError(t, err, path+": array price has 4 entries, expected 5 as in label")
	q := text.NewQuarantine(4, nil)
	path = file(t, "a.npz", string(content))
	got, _, err := read(parse(t, with("split   = \"|\"", "required = true"), q, path), text.Mark{})
	require.NoError(t, err)
	require.Len(t, got, 3, "the record without tags is skipped")
	require.EqualError(t, q.First()[0], path+`: record 2: column tags: "" is not a decimal id below 2^32`)
}

// FuzzRecords: every file is read or rejected with its path, in each format.
func FuzzRecords(f *testing.F) {
	npz, err := os.ReadFile("testdata/log.npz")
	require.NoError(f, err)
	trace, err := os.ReadFile("testdata/trace.npz")
	require.NoError(f, err)
	for _, content := range []string{csv, jsonl, string(npz), string(trace), "1,\"", "{\"label\":", ""} {
		f.Add([]byte(content))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(dir, "f")
		require.NoError(t, os.WriteFile(path, content, 0o600))
		for _, format := range []string{"csv\"\nheader = true\n", "jsonl\"\n", "npz\"\n", "npz\"\nunlabelled = true\n"} {
			columns := blocks
			if strings.Contains(format, "unlabelled") {
				columns = "categorical {}"
			}
			s, err := schema.Parse("own.hcl", []byte("format = \""+format+columns))
			require.NoError(t, err)
			l, err := s.Open([]string{path}, index.FirstPass, nil)
			if err == nil {
				_, _, err = read(l, text.Mark{})
			}
			if err != nil {
				require.Contains(t, err.Error(), path)
			}
		}
	})
}

// FuzzLines: every line of a public log is converted or rejected, and an input conforms to the
// schema.
func FuzzLines(f *testing.F) {
	f.Add([]byte("1" + strings.Repeat("\t", 38) + "\t0"))
	f.Add([]byte("1,1,14102105,1005,1,9f767c45,bde5c099,cb91ce37,d76d4330,bd69fe29,ec1d7da0,076ce2ef,77330bdb,f17fd374,1,0,15001,320,50,1701,0,35,-1,79"))
	f.Add([]byte("1,2268318,2520377,pv,1511544070"))
	f.Add([]byte("1\x00\t,,,,"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, line []byte) {
		path := filepath.Join(dir, "f")
		require.NoError(t, os.WriteFile(path, append(line, '\n'), 0o600))
		for _, name := range []string{"criteo", "avazu", "taobao"} {
			s, err := schema.Load(name)
			require.NoError(t, err)
			s.Header = false
			l, err := s.Open([]string{path}, index.FirstPass, nil)
			require.NoError(t, err)
			got, _, err := read(l, text.Mark{})
			if err != nil {
				var wrong *text.FormatError
				require.ErrorAs(t, err, &wrong)
				require.NotEmpty(t, wrong.Problem)
			}
			for _, in := range got {
				require.Contains(t, []float32{0, 1}, in.Label)
				for _, x := range in.Dense {
					require.True(t, x >= 0 && x < 44, "%v", x)
				}
				for _, id := range in.IDs {
					require.LessOrEqual(t, id, m)
				}
			}
		}
	})
}

// TestMissing: a missing id differs from every valid id.
func TestMissing(t *testing.T) {
	s, err := schema.Load("criteo")
	require.NoError(t, err)
	l, err := s.Open([]string{file(t, "a.tsv", "1"+strings.Repeat("\t", 38)+"\t0\n")}, index.FirstPass, nil)
	require.NoError(t, err)
	got, _, err := read(l, text.Mark{})
	require.NoError(t, err)
	require.EqualValues(t, index.Missing, got[0].IDs[24])
	require.Zero(t, got[0].IDs[25])
	require.Equal(t, make([]float32, 13), got[0].Dense)
}

// BenchmarkCriteo reads lines with 13 integers and 26 ids.
func BenchmarkCriteo(b *testing.B) {
	line := "1\t1\t1\t0\t\t-2\t12\t\t7\t3\t255\t1\t2\t4" + strings.Repeat("\ta1b47d75", 26) + "\n"
	s, err := schema.Load("criteo")
	require.NoError(b, err)
	l, err := s.Open([]string{file(b, "a.tsv", strings.Repeat(line, 100_000))}, index.FirstPass, nil)
	require.NoError(b, err)
	lines := 0
	for b.Loop() {
		r := l.Open(text.Mark{})
		for r.Next() == nil {
			lines++
		}
		require.NoError(b, r.Close())
	}
	b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
}
