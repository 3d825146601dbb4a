package gen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// ManifestName is the file that holds the manifest.
const ManifestName = "manifest.json"

// Options choose what is written.
type Options struct {
	// List is the name of the file list, such as hotline.f. The core for FuseSoC and the
	// constraints have it too: hotline.core, hotline.sdc.
	List string
	// Core is the name of the core, vendor:library:name, with _ for what FuseSoC does not
	// take; that of the list by default.
	Core string
	// MHz is the clock that constraints are written for, of a top with one clock; 0 for
	// none.
	MHz int
	// Parameters are what the design was made from, for the manifest; nil for
	// none. It must be something that encoding/json takes.
	Parameters any
	// Verilog chooses what the Verilog shows.
	Verilog verilog.Options
}

// File is a file to write.
type File struct {
	Name string // without directory
	Data []byte
}

// core is the name of the core.
func (o Options) core() string { return cmp.Or(o.Core, "::"+o.name("")) }

// sdc is the name of the constraints.
func (o Options) sdc() string { return o.name(".sdc") }

// name is that of the list with another end.
func (o Options) name(end string) string { return strings.TrimSuffix(o.List, ".f") + end }

// Render makes the files of d: the modules, callees first, then the file list, the core,
// the constraints and the manifest.
func Render(d *ir.Design, opt Options) ([]File, error) {
	if err := checkList(opt.List); err != nil {
		return nil, err
	}
	sources, err := opt.Verilog.Generate(d)
	if err != nil {
		return nil, err
	}
	var files []File
	var list strings.Builder
	for _, s := range sources {
		files = append(files, File{s.Name, []byte(s.Text)})
		list.WriteString(s.Name + "\n")
	}
	manifest := newManifest(d, sources, opt)
	files = append(files, File{opt.List, []byte(list.String())}, File{manifest.Core, core(manifest.Top, sources, opt)})
	if opt.MHz > 0 {
		sdc, err := constraints(d.Top, opt.MHz)
		if err != nil {
			return nil, err
		}
		manifest.Constraints = opt.sdc()
		files = append(files, File{manifest.Constraints, sdc})
	}
	text, err := encode(manifest)
	if err != nil {
		return nil, fmt.Errorf("gen: parameters of the manifest: %w", err)
	}
	return append(files, File{ManifestName, text}), nil
}

func checkList(name string) error {
	if !strings.HasSuffix(name, ".f") || strings.ContainsAny(name, `/\`) || name == ".f" {
		return fmt.Errorf("gen: the file list is called %q, want a name that ends in .f, without directory", name)
	}
	return nil
}

func encode(m Manifest) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(m)
	return b.Bytes(), err
}
