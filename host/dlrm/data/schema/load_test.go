package schema

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
)

func TestNames(t *testing.T) {
	require.Equal(t, []string{"avazu", "criteo", "taobao", "trace"}, Names())
	for _, name := range Names() {
		_, err := Load(name)
		require.NoError(t, err)
	}
	_, err := Load("absent.hcl")
	require.ErrorContains(t, err, "absent.hcl")
}

const good = `format  = "csv"
columns = ["label", "price", "user"]
label "label" {}
dense {
  columns = ["price"]
}
categorical {
  columns = ["user"]
}
`

// TestMistakes changes one line of a good schema. Each mistake has the line of its attribute.
func TestMistakes(t *testing.T) {
	_, err := Parse("own.hcl", []byte(good))
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{`"csv"`, `"xls"`, `own.hcl:1: format is "xls"; expected csv, tsv, jsonl, npz`},
		{`format  = "csv"`, ``, `own.hcl:1: Missing required argument`},
		{`columns = ["label", "price", "user"]`, ``, `own.hcl:1: csv without columns; expected columns or header = true`},
		{`"csv"`, `"jsonl"`, `own.hcl:1: jsonl with header, columns or separator; only csv and tsv have these`},
		{`"user"]`, `"user", "user"]`, `own.hcl:2: "user" is there twice; expected each name once`},
		{`"csv"`, "\"csv\"\nseparator = \"::\"", `own.hcl:2: separator is "::"; expected one character of ASCII, not a quote`},
		{`label "label" {}`, `label "click" {}`, `own.hcl:3: there is no column "click"; expected one of label, price, user`},
		{`label "label" {}`, ``, `own.hcl:1: the block label "COLUMN" is missing`},
		{`label "label" {}`, "unlabelled = true\nlabel \"label\" {}", `own.hcl:4: label with unlabelled = true; expected one of them`},
		{`columns = ["price"]`, `columns = ["cost"]`, `own.hcl:5: there is no column "cost"; expected one of label, price, user`},
		{`columns = ["price"]`, "columns = [\"price\"]\n  kind = \"hex\"", `own.hcl:6: kind is "hex"; expected number, integer, hour`},
		{`columns = ["price"]`, "columns = [\"price\"]\n  log = true", `own.hcl:6: Unsupported argument: An argument named "log" is not expected here. Expected one of columns, kind, missing, required, transform`},
		{`columns = ["user"]`, "columns = [\"user\"]\n  most = 257", `own.hcl:9: most is 257; expected 1 to 256`},
		{`columns = ["user"]`, "columns = [\"user\"]\n  rows = 0", `own.hcl:9: rows is 0; expected 1 to 2147483647`},
		{`columns = ["user"]`, "columns = [\"user\"]\n  rows = 5\n  vocabulary = [\"a\"]", `own.hcl:9: rows with vocabulary; expected one of them`},
		{`columns = ["user"]`, "columns = [\"user\"]\n  split = \"\\n\"", `own.hcl:9: split is "\n"; expected one character of ASCII, not a quote`},
		{`columns = ["user"]`, "columns = [\"user\", \"user\"]", `own.hcl:8: "user" is there twice; expected each name once`},
		{`columns = ["user"]`, "}\ncategorical {\n}\ncategorical {", `own.hcl:11: categorical without columns; expected columns, except in one block`},
		{"categorical {\n  columns = [\"user\"]\n}", ``, `own.hcl:1: there is no block categorical; expected at least one`},
		{`label "label" {}`, "history {\n  user = \"user\"\n  item = \"thing\"\n  category = \"user\"\n  time = \"price\"\n}", `own.hcl:3: history with label, dense or categorical; expected history alone`},
		{`label "label" {}`, "check {\n  columns = [\"x\"]\n}\nlabel \"label\" {}", `own.hcl:4: there is no column "x"; expected one of label, price, user`},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		require.NotEqual(t, good, text, c.old)
		_, err := Parse("own.hcl", []byte(text))
		require.ErrorContains(t, err, c.want)
	}
}

// TestColumnsOfHeader: a column that is not in the header is reported with the log and the schema.
func TestColumnsOfHeader(t *testing.T) {
	s, err := Parse("own.hcl", []byte(strings.Replace(good, `columns = ["label", "price", "user"]`, "header = true", 1)))
	require.NoError(t, err)
	_, err = s.Open([]string{"testdata/header.csv"}, index.FirstPass, nil)
	require.EqualError(t, err, `testdata/header.csv: there is no column "user", which own.hcl uses; found label, price, item`)
	_, err = s.Open([]string{"/dev/null"}, index.FirstPass, nil)
	require.EqualError(t, err, "/dev/null can be read only once, expected a regular file, or a schema that lists the columns")
}
