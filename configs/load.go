package configs

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hotline-rtl/hotline/host/pcie/link"
)

//go:embed small.hcl paper.hcl
var shipped embed.FS

// Small is the embedded default.
func Small() *Config { return mustShipped("small.hcl") }

// Paper is the embedded configuration of the paper's scale.
func Paper() *Config { return mustShipped("paper.hcl") }

func mustShipped(name string) *Config {
	text, err := shipped.ReadFile(name)
	if err != nil {
		panic(err)
	}
	c, err := Parse(name, text)
	if err != nil {
		panic(err)
	}
	return c
}

// Load reads a configuration file.
func Load(file string) (*Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, text)
}

// Source is the text of a configuration file, and its name; without a name, that of
// the embedded default.
func Source(file string) (name string, text []byte, err error) {
	if file == "" {
		text, err = shipped.ReadFile("small.hcl")
		return "small.hcl", text, err
	}
	text, err = os.ReadFile(file)
	return file, text, err
}

// Parse reads a configuration; file is its name in errors. The error joins all
// mistakes.
func Parse(file string, text []byte) (*Config, error) {
	f, diags := hclsyntax.ParseConfig(text, file, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, describe(diags)
	}
	body := f.Body.(*hclsyntax.Body)
	l, s := link.DefaultConfig(), link.DefaultStraps()
	c := &Config{Link: &l, Straps: &s, Data: &Data{}, places: newPlaces(file, body)}
	c.setSystems()
	if diags := gohcl.DecodeBody(body, nil, c); diags.HasErrors() {
		return nil, describe(expected(diags, body, c))
	}
	c.Name = strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".hcl")
	if err := c.check(); err != nil {
		return nil, err
	}
	return c, nil
}

// describe turns diagnostics into errors of a line each.
func describe(diags hcl.Diagnostics) error {
	var errs []error
	for _, d := range diags {
		if d.Severity != hcl.DiagError {
			continue
		}
		where := ""
		if d.Subject != nil {
			where = fmt.Sprintf("%s:%d: ", d.Subject.Filename, d.Subject.Start.Line)
		}
		errs = append(errs, fmt.Errorf("%s%s: %s", where, d.Summary, strings.ReplaceAll(d.Detail, "\n", " ")))
	}
	return errors.Join(errs...)
}

// expected adds to complaints about an unknown argument which ones there are.
func expected(diags hcl.Diagnostics, body *hclsyntax.Body, c *Config) hcl.Diagnostics {
	for _, d := range diags {
		if d.Summary != "Unsupported argument" || d.Subject == nil {
			continue
		}
		fields := reflect.ValueOf(c).Elem()
		for _, b := range body.Blocks {
			if b.Range().ContainsPos(d.Subject.Start) || b.Body.Range().ContainsPos(d.Subject.Start) {
				fields = reflect.Indirect(reflect.New(blockType(fields.Type(), b.Type)))
			}
		}
		schema, _ := gohcl.ImpliedBodySchema(fields.Addr().Interface())
		var names []string
		for _, a := range schema.Attributes {
			names = append(names, a.Name)
		}
		d.Detail += " Expected one of " + strings.Join(names, ", ") + "."
	}
	return diags
}

// blockType is the type of the block of that name in a struct.
func blockType(t reflect.Type, name string) reflect.Type {
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("hcl") == name+",block" {
			return t.Field(i).Type.Elem()
		}
	}
	return t
}
