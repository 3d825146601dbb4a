package machine

import (
	"embed"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/hotline-rtl/hotline/host/ui/hclfile"
	"github.com/hotline-rtl/hotline/hw/limits"
)

//go:embed machines/*.hcl
var machines embed.FS

// file is a machine in HCL.
type file struct {
	Title         string     `hcl:"title" doc:"name in reports"`
	GPUs          int        `hcl:"gpus" doc:"GPUs of a server"`
	GPUMemoryGiB  float64    `hcl:"gpu_memory_gib" unit:"GiB" doc:"memory of a GPU"`
	HostMemoryGiB float64    `hcl:"host_memory_gib" unit:"GiB" doc:"memory of a server"`
	CPUCores      int        `hcl:"cpu_cores" doc:"cores of a server"`
	Constants     []constant `hcl:"constant,block"`
}

type constant struct {
	Name       string    `hcl:"name,label"`
	Value      float64   `hcl:"value" doc:"the constant"`
	Low        float64   `hcl:"low" doc:"lower end of its range"`
	High       float64   `hcl:"high" doc:"upper end of its range"`
	Source     string    `hcl:"source" doc:"where the value is from"`
	Calibrated string    `hcl:"calibrated,optional" doc:"published row to which the value is fitted"`
	At         hcl.Range `hcl:",def_range"`
}

// Limits returns the ranges of the sizes.
func (file) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"gpus": limits.AtLeast(1), "cpu_cores": limits.AtLeast(1), "gpu_memory_gib": limits.Above(0), "host_memory_gib": limits.Above(0),
	}
}

// Limits returns the ranges of a constant's attributes, which check checks.
func (constant) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"value": limits.Described("low to high"), "low": limits.Described("above 0"), "high": limits.Described("at least low"),
	}
}

// Blocks describes the file of a machine.
func Blocks() []hclfile.Block { return hclfile.Blocks(file{}) }

// Described is a constant of every machine.
type Described struct{ Name, Unit, Meaning string }

// Descriptions describes all constants, in the order of Machine's fields.
func Descriptions() (list []Described) {
	t := reflect.TypeFor[Machine]()
	for i := range t.NumField() {
		if tag := t.Field(i).Tag; tag.Get("name") != "" {
			list = append(list, Described{tag.Get("name"), tag.Get("unit"), tag.Get("doc")})
		}
	}
	return list
}

// Names lists the machines that are part of the program.
func Names() []string {
	entries, err := machines.ReadDir("machines")
	if err != nil {
		panic(err) // the files are embedded
	}
	var list []string
	for _, e := range entries {
		list = append(list, strings.TrimSuffix(e.Name(), ".hcl"))
	}
	return list
}

// Source returns the HCL of a machine of [Names].
func Source(name string) ([]byte, error) {
	text, err := machines.ReadFile("machines/" + name + ".hcl")
	if err != nil {
		return nil, fmt.Errorf("there is no machine %q, expected %s or a file that ends with .hcl", name, strings.Join(Names(), ", "))
	}
	return text, nil
}

// Load returns the machine with a name of [Names], or from a file whose name ends with .hcl. Errors
// in the file begin with file and line.
func Load(name string) (*Machine, error) {
	if !strings.HasSuffix(name, ".hcl") {
		return Named(name)
	}
	text, err := hclfile.Read(name)
	if err != nil {
		return nil, err
	}
	return parse(name, text)
}

// Named returns a machine of [Names].
func Named(name string) (*Machine, error) {
	text, err := Source(name)
	if err != nil {
		return nil, err
	}
	return parse(name+".hcl", text)
}

func parse(name string, text []byte) (*Machine, error) {
	var f file
	source, err := hclfile.Parse(name, text)
	if err != nil {
		return nil, err
	}
	if err := source.Decode(&f); err != nil {
		return nil, err
	}
	if err := source.Check(name, f); err != nil {
		return nil, err
	}
	m := &Machine{
		Name: strings.TrimSuffix(path.Base(name), ".hcl"), Title: f.Title,
		GPUs: f.GPUs, GPUMemoryGiB: f.GPUMemoryGiB, HostMemoryGiB: f.HostMemoryGiB, CPUCores: f.CPUCores,
	}
	given := map[string]Constant{}
	for _, c := range f.Constants {
		at := fmt.Sprintf("%s:%d", name, c.At.Start.Line)
		if _, twice := given[c.Name]; twice {
			return nil, fmt.Errorf("%s: constant %q is given twice", at, c.Name)
		}
		field := m.field(c.Name)
		if field == nil {
			return nil, fmt.Errorf("%s: there is no constant %q, expected one of %s", at, c.Name, strings.Join(names(), ", "))
		}
		k := Constant{c.Name, c.Value, c.Low, c.High, c.Source, c.Calibrated}
		if err := k.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		*field, given[c.Name] = c.Value, k
	}
	for _, n := range names() {
		k, ok := given[n]
		if !ok {
			return nil, fmt.Errorf("%s: constant %q is missing", name, n)
		}
		m.constants = append(m.constants, k)
	}
	return m, nil
}

// Default returns v100, the server of the papers.
func Default() *Machine {
	m, err := Named("v100")
	if err != nil {
		panic(err) // the file is embedded
	}
	return m
}

// Constant returns the constant with a name.
func (m *Machine) Constant(name string) (Constant, bool) {
	i := slices.IndexFunc(m.constants, func(c Constant) bool { return c.Name == name })
	if i < 0 {
		return Constant{}, false
	}
	return m.constants[i], true
}
