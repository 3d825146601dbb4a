package schema

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/hotline-rtl/hotline/host/dlrm/data/record"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
	"github.com/hotline-rtl/hotline/hw/limits"
)

//go:embed *.hcl
var public embed.FS

// Names returns the names of the schemas in this package.
func Names() (names []string) {
	files, _ := public.ReadDir(".")
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".hcl"))
	}
	return names
}

// Load returns the schema with one of the Names, or the schema in a file.
func Load(name string) (*Schema, error) {
	if slices.Contains(Names(), name) {
		text, err := public.ReadFile(name + ".hcl")
		if err != nil {
			return nil, err
		}
		return Parse(name, text)
	}
	text, err := hclfile.Read(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, text)
}

// Parse returns the schema in a text. The error contains all mistakes, with name and line.
func Parse(name string, text []byte) (*Schema, error) {
	file, err := hclfile.Parse(name, text)
	if err != nil {
		return nil, err
	}
	s := &Schema{name: name, digest: fmt.Sprintf("%x", sha256.Sum256(text))}
	if err := file.Decode(s); err != nil {
		return nil, err
	}
	s.setDefaults()
	c := checker{schema: s, file: file}
	c.check()
	return s, format.Mistakes(c.errs...)
}

func (s *Schema) setDefaults() {
	switch s.Format {
	case record.CSV:
		s.Separator = cmp.Or(s.Separator, ",")
	case record.TSV:
		s.Separator = cmp.Or(s.Separator, "\t")
	}
	for _, d := range s.Dense {
		d.Kind, d.Transform = cmp.Or(d.Kind, "number"), cmp.Or(d.Transform, "none")
	}
	for _, c := range s.Categorical {
		c.Kind, c.Most = cmp.Or(c.Kind, "text"), cmp.Or(c.Most, 1)
	}
	for _, c := range s.Checks {
		c.Kind = cmp.Or(c.Kind, "text")
	}
}

// checker collects the mistakes of a schema.
type checker struct {
	schema *Schema
	file   *hclfile.File
	errs   []error
}

// wrong records a mistake at an attribute of the block at a place, or at the block.
func (c *checker) wrong(place hcl.Range, attribute, format string, args ...any) {
	line := max(1, place.Start.Line)
	body := c.file.Body
	for _, b := range body.Blocks {
		if b.DefRange().Start == place.Start {
			body = b.Body
		}
	}
	if a, ok := body.Attributes[attribute]; ok {
		line = a.NameRange.Start.Line
	}
	c.errs = append(c.errs, fmt.Errorf("%s:%d: %s", c.schema.name, line, fmt.Sprintf(format, args...)))
}

// limits checks the ranges of a block.
func (c *checker) limits(place hcl.Range, block limits.Block) {
	for _, m := range limits.Check(block) {
		c.wrong(place, m.Attribute, "%v", m)
	}
}

func (c *checker) check() {
	s, outside := c.schema, hcl.Range{}
	c.limits(outside, s)
	if s.Format.Lines() {
		if !s.Header && len(s.Columns) == 0 {
			c.wrong(outside, "format", "%s without columns; expected columns or header = true", s.Format)
		}
		c.character(outside, "separator", s.Separator)
	} else if s.Header || s.Columns != nil || s.Separator != "" {
		c.wrong(outside, "format", "%s with header, columns or separator; only csv and tsv have these", s.Format)
	}
	c.twice(outside, s.Columns)
	if s.History != nil {
		if s.Label != nil || s.Dense != nil || s.Categorical != nil {
			c.wrong(s.History.At, "", "history with label, dense or categorical; expected history alone")
		}
		for attribute, name := range map[string]string{"user": s.History.User, "item": s.History.Item, "category": s.History.Category, "time": s.History.Time} {
			c.names(s.History.At, attribute, []string{name})
		}
		return
	}
	c.checkLabel()
	for _, d := range s.Dense {
		c.limits(d.At, d)
		c.names(d.At, "columns", d.Columns)
	}
	c.checkCategorical()
	for _, x := range s.Checks {
		c.limits(x.At, x)
		c.names(x.At, "columns", x.Columns)
	}
}

func (c *checker) checkLabel() {
	s := c.schema
	switch {
	case s.Label != nil && s.Unlabelled:
		c.wrong(s.Label.At, "", "label with unlabelled = true; expected one of them")
	case s.Label != nil:
		c.names(s.Label.At, "", []string{s.Label.Column})
	case !s.Unlabelled:
		c.wrong(hcl.Range{}, "", `the block label "COLUMN" is missing`)
	}
}

func (c *checker) checkCategorical() {
	if len(c.schema.Categorical) == 0 {
		c.wrong(hcl.Range{}, "", "there is no block categorical; expected at least one")
	}
	var all []string
	rest := false
	for _, x := range c.schema.Categorical {
		c.limits(x.At, x)
		c.names(x.At, "columns", x.Columns)
		if x.Split != "" {
			c.character(x.At, "split", x.Split)
		}
		if x.Rows != nil && x.Vocabulary != nil {
			c.wrong(x.At, "rows", "rows with vocabulary; expected one of them")
		}
		if x.Columns == nil && (rest || c.schema.Format == record.JSONL) {
			c.wrong(x.At, "", "categorical without columns; expected columns, except in one block, and not in jsonl")
		}
		rest = rest || x.Columns == nil
		all = append(all, x.Columns...)
		c.twice(x.At, all)
		c.twice(x.At, x.Vocabulary)
	}
}

// names reports columns that the schema does not list.
func (c *checker) names(place hcl.Range, attribute string, names []string) {
	for _, name := range names {
		if list := c.schema.Columns; list != nil && !slices.Contains(list, name) {
			c.wrong(place, attribute, "there is no column %q; expected one of %s", name, strings.Join(list, ", "))
		}
	}
}

// twice reports names that a list contains twice.
func (c *checker) twice(place hcl.Range, names []string) {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			c.wrong(place, "columns", "%q is there twice; expected each name once", name)
		}
	}
}

func (c *checker) character(place hcl.Range, attribute, text string) {
	if len(text) != 1 || text[0] >= 0x80 || strings.Contains("\"\r\n", text) {
		c.wrong(place, attribute, "%s is %q; expected %s", attribute, text, character)
	}
}
