// Package foreign uses a vendor's external Verilog module in a design: the accumulator MAC.
package foreign

import (
	_ "embed"

	"github.com/hotline-rtl/hotline/hw"
)

//go:embed MAC.v
var source string

// MAC is the Verilog module of the same name. It accumulates products of numbers of Width bits.
type MAC struct {
	Width int
	Stay  bool // saturate at the maximum instead of wrapping around
}

// MACPorts are the ports of MAC, with their Verilog names.
type MACPorts struct {
	Enable  hw.Bits `hw:"in,name=EN"`
	A       hw.Bits `hw:"in,Width,name=A"`
	B       hw.Bits `hw:"in,Width,name=B"`
	Product hw.Bits `hw:"out,Sums,name=P"`
	Sum     hw.Bits `hw:"out,Sums,name=SUM"`
}

// Sums returns the width of sums.
func (p MAC) Sums() int { return 2 * p.Width }

// Build says what the Verilog module is.
func (p MAC) Build(m *hw.Module) MACPorts {
	overflow := "WRAP"
	if p.Stay {
		overflow = "STAY"
	}
	x := m.Extern("MAC").Source("MAC.v", source).Param("WIDTH", p.Width).Param("OVERFLOW", overflow)
	io := hw.Ports[MACPorts](m)
	x.Clock("CLK", "RST")
	x.Path(io.Product, io.A, io.B) // within the cycle; Sum comes from a register
	hw.Behave(x, func() hw.Model[MACPorts] { return &mac{MAC: p} })
	return io
}

// mac is the model of a MAC.
type mac struct {
	MAC
	sum uint64
}

// Eval implements hw.Model.
func (s *mac) Eval(io MACPorts) {
	io.Product.Poke(io.A.Peek() * io.B.Peek())
	io.Sum.Poke(s.sum)
}

// Step implements hw.Model.
func (s *mac) Step(io MACPorts, reset bool) {
	greatest := uint64(1)<<s.Sums() - 1
	switch sum := s.sum + io.A.Peek()*io.B.Peek(); {
	case reset:
		s.sum = 0
	case io.Enable.Peek() == 0:
	case s.Stay && sum > greatest:
		s.sum = greatest
	default:
		s.sum = sum & greatest
	}
}

// Dot has a MAC per lane and outputs the maximum of all products.
type Dot struct{ Lanes, Width int }

// DotPorts are the ports of Dot.
type DotPorts struct {
	Enable   hw.Bits `hw:"in"`
	A        hw.Vec  `hw:"in,Width,len=Lanes"`
	B        hw.Vec  `hw:"in,Width,len=Lanes"`
	Greatest hw.Bits `hw:"out,Products" doc:"of the products of this cycle"`
	Sums     hw.Vec  `hw:"out,Products,len=Lanes"`
}

// Products returns the width of products and of their sums.
func (p Dot) Products() int { return 2 * p.Width }

// Build describes the design.
func (p Dot) Build(m *hw.Module) DotPorts {
	m.Doc("sums of products, one for each lane.")
	io := hw.Ports[DotPorts](m)
	products := m.WireVec("products", p.Lanes, p.Products())
	m.For("lane", p.Lanes, func(i hw.Index) {
		mac := hw.Inst(m, "mac", MAC{Width: p.Width, Stay: true})
		mac.Enable.Set(io.Enable)
		mac.A.Set(io.A.At(i))
		mac.B.Set(io.B.At(i))
		products.At(i).Set(mac.Product)
		io.Sums.At(i).Set(mac.Sum)
	})
	greatest := products.At(hw.At(0))
	for k := 1; k < p.Lanes; k++ {
		x := products.At(hw.At(k))
		greatest = hw.Mux(greatest.Lt(x), x, greatest)
	}
	io.Greatest.Set(greatest)
	return io
}
