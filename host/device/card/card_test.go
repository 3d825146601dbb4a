package card_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/card"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/sim/interp"
)

const good = "title = \"x\"\nclock_mhz = 100\nvendor = \"12ab\"\ndevice = \"0001\"\nclass = \"120000\"\n"

func TestParse(t *testing.T) {
	d, err := card.Parse("c.hcl", []byte(good+"bar_kib = 1024\nrevision = \"7f\"\n"))
	require.NoError(t, err)
	require.Equal(t, "x", d.Title)
	require.Equal(t, des.Period(100e6), d.Period)
	e := d.Endpoint
	require.Equal(t, "12ab 0001 120000 7f", fmt.Sprintf("%04x %04x %06x %02x", e.Identity.Vendor, e.Identity.Device, e.Identity.Class, e.Identity.Revision))
	require.EqualValues(t, []uint64{1 << 20, 1 << 19}, []uint64{e.BAR.Size, e.MSIXOffset})
}

func TestMistakes(t *testing.T) {
	for edit, want := range map[string]string{
		`"12ab"|"12g4"`:                  `c.hcl:3: vendor is "12g4"; expected 4 hexadecimal digits`,
		`"0001"|"1"`:                     `c.hcl:4: device is "1"; expected 4 hexadecimal digits`,
		`"120000"|"0x120000"`:            `c.hcl:5: class is "0x120000"; expected 6 hexadecimal digits`,
		`= 100|= 0`:                      `c.hcl:2: clock_mhz is 0; expected 1 to 2000`,
		`title|bar_kib = 3 title`:        `c.hcl:1`,
		"\nvendor|\nbar_kib = 4\nvendor": `c.hcl:3: bar_kib is 4; expected a power of two from 8 to 32768`,
		`title|tilte`:                    `c.hcl:1`,
	} {
		old, with, _ := strings.Cut(edit, "|")
		_, err := card.Parse("c.hcl", []byte(strings.Replace(good, old, with, 1)))
		require.ErrorContains(t, err, want)
	}
	_, err := card.Load("none.hcl")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// wrong is a design with few ports of a card.
type wrong struct{}

type wrongPorts struct {
	Request hw.Bits `hw:"in,name=irq_req"`
	Ack     hw.Bits `hw:"in,name=irq_ack"`
	Data    hw.Bits `hw:"in,32,name=s_axis_read_data_tdata"`
	Addr    hw.Bits `hw:"out,3,name=s_axil_wdata"`
	Beat    hw.Bits `hw:"in,16,name=s_axil_wstrb"`
}

func (wrong) Build(m *hw.Module) wrongPorts {
	io := hw.Ports[wrongPorts](m)
	io.Addr.Set(hw.K(1))
	m.Unused(io.Request, io.Ack, io.Data, io.Beat)
	return io
}

// TestBoundary: a design with other ports than a card's is an error that lists the differences. The
// accelerator is a card.
func TestBoundary(t *testing.T) {
	description, err := card.Parse("c.hcl", []byte(good))
	require.NoError(t, err)
	bad, err := hw.Elaborate(wrong{})
	require.NoError(t, err)
	s, err := interp.New(bad)
	require.NoError(t, err)
	_, err = description.New(des.NewKernel(), s, description.Endpoint)
	for _, want := range []string{
		"the design has no input s_axil_awvalid\n", "\ndocs/how-to/own-card.md lists the ports of a card",
		"irq_req is an input; expected an output",
		"s_axil_wdata is an output; expected an input",
		"s_axil_wstrb has 16 bits; expected 4",
		"s_axis_read_data_tdata has 32 bits; expected a multiple of 64 up to 512",
	} {
		require.ErrorContains(t, err, want)
	}
	require.NotContains(t, err.Error(), "irq_ack")

	hotline, err := hw.Elaborate(top.Hotline{Params: arch.Small()})
	require.NoError(t, err)
	s, err = interp.New(hotline)
	require.NoError(t, err)
	_, err = description.New(des.NewKernel(), s, description.Endpoint)
	require.NoError(t, err)
}

// TestDocument: docs/how-to/own-card.md lists the ports of a card, and contains the description of the
// example.
func TestDocument(t *testing.T) {
	page, err := os.ReadFile("../../../docs/how-to/own-card.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "| for | prefix | direction | ports, with their bits |\n|---|---|---|---|\n"+card.Table()+"\n", "the table is\n%s", card.Table())
	for file, sentence := range map[string]string{"engine.go": "in %d lines of [package hw]", "driver.go": "a driver in user space in %d,", "linux/copy.c": "is a kernel driver of %d lines"} {
		text, err := os.ReadFile("../../../examples/owncard/" + file)
		require.NoError(t, err)
		require.Contains(t, strings.Join(strings.Fields(string(page)), " "), fmt.Sprintf(sentence, strings.Count(string(text), "\n")))
	}
	example, err := os.ReadFile("../../../examples/owncard/card.hcl")
	require.NoError(t, err)
	require.Contains(t, string(page), "```hcl\n"+string(example)+"```\n")
}
