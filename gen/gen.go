package gen

import (
	"bytes"
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
	// List is the name of the file list, such as hotline.f.
	List string
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

// Render makes the files of d: the modules, callees first, then the file list
// and the manifest.
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
	manifest, err := encode(newManifest(d, sources, opt))
	if err != nil {
		return nil, fmt.Errorf("gen: parameters of the manifest: %w", err)
	}
	return append(files, File{opt.List, []byte(list.String())}, File{ManifestName, manifest}), nil
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
