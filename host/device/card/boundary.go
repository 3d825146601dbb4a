package card

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/sim"
)

// mostWords is the maximum width of a beat in words of 64 bits.
const mostWords = 8

// pin is a port of a design's boundary.
type pin struct {
	name  string
	input bool
	width int // in bits; 0: any
	of    int // the width is a multiple of this, up to mostWords times it
}

// group is ports of one direction with a common prefix.
type group struct {
	prefix string
	input  bool
	names  []pin
}

// boundary lists the ports that a design must have, in groups.
var boundary = []group{
	{"s_axil_", true, []pin{
		{name: "awvalid", width: 1}, {name: "awaddr"}, {name: "wvalid", width: 1}, {name: "wdata", width: 32}, {name: "wstrb", width: 4}, {name: "bready", width: 1},
		{name: "arvalid", width: 1}, {name: "araddr"}, {name: "rready", width: 1},
	}},
	{"s_axil_", false, []pin{
		{name: "awready", width: 1}, {name: "wready", width: 1}, {name: "bvalid", width: 1}, {name: "bresp", width: 2},
		{name: "arready", width: 1}, {name: "rvalid", width: 1}, {name: "rdata", width: 32}, {name: "rresp", width: 2},
	}},
	{"m_axis_read_desc_", false, descriptor},
	{"m_axis_read_desc_", true, []pin{{name: "ready", width: 1}}},
	{"s_axis_read_data_", true, []pin{{name: "tvalid", width: 1}, {name: "tdata", of: 64}, {name: "tkeep", of: 8}, {name: "tid"}, {name: "tlast", width: 1}}},
	{"s_axis_read_data_", false, []pin{{name: "tready", width: 1}}},
	{"s_axis_read_desc_status_", true, ending},
	{"m_axis_write_desc_", false, descriptor},
	{"m_axis_write_desc_", true, []pin{{name: "ready", width: 1}}},
	{"m_axis_write_data_", false, []pin{{name: "tvalid", width: 1}, {name: "tdata", of: 64}, {name: "tlast", width: 1}}},
	{"m_axis_write_data_", true, []pin{{name: "tready", width: 1}}},
	{"s_axis_write_desc_status_", true, ending},
	{"irq_", false, []pin{{name: "req", width: 1}}},
	{"irq_", true, []pin{{name: "ack", width: 1}}},
}

var (
	descriptor = []pin{{name: "valid", width: 1}, {name: "dma_addr"}, {name: "len"}, {name: "tag"}}
	ending     = []pin{{name: "valid", width: 1}, {name: "tag"}, {name: "error", width: 4}}
)

// check returns an error that lists the ports of the boundary that a design lacks, or has with
// another direction or width.
func check(s sim.Simulator) error {
	var errs []error
	for _, g := range boundary {
		for _, p := range g.names {
			p.name, p.input = g.prefix+p.name, g.input
			if mistake := p.mistake(s.Ports()); mistake != "" {
				errs = append(errs, fmt.Errorf("card: %s", mistake))
			}
		}
	}
	return errors.Join(errs...)
}

// mistake describes the difference between the pin and the port with its name, or is empty.
func (p pin) mistake(ports []sim.Port) string {
	i := slices.IndexFunc(ports, func(x sim.Port) bool { return x.Name == p.name })
	if i < 0 {
		return fmt.Sprintf("the design has no %s %s; docs/how-to/own-card.md lists the ports of a card", direction(p.input), p.name)
	}
	switch width := ports[i].Type.Bits(); {
	case ports[i].Input != p.input:
		return fmt.Sprintf("%s is an %s; expected an %s", p.name, direction(ports[i].Input), direction(p.input))
	case p.width > 0 && width != p.width:
		return fmt.Sprintf("%s has %d bits; expected %d", p.name, width, p.width)
	case p.of > 0 && (width%p.of != 0 || width > mostWords*p.of):
		return fmt.Sprintf("%s has %d bits; expected a multiple of %d up to %d", p.name, width, p.of, mostWords*p.of)
	}
	return ""
}

func direction(input bool) string {
	if input {
		return "input"
	}
	return "output"
}
