package machine

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

//go:embed machines/*.hcl
var machines embed.FS

// file is a machine in HCL.
type file struct {
	Title         string     `hcl:"title"`
	GPUs          int        `hcl:"gpus"`
	GPUMemoryGiB  float64    `hcl:"gpu_memory_gib"`
	HostMemoryGiB float64    `hcl:"host_memory_gib"`
	CPUCores      int        `hcl:"cpu_cores"`
	Constants     []constant `hcl:"constant,block"`
}

type constant struct {
	Name       string    `hcl:"name,label"`
	Value      float64   `hcl:"value"`
	Low        float64   `hcl:"low"`
	High       float64   `hcl:"high"`
	Source     string    `hcl:"source"`
	Calibrated string    `hcl:"calibrated,optional"`
	At         hcl.Range `hcl:",def_range"`
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
	if err := hclfile.Decode(name, text, &f); err != nil {
		return nil, err
	}
	m := &Machine{
		Name: strings.TrimSuffix(path.Base(name), ".hcl"), Title: f.Title,
		GPUs: f.GPUs, GPUMemoryGiB: f.GPUMemoryGiB, HostMemoryGiB: f.HostMemoryGiB, CPUCores: f.CPUCores,
	}
	if f.GPUs < 1 || f.CPUCores < 1 || !(f.GPUMemoryGiB > 0) || !(f.HostMemoryGiB > 0) {
		return nil, fmt.Errorf("%s: gpus, cpu_cores, gpu_memory_gib and host_memory_gib must be above 0", name)
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
