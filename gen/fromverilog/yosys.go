package fromverilog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Options describes the Verilog.
type Options struct {
	Top    string
	Files  []string
	Params []ir.Param        // of the top module
	Note   func(text string) // receives remarks, if not nil
}

// Import reads the module Top of the files and everything that it instantiates.
func Import(ctx context.Context, o Options) (*Imported, error) {
	n, err := elaborate(ctx, o)
	if err != nil {
		return nil, err
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	im := &importer{modules: map[string]*module{}, list: n, note: o.Note}
	d, err := im.design(o.Top)
	if err != nil {
		return nil, err
	}
	return &Imported{d, o, im.originals()}, nil
}

// plainName matches a name that a script of Yosys takes as it is.
var plainName = regexp.MustCompile(`^[A-Za-z_][\w$]*$`)

// elaborate runs Yosys on the files. The passes keep hierarchy, names and unread registers.
func elaborate(ctx context.Context, o Options) (*eda.Netlist, error) {
	if len(o.Files) == 0 || o.Top == "" {
		return nil, errors.New("fromverilog: no top module or no files")
	}
	if !plainName.MatchString(o.Top) {
		return nil, fmt.Errorf("fromverilog: top module %q: expected letters, digits, _ and $", o.Top)
	}
	dir, err := os.MkdirTemp("", "hotline-import")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var script strings.Builder
	var reads []string
	for _, f := range o.Files {
		if strings.ContainsAny(f, "\"\n\\") {
			return nil, fmt.Errorf("file name %q: expected one without quotes, backslashes and line breaks", f)
		}
		option := ""
		if filepath.Ext(f) == ".sv" {
			option = "-sv "
		}
		reads = append(reads, fmt.Sprintf("read_verilog %s\"%s\"", option, f))
	}
	hierarchy := "hierarchy -check -top " + o.Top
	for _, p := range o.Params {
		if !plainName.MatchString(p.Name) {
			return nil, fmt.Errorf("fromverilog: parameter %q: expected letters, digits, _ and $", p.Name)
		}
		hierarchy += fmt.Sprintf(" -chparam %s %s", p.Name, p.Verilog())
	}
	out := filepath.Join(dir, "netlist.json")
	fmt.Fprintf(&script, "%s\n%s\nproc\ntribuf\nopt_reduce\ndffunmap\nmemory_collect\nwrite_json %s\n", strings.Join(reads, "\n"), hierarchy, out)
	file := filepath.Join(dir, "script.ys")
	if err := outfile.Scratch(file, []byte(script.String())); err != nil {
		return nil, err
	}
	if _, err := eda.Run(ctx, "", "yosys", "-q", "-s", file); err != nil {
		return nil, err
	}
	for i, f := range o.Files {
		if err := refuseDelays(ctx, reads[i], f); err != nil {
			return nil, err
		}
	}
	return eda.Read(out)
}
