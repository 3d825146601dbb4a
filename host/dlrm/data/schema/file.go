package schema

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/hotline-rtl/hotline/host/dlrm/data/record"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Schema is the schema of a log in HCL.
type Schema struct {
	Format      record.Format  `hcl:"format" doc:"format of the files; csv, tsv and jsonl may be compressed (gzip, zstd)"`
	Header      bool           `hcl:"header,optional" doc:"the first line of each CSV or TSV file names its columns"`
	Columns     []string       `hcl:"columns,optional" default:"the header's" doc:"columns of CSV and TSV, in the order of the file"`
	Separator   string         `hcl:"separator,optional" default:"comma or tab" doc:"character between the fields of CSV and TSV"`
	Unlabelled  bool           `hcl:"unlabelled,optional" doc:"the log has no labels; each label is 0"`
	Empty       []string       `hcl:"empty,optional" doc:"values that mean the same as an empty field"`
	Label       *Label         `hcl:"label,block"`
	Dense       []*Dense       `hcl:"dense,block"`
	Categorical []*Categorical `hcl:"categorical,block"`
	Checks      []*Check       `hcl:"check,block"`
	History     *History       `hcl:"history,block"`

	name   string // "criteo", or the path of the file
	digest string // of the text
}

// Label describes the column of the label.
type Label struct {
	Column   string    `hcl:"column,label"`
	Positive []string  `hcl:"positive,optional" default:"the column has 0 and 1" doc:"values that are clicks; all others are not"`
	At       hcl.Range `hcl:",def_range"`
}

// Dense describes columns of dense features.
type Dense struct {
	Columns   []string  `hcl:"columns" doc:"columns, each a dense feature"`
	Kind      string    `hcl:"kind,optional" default:"number" doc:"values of the columns; hour: YYMMDDHH, read as a fraction of the day"`
	Transform string    `hcl:"transform,optional" default:"none" doc:"log: ln(1 + max(x, 0))"`
	Missing   float64   `hcl:"missing,optional" doc:"feature of an empty field"`
	Required  bool      `hcl:"required,optional" doc:"an empty field is an error"`
	At        hcl.Range `hcl:",def_range"`
}

// Categorical describes columns of ids.
type Categorical struct {
	Columns    []string  `hcl:"columns,optional" default:"all that no other block names" doc:"columns, each a table"`
	Kind       string    `hcl:"kind,optional" default:"text" doc:"ids of the columns, below 2^32; signed: from -2^31; text is hashed to 32 bits, by which 116 of a million ids collide"`
	Split      string    `hcl:"split,optional" doc:"character between several values of a field"`
	Most       int       `hcl:"most,optional" default:"1" doc:"lookups per sample; further values are ignored, and a missing id, which has a row, fills shorter bags"`
	Rows       *int      `hcl:"rows,optional" doc:"rows of each table, by a hash of the id; otherwise --index decides"`
	Vocabulary []string  `hcl:"vocabulary,optional" doc:"ids of rows 0, 1, ...; one more row is for all other ids and missing ones"`
	Required   bool      `hcl:"required,optional" doc:"a field without a value is an error"`
	At         hcl.Range `hcl:",def_range"`
}

// Check describes columns that are checked and not used.
type Check struct {
	Columns []string  `hcl:"columns" doc:"columns"`
	Kind    string    `hcl:"kind,optional" default:"text" doc:"values of the columns"`
	Values  []string  `hcl:"values,optional" default:"all" doc:"expected values"`
	At      hcl.Range `hcl:",def_range"`
}

// History describes a log of visits. An input is a history of a user's visits and a candidate, for
// a model with time steps.
type History struct {
	User     string    `hcl:"user" doc:"column of the user, a decimal id; all lines of a user are consecutive"`
	Item     string    `hcl:"item" doc:"column of the item, a decimal id"`
	Category string    `hcl:"category" doc:"column of the item's category, a decimal id"`
	Time     string    `hcl:"time" doc:"column of the time, an integer"`
	At       hcl.Range `hcl:",def_range"`
}

// Limits returns the ranges of the attributes outside of blocks.
func (*Schema) Limits() map[string]limits.Range {
	return map[string]limits.Range{"format": limits.OneOf(record.Formats...), "separator": character}
}

// Limits returns the ranges of the attributes.
func (*Dense) Limits() map[string]limits.Range {
	return map[string]limits.Range{"kind": limits.OneOf("number", "integer", "hour"), "transform": limits.OneOf("none", "log")}
}

// mostLookups is the maximum number of lookups of a table, as in the accelerator's configuration.
const mostLookups = 256

// Limits returns the ranges of the attributes.
func (*Categorical) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"kind": limits.OneOf("text", "decimal", "signed", "hexadecimal"), "split": character,
		"most": limits.Between(1, mostLookups), "rows": limits.Between(1, 1<<31-1),
	}
}

// Limits returns the ranges of the attributes.
func (*Check) Limits() map[string]limits.Range {
	return map[string]limits.Range{"kind": limits.OneOf("text", "number", "integer", "decimal", "hexadecimal")}
}

// character is the range of attributes that are one character. Load checks the length.
var character = limits.Described("one character of ASCII, not a quote")

// Blocks describes the file of a schema.
func Blocks() []hclfile.Block { return hclfile.Blocks(Schema{}) }
