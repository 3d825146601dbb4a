package cycle

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/sim"
)

// dma is the part of the boundary through which the design reads and writes memory.
type dma interface {
	busy() bool
	present()
	sample(c *Card)
	// forget drops all transactions.
	forget()
	// state describes open transactions for people, or is empty.
	state() string
	readData(id uint32, data []byte)
	readDone(id uint32, e link.Error)
	writeDone(id uint32, e link.Error)
}

func (b Boundary) dma(w *sim.Wires) dma {
	if b.AXI4 {
		return &axi{newAXIReads(w), newAXIWrites(w)}
	}
	return &descriptors{newReads(w), newWrites(w)}
}

// ReadData implements link.Core.
func (c *Card) ReadData(id uint32, _ int, data []byte, _ bool) {
	c.dma.readData(id, data)
	c.wake()
}

// ReadDone implements link.Core.
func (c *Card) ReadDone(id uint32, e link.Error) {
	c.dma.readDone(id, e)
	c.wake()
}

// WriteDone implements link.Core.
func (c *Card) WriteDone(id uint32, e link.Error) {
	c.dma.writeDone(id, e)
	c.wake()
}

// descriptors is DMA by descriptors, as in verilog-pcie.
type descriptors struct {
	reads  reads
	writes writes
}

func (d *descriptors) busy() bool { return d.reads.busy() || d.writes.busy() }

func (d *descriptors) present() {
	d.reads.present()
	d.writes.present()
}

func (d *descriptors) sample(c *Card) {
	d.reads.sample(c)
	d.writes.sample(c)
}

func (d *descriptors) forget() {
	d.reads.forget()
	d.writes.forget()
}

func (d *descriptors) state() string {
	if r, w := len(d.reads.open), d.writes.inFlight; r > 0 || w > 0 {
		return fmt.Sprintf("%d read and %d write descriptors open", r, w)
	}
	return ""
}

func (d *descriptors) readData(id uint32, data []byte)   { d.reads.take(id, data) }
func (d *descriptors) readDone(id uint32, e link.Error)  { d.reads.done(id, e) }
func (d *descriptors) writeDone(id uint32, e link.Error) { d.writes.done(id, e) }
