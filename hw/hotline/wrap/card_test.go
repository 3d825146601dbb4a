package wrap

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// far is the environment of a top. Give drives inputs before a cycle, and Take processes outputs
// after it.
type far interface {
	Give()
	Take() error
}

// card is a top with its environment in plain Go, as seen by a driver. It implements driver.Device.
// The memory behind the top is a boundary for the accelerator itself, a busModel for AXI4, a
// pcieModel for verilog-pcie, or an xdmaModel.
type card struct {
	*bench.Bench
	Far    far
	Memory dma.Pages
	Look   []func() error // called in each cycle, see bench.Bench.Cycle

	// Interrupted reports before a cycle whether an interrupt has arrived, and consumes it.
	Interrupted func() bool
	// Serviced, unless nil, is called when the driver takes completions or resets the card.
	Serviced func()

	allocated uint64
	aw, w, ar *bench.Source
	b, r      *bench.Sink
}

// newCard returns a card after its reset. seed determines the state before the reset. The caller
// must set Far.
func newCard(d *ir.Design, seed uint64) (*card, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	c := &card{
		Bench: b, Memory: dma.Pages{}, allocated: 1 << 32,
		aw: b.Source("s_axil_awvalid", "s_axil_awready", "s_axil_awaddr", "s_axil_awprot"),
		w:  b.Source("s_axil_wvalid", "s_axil_wready", "s_axil_wdata", "s_axil_wstrb"),
		ar: b.Source("s_axil_arvalid", "s_axil_arready", "s_axil_araddr", "s_axil_arprot"),
		b:  b.Sink("s_axil_bvalid", "s_axil_bready", "s_axil_bresp"),
		r:  b.Sink("s_axil_rvalid", "s_axil_rready", "s_axil_rdata", "s_axil_rresp"),
	}
	if has(b, "irq_req") {
		c.Interrupted = (&handshake{req: b.Pin("irq_req"), ack: b.Pin("irq_ack")}).interrupted
	}
	return c, nil
}

// Until runs cycles until done returns true, at most limit cycles.
func (c *card) Until(limit int, done func() bool) error {
	for n := 0; !done(); n++ {
		if n == limit {
			return fmt.Errorf("nothing after %d cycles: %w", limit, os.ErrDeadlineExceeded)
		}
		c.Far.Give()
		if err := errors.Join(c.Cycle(c.Look...), c.Far.Take()); err != nil {
			return err
		}
	}
	return nil
}

// Read32 implements driver.Device.
func (c *card) Read32(offset uint64) (uint32, error) {
	c.ar.Send(0, bench.Item{offset, 0})
	err := c.Until(100, func() bool { return len(c.r.Got[0]) > 0 })
	if err != nil {
		return 0, err
	}
	v := uint32(c.r.Got[0][0][0])
	c.r.Got[0] = nil
	return v, nil
}

// Write32 implements driver.Device.
func (c *card) Write32(offset uint64, v uint32) error {
	c.aw.Send(0, bench.Item{offset, 0})
	c.w.Send(0, bench.Item{uint64(v), 0xf})
	if c.Serviced != nil && (offset == arch.CSRCQHead || offset == arch.CSRControl) {
		c.Serviced()
	}
	err := c.Until(100, func() bool { return len(c.b.Got[0]) > 0 })
	c.b.Got[0] = nil
	return err
}

// EnableVector implements driver.Device.
func (c *card) EnableVector(int) error { return nil }

// Wait implements driver.Device. It counts cycles and ignores the timeout.
func (c *card) Wait(time.Duration) error {
	return c.Until(20000, c.Interrupted)
}

// handshake acknowledges interrupt requests while the driver waits.
type handshake struct {
	req, ack sim.Pin
	taken    bool // acknowledged in the last cycle
}

func (h *handshake) interrupted() bool {
	was := h.taken
	h.taken = !was && h.req.Bool()
	h.ack.SetBool(h.taken)
	return was
}

// AllocDMA implements driver.Device.
func (c *card) AllocDMA(n int) (driver.DMA, error) {
	at := c.allocated
	c.allocated += uint64(n+4095) &^ 4095
	return buffer{c.Memory, at, n}, nil
}

// buffer is DMA memory.
type buffer struct {
	memory dma.Pages
	at     uint64
	n      int
}

func (b buffer) Address() uint64 { return b.at }
func (b buffer) Size() int       { return b.n }
func (b buffer) Read(offset int, p []byte) error {
	b.memory.ReadAt(b.at+uint64(offset), p)
	return nil
}
func (b buffer) Write(offset int, p []byte) error {
	b.memory.WriteAt(b.at+uint64(offset), p)
	return nil
}
