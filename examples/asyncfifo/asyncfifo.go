// Package asyncfifo is an asynchronous FIFO: a queue between two clock domains whose positions
// cross as Gray codes. hw/lib/cdc provides such a queue as a function.
package asyncfifo

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/cdc"
)

// FIFO is a queue of Depth words. Depth is a power of two.
type FIFO struct{ Width, Depth int }

// Ports are the ports of a FIFO. Each side sees the actions of the other side late. Room and Level
// are therefore lower bounds.
type Ports struct {
	Write hw.Clock           `hw:"in,name=wr_clk,reset=wr_rst_n,low,async"`
	Read  hw.Clock           `hw:"in,name=rd_clk,reset=rd_rst_n,low,async"`
	Push  hw.Stream[hw.Bits] `hw:"in,Width,clock=Write"`
	Pop   hw.Stream[hw.Bits] `hw:"out,Width,clock=Read"`
	Room  hw.Bits            `hw:"out,CountBits,clock=Write" doc:"words that can be written"`
	Level hw.Bits            `hw:"out,CountBits,clock=Read" doc:"words that can be read"`
}

// CountBits returns the width of Room and Level.
func (p FIFO) CountBits() int { return hw.CountWidth(p.Depth) }

// Build describes the queue. Positions have one bit more than addresses; it distinguishes a full
// queue from an empty one.
func (p FIFO) Build(m *hw.Module) Ports {
	io := hw.Ports[Ports](m)
	if p.Depth < 2 || p.Depth&(p.Depth-1) != 0 {
		m.Errorf("depth is %d; expected a power of two of at least 2", p.Depth)
		return io
	}
	width := p.CountBits()
	var words hw.Mem[hw.Bits]
	var tail, head, next hw.Bits
	m.Clocked(io.Write, func() {
		words, tail = m.Mem("words", p.Depth, p.Width), m.Reg("tail", width, 0)
		m.When(io.Push.Fire(), func() {
			words.Write(tail.Trunc(width-1), io.Push.Data)
			tail.Set(tail.Inc())
		})
	})
	m.Clocked(io.Read, func() {
		head = m.Reg("head", width, 0)
		next = head.Add(io.Pop.Fire().Ext(width)).As("next")
		head.Set(next)
	})
	written := cdc.Gray(m, "written", io.Write, io.Read, tail)
	taken := cdc.Gray(m, "taken", io.Read, io.Write, head)
	io.Room.Set(hw.Lit(width, uint64(p.Depth)).Sub(tail.Sub(taken)))
	io.Push.Ready.Set(io.Room.Any())
	m.Clocked(io.Read, func() {
		// The word at next is two cycles old when level counts it.
		io.Pop.Data.Set(m.Crossing("word", io.Read, hw.CrossHeld, words.Read(next.Trunc(width-1))))
		level := m.Reg("known", width, 0)
		level.Set(written.Sub(next))
		io.Level.Set(level)
		io.Pop.Valid.Set(level.Any())
	})
	return io
}
