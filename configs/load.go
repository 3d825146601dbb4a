package configs

import (
	"embed"
	"path"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

//go:embed small.hcl paper.hcl
var shipped embed.FS

// Small returns the embedded default configuration.
func Small() *Config { return mustShipped("small.hcl") }

// Paper returns the embedded configuration at the scale of the paper.
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

// Load reads a configuration file. own describes further training systems whose blocks the file
// may contain.
func Load(file string, own ...registry.Description) (*Config, error) {
	text, err := hclfile.Read(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, text, own...)
}

// Source returns the name and the text of a configuration file, or of the embedded default if file
// is "".
func Source(file string) (name string, text []byte, err error) {
	if file == "" {
		text, err = shipped.ReadFile("small.hcl")
		return "small.hcl", text, err
	}
	text, err = hclfile.Read(file)
	return file, text, err
}

// Parse parses a configuration. file is the name used in errors, which list mistakes as package
// hclfile does. own is as in Load.
func Parse(file string, text []byte, own ...registry.Description) (*Config, error) {
	f, err := hclfile.Parse(file, text)
	if err != nil {
		return nil, err
	}
	places := newPlaces(file, f.Body)
	if err := inherit(f, &places); err != nil {
		return nil, err
	}
	t, l, s := defaultTraining(), link.DefaultConfig(), link.DefaultStraps()
	c := &Config{Training: &t, Link: &l, Straps: &s, Data: &Data{}, places: places}
	systems := blocks(own)
	if err := c.decode(f, systems); err != nil {
		return nil, err
	}
	c.Name = strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".hcl")
	if err := c.check(systems); err != nil {
		return nil, err
	}
	return c, nil
}
