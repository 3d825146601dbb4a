package cycle

import (
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/sim"
)

// bus is the AXI4-Lite master. It performs at most one write and one read at a time, as requested
// by the endpoint.
type bus struct {
	awaddr, awvalid, awready     sim.Wire
	wdata, wstrb, wvalid, wready sim.Wire
	bresp, bvalid, bready        sim.Wire
	araddr, arvalid, arready     sim.Wire
	rdata, rresp, rvalid, rready sim.Wire

	write *busWrite
	read  *busRead
}

type busWrite struct {
	addr     uint64
	data     uint32
	strobe   uint8
	addrSent bool
	dataSent bool
	done     func()
}

type busRead struct {
	addr  uint64
	sent  bool
	reply func(uint32, pcie.Status)
}

func newBus(w *sim.Wires) bus {
	pin := func(name string) sim.Wire { return w.Find("s_axil_" + name) }
	return bus{
		awaddr: pin("awaddr"), awvalid: pin("awvalid"), awready: pin("awready"),
		wdata: pin("wdata"), wstrb: pin("wstrb"), wvalid: pin("wvalid"), wready: pin("wready"),
		bresp: pin("bresp"), bvalid: pin("bvalid"), bready: pin("bready"),
		araddr: pin("araddr"), arvalid: pin("arvalid"), arready: pin("arready"),
		rdata: pin("rdata"), rresp: pin("rresp"), rvalid: pin("rvalid"), rready: pin("rready"),
	}
}

func (b *bus) busy() bool { return b.write != nil || b.read != nil }

func (b *bus) present() {
	b.bready.SetBool(b.write != nil)
	b.rready.SetBool(b.read != nil)
	w := b.write
	b.awvalid.SetBool(w != nil && !w.addrSent)
	b.wvalid.SetBool(w != nil && !w.dataSent)
	if w != nil {
		b.awaddr.Set(w.addr)
		b.wdata.Set(uint64(w.data))
		b.wstrb.Set(uint64(w.strobe))
	}
	r := b.read
	b.arvalid.SetBool(r != nil && !r.sent)
	if r != nil {
		b.araddr.Set(r.addr)
	}
}

func (b *bus) sample() {
	r := b.read // taken before, because the end of the write may start another read
	if w := b.write; w != nil {
		// Ready counts only in cycles in which the channel was valid.
		addr, data := !w.addrSent && b.awready.Bool(), !w.dataSent && b.wready.Bool()
		w.addrSent, w.dataSent = w.addrSent || addr, w.dataSent || data
		if b.bvalid.Bool() {
			b.write = nil
			w.done()
		}
	}
	if r != nil {
		r.sent = r.sent || b.arready.Bool()
		if b.rvalid.Bool() {
			b.read = nil
			status := pcie.SC
			if b.rresp.Get() != 0 {
				status = pcie.UR
			}
			r.reply(uint32(b.rdata.Get()), status)
		}
	}
}

// reaches reports whether an offset fits into the address bits.
func (b *bus) reaches(offset uint64) bool { return offset>>b.araddr.Bits() == 0 }

// ReadRegister implements link.Core. An offset beyond the bus's addresses is an unsupported
// request.
func (c *Card) ReadRegister(offset uint64, reply func(uint32, pcie.Status)) {
	if !c.bus.reaches(offset) {
		reply(0, pcie.UR)
		return
	}
	c.bus.read = &busRead{addr: offset, reply: reply}
	c.wake()
}

// WriteRegister implements link.Core. Like any posted write to an unmapped address, a write beyond
// the bus's addresses is dropped.
func (c *Card) WriteRegister(offset uint64, value uint32, enables uint8, done func()) {
	if !c.bus.reaches(offset) {
		done()
		return
	}
	c.bus.write = &busWrite{addr: offset, data: value, strobe: enables, done: done}
	c.wake()
}
