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

// ManifestName is the file name of the manifest.
const ManifestName = "manifest.json"

// Options select the output.
type Options struct {
	// List is the name of the file list, such as hotline.f. The FuseSoC core and the constraints
	// are named after it: hotline.core, hotline.sdc.
	List string
	// Core is the name of the core, vendor:library:name. Characters that FuseSoC does not allow
	// become _. The default is the name of the list.
	Core string
	// MHz is the clock frequency of the constraints. They require a top module with one clock. If
	// MHz is 0, no constraints are generated.
	MHz int
	// Parameters are the parameters of the design for the manifest, or nil. The value must be
	// supported by encoding/json.
	Parameters any
	// Verilog holds the options of the Verilog text.
	Verilog verilog.Options
}

// File is a generated file.
type File struct {
	Name string // without directory
	Data []byte
}

// core returns the name of the core.
func (o Options) core() string { return cmp.Or(o.Core, "::"+o.name("")) }

// sdc returns the file name of the constraints.
func (o Options) sdc() string { return o.name(".sdc") }

// name returns the name of the list with another extension.
func (o Options) name(end string) string { return strings.TrimSuffix(o.List, ".f") + end }

// Render generates the files of d: the modules, callees first, then the file list, the core, the
// constraints and the manifest.
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
		return fmt.Errorf("gen: the file list is called %q, expected a name that ends in .f, without directory", name)
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
