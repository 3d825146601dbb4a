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

// Load reads a configuration file. It may have blocks of other training systems than those
// of this project.
func Load(file string, own ...registry.Description) (*Config, error) {
	text, err := hclfile.Read(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, text, own...)
}

// Source is the text of a configuration file, and its name; without a name, that of
// the embedded default.
func Source(file string) (name string, text []byte, err error) {
	if file == "" {
		text, err = shipped.ReadFile("small.hcl")
		return "small.hcl", text, err
	}
	text, err = hclfile.Read(file)
	return file, text, err
}

// Parse reads a configuration; file is its name in errors. The error lists mistakes
// as package hclfile does. Other training systems are as in Load.
func Parse(file string, text []byte, own ...registry.Description) (*Config, error) {
	f, err := hclfile.Parse(file, text)
	if err != nil {
		return nil, err
	}
	l, s := link.DefaultConfig(), link.DefaultStraps()
	c := &Config{Link: &l, Straps: &s, Data: &Data{}, places: newPlaces(file, f.Body)}
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
