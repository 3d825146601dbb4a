package card

import (
	"fmt"
	"strconv"

	"github.com/hashicorp/hcl/v2"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/pcie/config"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Description describes a card.
type Description struct {
	Title    string
	Period   des.Time // of the clock
	Endpoint link.EndpointConfig
	Boundary cycle.Boundary
}

// dma is how a design reads and writes memory.
type dma string

const (
	byDescriptors dma = "descriptors"
	byAXI4        dma = "axi4"
)

// level is the active level of a reset.
type level string

const (
	low  level = "low"
	high level = "high"
)

// file is the HCL form of a description.
type file struct {
	Title      string `hcl:"title" doc:"name in messages"`
	ClockMHz   int    `hcl:"clock_mhz" unit:"MHz" doc:"clock of the design"`
	Vendor     string `hcl:"vendor" doc:"PCI vendor ID, 4 hexadecimal digits"`
	Device     string `hcl:"device" doc:"PCI device ID, 4 hexadecimal digits"`
	Class      string `hcl:"class" doc:"PCI class code, 6 hexadecimal digits"`
	Revision   string `hcl:"revision,optional" doc:"PCI revision ID, 2 hexadecimal digits"`
	BARKiB     int    `hcl:"bar_kib,optional" unit:"KiB" doc:"size of BAR 0; the upper half has the MSI-X structures"`
	DMA        dma    `hcl:"dma,optional" doc:"how the design reads and writes memory: descriptor streams, or an AXI4 master"`
	Interrupt  string `hcl:"interrupt,optional" doc:"output whose rising edges are interrupts, a bit for each vector; otherwise irq_req and irq_ack"`
	Reset      string `hcl:"reset,optional" doc:"input that resets the design, besides the reset of a design in package hw"`
	ResetLevel level  `hcl:"reset_level,optional" doc:"active level of reset"`

	VendorAt   hcl.Range `hcl:"vendor,attr_range"`
	DeviceAt   hcl.Range `hcl:"device,attr_range"`
	ClassAt    hcl.Range `hcl:"class,attr_range"`
	RevisionAt hcl.Range `hcl:"revision,attr_range"`
	ClockAt    hcl.Range `hcl:"clock_mhz,attr_range"`
	BARAt      hcl.Range `hcl:"bar_kib,attr_range"`
	DMAAt      hcl.Range `hcl:"dma,attr_range"`
	LevelAt    hcl.Range `hcl:"reset_level,attr_range"`
}

// Limits returns the ranges of the attributes.
func (file) Limits() map[string]limits.Range {
	return map[string]limits.Range{"clock_mhz": limits.Between(1, 2000), "bar_kib": limits.PowerOfTwo(8, 1<<15), "dma": limits.OneOf(byDescriptors, byAXI4), "reset_level": limits.OneOf(low, high)}
}

// defaults returns a file with the default values.
func defaults() file { return file{Revision: "00", BARKiB: 64, DMA: byDescriptors, ResetLevel: high} }

// Blocks describes the file of a description.
func Blocks() []hclfile.Block { return hclfile.Blocks(defaults()) }

// Load reads a description from a file.
func Load(name string) (*Description, error) {
	text, err := hclfile.Read(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, text)
}

// Parse parses a description. It uses name as the file name in errors. Errors about an attribute
// begin with file and line.
func Parse(name string, text []byte) (*Description, error) {
	f := defaults()
	if err := hclfile.Decode(name, text, &f); err != nil {
		return nil, err
	}
	var errs []error
	at := map[string]hcl.Range{"clock_mhz": f.ClockAt, "bar_kib": f.BARAt, "dma": f.DMAAt, "reset_level": f.LevelAt}
	for _, m := range limits.Check(f) {
		errs = append(errs, fmt.Errorf("%s:%d: %w", name, at[m.Attribute].Start.Line, m))
	}
	number := func(attribute, text string, digits int, at hcl.Range) uint64 {
		v, err := strconv.ParseUint(text, 16, 64)
		if err != nil || len(text) != digits {
			errs = append(errs, fmt.Errorf("%s:%d: %s is %q; expected %d hexadecimal digits", name, at.Start.Line, attribute, text, digits))
		}
		return v
	}
	e := link.DefaultEndpointConfig()
	e.Identity = config.Identity{
		Vendor: uint16(number("vendor", f.Vendor, 4, f.VendorAt)), Device: uint16(number("device", f.Device, 4, f.DeviceAt)),
		Class: uint32(number("class", f.Class, 6, f.ClassAt)), Revision: uint8(number("revision", f.Revision, 2, f.RevisionAt)),
	}
	if err := format.Mistakes(errs...); err != nil {
		return nil, err
	}
	e.BAR = link.Window{Base: e.BAR.Base, Size: uint64(f.BARKiB) << 10}
	e.BAR.Base = e.BAR.Base / e.BAR.Size * e.BAR.Size
	e.MSIXOffset = e.BAR.Size / 2
	return &Description{
		Title: f.Title, Period: des.Period(float64(f.ClockMHz) * 1e6), Endpoint: e,
		Boundary: cycle.Boundary{AXI4: f.DMA == byAXI4, Interrupt: f.Interrupt, Reset: f.Reset, ResetLevel: f.ResetLevel == high},
	}, e.Check()
}
