package machine

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Replace returns the machine with other constants, which include their ranges and sources. It
// panics if a constant is invalid.
func (m *Machine) Replace(constants ...Constant) *Machine {
	c := *m
	c.constants = m.Constants()
	for _, k := range constants {
		i := slices.IndexFunc(c.constants, func(x Constant) bool { return x.Name == k.Name })
		if i < 0 {
			panic(fmt.Sprintf("machine: %s has no constant %q", m.Name, k.Name))
		}
		if err := k.check(); err != nil {
			panic("machine: " + err.Error())
		}
		c.constants[i], *c.field(k.Name) = k, k.Value
	}
	return &c
}

// HCL returns the file of the machine, for [Load].
func (m *Machine) HCL() []byte {
	f := hclwrite.NewEmptyFile()
	gohcl.EncodeIntoBody(file{Title: m.Title, GPUs: m.GPUs, GPUMemoryGiB: m.GPUMemoryGiB, HostMemoryGiB: m.HostMemoryGiB, CPUCores: m.CPUCores}, f.Body())
	for _, k := range m.constants {
		f.Body().AppendNewline()
		b := gohcl.EncodeAsBlock(constant{Name: k.Name, Value: k.Value, Low: k.Low, High: k.High, Source: k.Source, Calibrated: k.Calibrated}, "constant")
		if k.Calibrated == "" {
			b.Body().RemoveAttribute("calibrated")
		}
		f.Body().AppendBlock(b)
	}
	return f.Bytes()
}
