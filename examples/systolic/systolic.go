// Package systolic multiplies matrices in an array of cells. Each cell passes its factors on to
// its neighbours.
package systolic

import (
	"strconv"

	"github.com/hotline-rtl/hotline/hw"
)

// Array multiplies matrices of N x N numbers of Width bits.
type Array struct{ N, Width int }

// Cells returns the number of cells.
func (p Array) Cells() int { return p.N * p.N }

// SumWidth returns a width that is sufficient for the sum of N products.
func (p Array) SumWidth() int { return 2*p.Width + hw.IndexWidth(p.N) }

// Ports are the ports of Array. Row i of the left matrix is delayed by i cycles, and column j of
// the top matrix by j cycles. Matching factors therefore meet.
type Ports struct {
	Clear hw.Bits           `hw:"in" doc:"begins a product"`
	Left  hw.Array[hw.Bits] `hw:"in,len=N,Width"`
	Top   hw.Array[hw.Bits] `hw:"in,len=N,Width"`
	Sums  hw.Array[hw.Bits] `hw:"out,len=Cells,SumWidth" doc:"row by row"`
}

// Build describes the array.
func (p Array) Build(m *hw.Module) Ports {
	m.Doc("Systolic array: a matrix product, whose sums stay where they are.")
	io := hw.Ports[Ports](m)
	cells := make([][]CellPorts, p.N)
	for i := range p.N {
		cells[i] = make([]CellPorts, p.N)
		for j := range p.N {
			from := Factors{Left: io.Left.N(i), Top: io.Top.N(j)}
			if j > 0 {
				from.Left = cells[i][j-1].Next.Left
			}
			if i > 0 {
				from.Top = cells[i-1][j].Next.Top
			}
			cells[i][j] = p.cell(m, io, i*p.N+j, from)
			if j == p.N-1 {
				m.Unused(cells[i][j].Next.Left)
			}
			if i == p.N-1 {
				m.Unused(cells[i][j].Next.Top)
			}
		}
	}
	return io
}

func (p Array) cell(m *hw.Module, io Ports, number int, from Factors) CellPorts {
	c := hw.Inst(m, "cell"+strconv.Itoa(number), Cell{p.Width, p.SumWidth()})
	hw.Set(c.From, from)
	c.Clear.Set(io.Clear)
	io.Sums.N(number).Set(c.Sum)
	return c
}

// Cell accumulates products of numbers of Width bits.
type Cell struct{ Width, SumWidth int }

// Factors are the operands of a cell.
type Factors struct {
	Left, Top hw.Bits `hw:"Width"`
}

// CellPorts are the ports of Cell.
type CellPorts struct {
	Clear hw.Bits `hw:"in"`
	From  Factors `hw:"in"`
	Next  Factors `hw:"out" doc:"a cycle later"`
	Sum   hw.Bits `hw:"out,SumWidth"`
}

// Build describes the cell.
func (p Cell) Build(m *hw.Module) CellPorts {
	io := hw.Ports[CellPorts](m)
	held, sum := hw.Reg[Factors](m, "held"), m.Reg("total", p.SumWidth, 0)
	hw.Set(held, io.From)
	hw.Set(io.Next, held)
	io.Sum.Set(sum)
	product := io.From.Left.Ext(p.SumWidth).Mul(io.From.Top.Ext(p.SumWidth))
	sum.Set(hw.Mux(io.Clear, hw.K(0), sum.Add(product)))
	return io
}
