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

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

//go:embed small.hcl hotline.hcl
var shipped embed.FS

// Small is the embedded default.
func Small() *Config { return mustShipped("small.hcl") }

// Paper is the embedded configuration of the paper's scale.
func Paper() *Config { return mustShipped("hotline.hcl") }

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

// Parse reads a configuration; file is its name in errors. The error joins all
// mistakes.
func Parse(file string, text []byte) (*Config, error) {
	f, diags := hclsyntax.ParseConfig(text, file, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, describe(diags)
	}
	l, s, m := link.DefaultConfig(), link.DefaultStraps(), node.DefaultMachine()
	c := &Config{Link: &l, Straps: &s, Machine: &m}
	p := places{file: file, body: f.Body.(*hclsyntax.Body)}
	if diags := gohcl.DecodeBody(f.Body, nil, c); diags.HasErrors() {
		return nil, describe(p.expected(diags, c))
	}
	c.Name = strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".hcl")
	if err := c.check(p); err != nil {
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
func (p places) expected(diags hcl.Diagnostics, c *Config) hcl.Diagnostics {
	for _, d := range diags {
		if d.Summary != "Unsupported argument" || d.Subject == nil {
			continue
		}
		fields := reflect.ValueOf(c).Elem()
		for _, b := range p.body.Blocks {
			if b.Range().ContainsPos(d.Subject.Start) || b.Body.Range().ContainsPos(d.Subject.Start) {
				fields = reflect.Indirect(reflect.New(blockType(fields.Type(), b.Type)))
			}
		}
		schema, _ := gohcl.ImpliedBodySchema(fields.Addr().Interface())
		var names []string
		for _, a := range schema.Attributes {
			names = append(names, a.Name)
		}
		d.Detail = strings.TrimSuffix(d.Detail, ".") + "; expected one of " + strings.Join(names, ", ") + "."
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

// places finds the lines of blocks and attributes.
type places struct {
	file string
	body *hclsyntax.Body
}

// line is where the attribute of a block stands, else the block, else 1.
func (p places) line(block, attribute string) int {
	body, line := p.body, 1
	if block != "" {
		for _, b := range p.body.Blocks {
			if b.Type == block {
				body, line = b.Body, b.TypeRange.Start.Line
			}
		}
	}
	if a, ok := body.Attributes[attribute]; ok {
		line = a.NameRange.Start.Line
	}
	return line
}

// errorf is an error at an attribute.
func (p places) errorf(block, attribute, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", p.file, p.line(block, attribute), fmt.Sprintf(format, args...))
}
