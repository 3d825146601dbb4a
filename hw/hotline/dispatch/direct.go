package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/address"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// direct executes the commands of Table I. Their rows and operations share the queues with the
// memory controller, which is idle meanwhile.
func (x *control) direct() {
	now := x.Decode.Is().And(x.c.Refusal.Is(arch.StatusOK)).As("direct_now")
	x.readRow(now)
	x.operate(now)
	x.writeRegister(now)
}

func (x *control) readRow(now hw.Bits) {
	c, u, r := x.c, x.u, x.u.regs
	peer := c.is(arch.GPURead)
	row := now.And(peer.Or(c.is(arch.DMARead))).As("direct_row")
	number := c.Operand2.Trunc(x.p.BlockBits()).Ext(x.p.BlockBits() + sizes.MostBeatsLog2(x.p.Stream, x.p.VectorValues))
	offset := number.Shl(sizes.BeatsLog2(r.Rows.RowLog2, x.p.Stream, x.p.VectorValues)).As("block_offset") // in beats
	block := r.Rows.Hot.Index(c.Operand1.Trunc(x.p.GPUBits())).Add(sizes.Bytes(offset, x.p.Stream, 64)).As("block_addr")
	// Both sources request rows, so length, kind and destination are the same.
	other := u.controller.Req.Data
	request := hw.With(other, dma.Request{Peer: hw.Mux(row, peer, other.Peer), Addr: hw.Mux(row, hw.Mux(peer, block, c.Operand1), other.Addr)})
	u.rows.Push.Valid.Set(u.controller.Req.Valid.Or(row))
	hw.Set(u.rows.Push.Data, request)
	u.controller.Req.Ready.Set(u.rows.Push.Ready)
}

func (x *control) operate(now hw.Bits) {
	c, u := x.c, x.u
	add, mul := c.is(arch.VAdd), c.is(arch.VMul)
	operate := now.And(add.Or(mul).Or(c.is(arch.DMAWrite))).As("direct_op")
	op := func(k reduce.Kind) hw.Enum[reduce.Kind] { return hw.Value(x.m, k) }
	kind := hw.Mux(add, op(reduce.Add), hw.Mux(mul, op(reduce.Mul), op(reduce.Keep)))
	operation := reduce.Op{Kind: kind, Load: c.Half, Write: c.is(arch.DMAWrite), Next: hw.K(0), Scalar: c.Operand1.Trunc(32), Addr: c.Operand1}
	u.ops.Push.Valid.Set(u.controller.Op.Valid.Or(operate))
	hw.Set(u.ops.Push.Data, hw.Mux(operate, operation, u.controller.Op.Data))
	u.controller.Op.Ready.Set(u.ops.Push.Ready)
}

// writeRegister writes an address register. The lookup engines keep copies of the slots' bases.
func (x *control) writeRegister(now hw.Bits) {
	c, io, r := x.c, x.io, x.u.regs
	write := now.And(c.is(arch.SWrite)).As("register_write")
	r.Write.Enable.Set(write)
	r.Write.Index.Set(c.Operand1.Trunc(address.IndexBits))
	r.Write.Value.Set(c.Operand2)
	slot := io.Lookup.Slot
	slot.Enable.Set(write.And(c.Operand1.Slice(address.IndexBits-1, arch.Log2(address.ArrayGroup)).Eq(address.Group(arch.RegSlot, address.ArrayGroup))))
	slot.Addr.Set(c.Operand1.Trunc(x.p.SlotBits()))
	slot.Base.Set(c.Operand2.Trunc(x.p.IDBits()))
}
