package hclfile

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hotline-rtl/hotline/host/ui/input"
)

// mostBytes is the maximum size of a file.
const mostBytes = 1_000_000

// File is a parsed file within the limits of this package.
type File struct {
	Body  *hclsyntax.Body
	meter *meter
}

// Read returns the text of a regular file or a pipe.
func Read(name string) ([]byte, error) { return input.Text(name, mostBytes) }

// Parse parses a text; name is its file name in errors.
func Parse(name string, text []byte) (*File, error) {
	if err := check(name, text); err != nil {
		return nil, err
	}
	f, diags := hclsyntax.ParseConfig(text, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, Error(diags)
	}
	file := &File{f.Body.(*hclsyntax.Body), newMeter()}
	file.meter.watch(file.Body)
	return file, nil
}

// Decode parses a text into a struct with tags of package gohcl.
func Decode(name string, text []byte, to any) error {
	f, err := Parse(name, text)
	if err != nil {
		return err
	}
	return f.Decode(to)
}

// Decode sets the fields of a struct with tags of package gohcl. Errors about an unsupported
// argument or block list the supported ones.
func (f *File) Decode(to any) error {
	f.meter.reset()
	return Error(expected(gohcl.DecodeBody(f.Body, nil, to), f.Body, to))
}

// Value evaluates an expression of the file.
func (f *File) Value(x hcl.Expression, ctx *hcl.EvalContext, to any) error {
	f.meter.reset()
	return Error(gohcl.DecodeExpression(x, ctx, to))
}
