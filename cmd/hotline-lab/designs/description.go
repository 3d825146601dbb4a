package designs

import (
	"embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/hotline-rtl/hotline/gen/fromverilog"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
	"github.com/hotline-rtl/hotline/hw/ir"
)

//go:embed public.hcl picorv32_program.v
var shipped embed.FS

// Description describes a design.
type Description struct {
	Name       string           `hcl:"name,label"` // of the top module
	Source     string           `hcl:"source"`     // where the files can be had
	Files      []string         `hcl:"files"`
	Bench      string           `hcl:"bench,optional"` // a file of this package that contains the top module
	Parameters map[string]int64 `hcl:"parameters,optional"`
	Clock      string           `hcl:"clock"`
	Reset      string           `hcl:"reset"`
	Low        bool             `hcl:"low,optional"` // the reset is active while it is 0
}

// Public returns the descriptions that the project ships.
func Public() ([]Description, error) {
	text, err := shipped.ReadFile("public.hcl")
	if err != nil {
		return nil, err
	}
	return parse("public.hcl", text)
}

func parse(name string, text []byte) ([]Description, error) {
	var file struct {
		Designs []Description `hcl:"design,block"`
	}
	if err := hclfile.Decode(name, text, &file); err != nil {
		return nil, err
	}
	return file.Designs, nil
}

// options returns the options of the import. The files are in the folder dir; the bench is written
// to the folder scratch.
func (d Description) options(dir, scratch string) (fromverilog.Options, error) {
	o := fromverilog.Options{Top: d.Name}
	for _, name := range d.Files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Stat(file); err != nil {
			return o, fmt.Errorf("%w; %s has it", err, d.Source)
		}
		o.Files = append(o.Files, file)
	}
	if d.Bench != "" {
		text, err := shipped.ReadFile(d.Bench)
		if err != nil {
			return o, err
		}
		file := filepath.Join(scratch, d.Bench)
		if err := outfile.Scratch(file, text); err != nil {
			return o, err
		}
		o.Files = append(o.Files, file)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Parameters)) {
		o.Params = append(o.Params, ir.Param{Name: name, Number: d.Parameters[name]})
	}
	return o, nil
}
