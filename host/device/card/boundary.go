package card

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/sim"
)

// pin is a port of a design's boundary.
type pin struct {
	name  string
	input bool
	width int // in bits; 0: any
	of    int // the width is a multiple of this, up to most
	most  int
}

// group is ports of one direction with a common prefix.
type group struct {
	prefix string
	input  bool
	names  []pin
}

// one returns pins of one bit.
func one(names ...string) (list []pin) {
	for _, n := range names {
		list = append(list, pin{name: n, width: 1})
	}
	return list
}

// registers are the ports for register accesses: AXI4-Lite.
var registers = []group{
	{"s_axil_", true, append(one("awvalid", "wvalid", "bready", "arvalid", "rready"), pin{name: "awaddr"}, pin{name: "wdata", width: 32}, pin{name: "wstrb", width: 4}, pin{name: "araddr"})},
	{"s_axil_", false, append(one("awready", "wready", "bvalid", "arready", "rvalid"), pin{name: "bresp", width: 2}, pin{name: "rdata", width: 32}, pin{name: "rresp", width: 2})},
}

// descriptors are the ports for DMA by descriptors.
var descriptors = []group{
	{"m_axis_read_desc_", false, descriptor},
	{"m_axis_read_desc_", true, one("ready")},
	{"s_axis_read_data_", true, append(one("tvalid", "tlast"), pin{name: "tdata", of: 64, most: 512}, pin{name: "tkeep", of: 8, most: 64}, pin{name: "tid"})},
	{"s_axis_read_data_", false, one("tready")},
	{"s_axis_read_desc_status_", true, ending},
	{"m_axis_write_desc_", false, descriptor},
	{"m_axis_write_desc_", true, one("ready")},
	{"m_axis_write_data_", false, append(one("tvalid", "tlast"), pin{name: "tdata", of: 64, most: 512})},
	{"m_axis_write_data_", true, one("tready")},
	{"s_axis_write_desc_status_", true, ending},
}

var (
	descriptor = append(one("valid"), pin{name: "dma_addr"}, pin{name: "len"}, pin{name: "tag"})
	ending     = append(one("valid"), pin{name: "tag"}, pin{name: "error", width: 4})
)

// axi4 are the ports for DMA by an AXI4 master.
var axi4 = []group{
	{"m_axi_", false, slices.Concat(
		one("arvalid", "rready"), burst("ar"), one("awvalid", "wvalid", "wlast", "bready"), burst("aw"), []pin{{name: "wdata", of: 32, most: 512}, {name: "wstrb", of: 4, most: 64}})},
	{"m_axi_", true, append(one("arready", "rvalid", "rlast", "awready", "wready", "bvalid"),
		pin{name: "rdata", of: 32, most: 512}, pin{name: "rid"}, pin{name: "rresp", width: 2}, pin{name: "bid"}, pin{name: "bresp", width: 2})},
}

// burst returns the pins of an address channel.
func burst(channel string) []pin {
	return []pin{{name: channel + "addr"}, {name: channel + "id"}, {name: channel + "len"}, {name: channel + "size", width: 3}, {name: channel + "burst", width: 2}}
}

// requests are the ports for interrupts with an acknowledgement.
var requests = []group{{"irq_", false, one("req")}, {"irq_", true, one("ack")}}

// boundary returns the ports that the design of a card must have.
func (d *Description) boundary() []group {
	list := slices.Clone(registers)
	if d.Boundary.AXI4 {
		list = append(list, axi4...)
	} else {
		list = append(list, descriptors...)
	}
	if name := d.Boundary.Interrupt; name != "" {
		list = append(list, group{"", false, []pin{{name: name}}})
	} else {
		list = append(list, requests...)
	}
	if name := d.Boundary.Reset; name != "" {
		list = append(list, group{"", true, one(name)})
	}
	return list
}

// check returns an error that lists the ports of the boundary that a design lacks, or has with
// another direction or width.
func (d *Description) check(s sim.Simulator) error {
	var errs []error
	for _, g := range d.boundary() {
		for _, p := range g.names {
			p.name, p.input = g.prefix+p.name, g.input
			if mistake := p.mistake(s.Ports()); mistake != "" {
				errs = append(errs, fmt.Errorf("card: %s", mistake))
			}
		}
	}
	if len(errs) > 0 {
		errs = append(errs, errors.New("docs/how-to/own-card.md lists the ports of a card"))
	}
	return errors.Join(errs...)
}

// mistake describes the difference between the pin and the port with its name, or is empty.
func (p pin) mistake(ports []sim.Port) string {
	i := slices.IndexFunc(ports, func(x sim.Port) bool { return x.Name == p.name })
	if i < 0 {
		return fmt.Sprintf("the design has no %s %s", direction(p.input), p.name)
	}
	switch width := ports[i].Type.Bits(); {
	case ports[i].Input != p.input:
		return fmt.Sprintf("%s is an %s; expected an %s", p.name, direction(ports[i].Input), direction(p.input))
	case p.width > 0 && width != p.width:
		return fmt.Sprintf("%s has %d bits; expected %d", p.name, width, p.width)
	case p.of > 0 && (width%p.of != 0 || width > p.most):
		return fmt.Sprintf("%s has %d bits; expected a multiple of %d up to %d", p.name, width, p.of, p.most)
	}
	return ""
}

func direction(input bool) string {
	if input {
		return "input"
	}
	return "output"
}
