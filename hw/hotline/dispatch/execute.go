package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// command is the one being executed.
type command struct {
	opcode, half   hw.Bits
	op1, op2, op3  hw.Bits
	count          hw.Bits // operand 2 as a number of inputs
	is             func(arch.Opcode) hw.Bits
	load           hw.Bits // flag of v_add
	status         hw.Bits
	words          hw.Bits // of the mini-batch or list
	firstRow       hw.Bits
	rangeOK, batch hw.Bits
}

// settleCycles is how long everything must be quiet before a command counts as
// done: longer than a request takes from one block to the next.
const settleCycles = 7

// execute is the dispatcher's control.
func (p Dispatch) execute(m *hw.Module, io Ports, u parts) {
	_, st := m.FSM("state", "Idle", "Decode", "Load", "Sweep", "Bitmap", "Walk", "Scan", "Settle", "Finish")
	idle, decode, load, sweep := st[0], st[1], st[2], st[3]
	bitmap, walk, scan, settle, finish := st[4], st[5], st[6], st[7], st[8]
	c := p.command(m, io, u, idle)

	errorCode := hw.Mux(io.ReadError.Ne(hw.K(0)), io.ReadError, io.WriteError).As("error_code")
	failed := errorCode.Ne(hw.K(0)).As("failed")
	io.Mute.Set(failed)

	start := m.Wire("start", 1) // of whatever the next state runs
	start.Set(hw.K(0))
	p.starts(m, io, u, c, start, decode, load, sweep, bitmap)
	p.direct(m, io, u, c, decode)

	calm := m.Reg("calm", 3, 0)
	quiet := u.ops.Level.Eq(hw.K(0)).And(u.rows.Level.Eq(hw.K(0))).And(io.ReduceIdle).And(io.WritePending.Not()).As("quiet")
	m.When(settle.Is().And(quiet), func() { calm.Set(calm.Inc()) }).Else(func() { calm.Set(hw.K(0)) })

	idle.Do(func() { m.When(io.Command.Valid, decode.Next) })
	decode.Do(func() {
		m.Switch(c.opcode).
			Any([]hw.Bits{op(arch.Learn), op(arch.Classify), op(arch.Update)}, func() {
				m.When(c.rangeOK.Not(), finish.Next).ElseWhen(io.EALReady, func() {
					start.Set(hw.K(1))
					load.Next()
				})
			}).
			Case(op(arch.Gather), func() {
				m.When(c.rangeOK.Not(), finish.Next).Else(func() {
					start.Set(hw.K(1))
					walk.Next()
				})
			}).
			Case(op(arch.HotSet), func() {
				m.When(io.EALReady, func() {
					start.Set(hw.K(1))
					scan.Next()
				})
			}).
			Any([]hw.Bits{op(arch.DMARead), op(arch.GPURead)}, func() { m.When(u.rows.Push.Ready, finish.Next) }).
			Any([]hw.Bits{op(arch.DMAWrite), op(arch.VAdd), op(arch.VMul)}, func() { m.When(u.ops.Push.Ready, settle.Next) }).
			Case(op(arch.Fence), settle.Next).
			Default(finish.Next)
	})
	load.Do(func() {
		m.When(u.loader.Busy.Or(io.Loading).Not(), func() {
			m.When(failed, settle.Next).Else(func() {
				start.Set(hw.K(1))
				m.When(c.is(arch.Update), walk.Next).Else(sweep.Next)
			})
		})
	})
	sweep.Do(func() {
		m.When(io.LookupBusy.Or(u.classifier.Busy).Not(), func() {
			m.When(c.is(arch.Learn), settle.Next).Else(func() {
				start.Set(hw.K(1))
				bitmap.Next()
			})
		})
	})
	bitmap.Do(func() { m.When(u.bitmap.Busy.Not(), settle.Next) })
	walk.Do(func() { m.When(u.walker.Busy.Not().And(u.controller.Idle), settle.Next) })
	scan.Do(func() { m.When(u.hot.Busy.Not().And(u.packer.Idle), settle.Next) })
	settle.Do(func() { m.When(calm.Eq(hw.K(settleCycles)), finish.Next) })
	finish.Do(idle.Next)

	u.packer.Finish.Set(scan.Is().And(u.hot.Busy.Not()))
	io.Command.Ready.Set(idle.Is())
	io.Done.Set(finish.Is())
	io.ClearErrors.Set(finish.Is())
	io.Status.Set(hw.Mux(c.status.Ne(hw.K(0)), c.status, errorCode.Ext(8)))
	p.values(m, io, u, c, start)
}

func op(o arch.Opcode) hw.Bits { return hw.Lit(8, uint64(o)) }

// command latches a command and checks its operands.
func (p Dispatch) command(m *hw.Module, io Ports, u parts, idle hw.State) command {
	c := command{opcode: m.Data("opcode", 8), half: m.Data("half", 1), op1: m.Data("op1", 64), op2: m.Data("op2", 64), op3: m.Data("op3", 64)}
	c.load = c.half // the same flag bit
	e := UnpackCommand(io.Command.Data)
	m.When(idle.Is().And(io.Command.Valid), func() {
		c.op1.Set(e.Operand1)
		c.op2.Set(e.Operand2)
		c.op3.Set(e.Operand3)
		c.opcode.Set(e.Opcode)
		c.half.Set(e.Flags.Bit(0))
	})
	c.is = func(o arch.Opcode) hw.Bits { return c.opcode.Eq(op(o)) }
	ib, wb := inputsBits(p.Params), wordsBits(p.Params)
	c.count = c.op2.Trunc(ib)
	perInput := hw.Mux(c.is(arch.Update), hw.Lit(slotsBits(p.Params), 2), u.regs.Slots).As("words_per_input")
	product := c.count.Ext(ib + slotsBits(p.Params)).Mul(perInput.Ext(ib + slotsBits(p.Params))).As("product")
	c.words = product.Resize(wb).As("batch_words")
	fits := product.Le(hw.Lit(product.Width(), uint64(p.HalfWords()))).And(c.op2.Slice(63, ib).IsZero()).And(c.count.Ne(hw.K(0)))
	slotsOK := u.regs.Slots.Ge(hw.K(max(1, p.Engines/4))).And(u.regs.Slots.Le(hw.K(p.Slots)))
	c.rangeOK = fits.And(slotsOK.Or(c.is(arch.Update))).As("range_ok")
	c.firstRow = hw.Cat(c.half, hw.Zeros(edramRowBits(p.Params)-1)).As("first_row")

	known := m.Wire("known", 1)
	ranged := m.Wire("ranged", 1)
	known.Set(hw.K(1))
	ranged.Set(hw.K(0))
	m.Switch(c.opcode).
		Any([]hw.Bits{op(arch.Learn), op(arch.Classify), op(arch.Gather), op(arch.Update)}, func() { ranged.Set(hw.K(1)) }).
		Any([]hw.Bits{op(arch.DMARead), op(arch.DMAWrite), op(arch.VAdd), op(arch.VMul), op(arch.SWrite), op(arch.GPURead), op(arch.HotSet), op(arch.Fence)}, func() {}).
		Default(func() { known.Set(hw.K(0)) })
	c.status = hw.Mux(known.Not(), hw.Lit(8, arch.StatusOpcode), hw.Mux(ranged.And(c.rangeOK.Not()), hw.Lit(8, arch.StatusRange), hw.Lit(8, arch.StatusOK))).As("command_status")
	return c
}

// starts launches the units as the control changes state.
func (p Dispatch) starts(m *hw.Module, io Ports, u parts, c command, start hw.Bits, decode, load, sweep, bitmap hw.State) {
	wb := wordsBits(p.Params)
	u.loader.Start.Set(start.And(decode.Is()).And(c.is(arch.Gather).Or(c.is(arch.HotSet)).Not()))
	u.loader.Addr.Set(c.op1)
	u.loader.Words.Set(c.words)
	u.loader.Half.Set(c.half)

	io.LookupStart.Set(start.And(load.Is()).And(c.is(arch.Update).Not()))
	io.LookupLearn.Set(c.is(arch.Learn))
	io.LookupHalf.Set(c.half)
	io.LookupWords.Set(c.words)

	k := u.classifier
	k.Start.Set(start.And(load.Is()).And(c.is(arch.Classify)))
	k.Half.Set(c.half)
	k.Inputs.Set(c.count)
	k.Slots.Set(u.regs.Slots)
	k.FirstRow.Set(c.firstRow)
	lanes := arch.Log2(p.Engines)
	k.Rows.Set(c.words.Ext(wb+1).Add(hw.K(p.Engines-1)).Slice(wb, lanes).Resize(edramRowBits(p.Params)))
	hits := m.WireVec("hits", p.Engines, 1)
	valid := p.lastRow(m, io, u, c)
	m.For("result_hit", p.Engines, func(i hw.Index) {
		hits.At(i).Set(io.Result.At(i).Bit(p.WayBits()).Or(valid.Unpack(1).At(i).Not()))
	})
	k.Hit.Set(hits.Pack())

	u.bitmap.Start.Set(start.And(sweep.Is()))
	u.bitmap.Half.Set(c.half)
	u.bitmap.Addr.Set(c.op3)
	u.bitmap.Inputs.Set(c.count)

	walkNow := start.And(decode.Is().And(c.is(arch.Gather)).Or(load.Is().And(c.is(arch.Update)))).As("walk_start")
	u.walker.Start.Set(walkNow)
	u.walker.Update.Set(c.is(arch.Update))
	u.walker.Half.Set(c.half)
	u.walker.Count.Set(c.count)
	u.controller.Start.Set(walkNow)
	u.controller.Update.Set(c.is(arch.Update))
	u.controller.FirstRow.Set(c.firstRow)

	u.hot.Start.Set(start.And(c.is(arch.HotSet)))
	u.packer.Start.Set(start.And(c.is(arch.HotSet)))
	u.packer.Addr.Set(c.op1)
}

// direct executes the commands of Table I: rows and operations join those of
// the controller, which is idle meanwhile.
func (p Dispatch) direct(m *hw.Module, io Ports, u parts, c command, decode hw.State) {
	row := decode.Is().And(c.is(arch.DMARead).Or(c.is(arch.GPURead))).As("direct_row")
	operate := decode.Is().And(c.is(arch.DMAWrite).Or(c.is(arch.VAdd)).Or(c.is(arch.VMul))).As("direct_op")
	peer := c.is(arch.GPURead)
	block := u.regs.Hot.Index(c.op1.Trunc(gpuBits(p.Params))).Add(c.op2.Shl(u.regs.RowLog2)).As("block_addr")
	rowBytes := hw.Lit(13, 1).Shl(u.regs.RowLog2).As("row_bytes")
	request := dma.Request{Peer: peer, Addr: hw.Mux(peer, block, c.op1), Len: rowBytes, Kind: hw.Lit(2, uint64(dma.Row)), Dest: hw.Zeros(destBits)}
	u.rows.Push.Valid.Set(u.controller.Req.Valid.Or(row))
	u.rows.Push.Data.Set(hw.Mux(row, request.Pack(), u.controller.Req.Data))
	u.controller.Req.Ready.Set(u.rows.Push.Ready)

	kind := hw.Mux(c.is(arch.VAdd), hw.Lit(2, uint64(reduce.Add)), hw.Mux(c.is(arch.VMul), hw.Lit(2, uint64(reduce.Mul)), hw.Lit(2, uint64(reduce.Write))))
	operation := reduce.Op{Kind: kind, Load: c.load, Scalar: c.op1.Trunc(32), Addr: c.op1}
	u.ops.Push.Valid.Set(u.controller.Op.Valid.Or(operate))
	u.ops.Push.Data.Set(hw.Mux(operate, operation.Pack(), u.controller.Op.Data))
	u.controller.Op.Ready.Set(u.ops.Push.Ready)

	write := decode.Is().And(c.is(arch.SWrite)).As("register_write")
	u.regs.Write.Set(write)
	u.regs.Index.Set(c.op1.Trunc(indexBits))
	u.regs.Value.Set(c.op2)
	io.SlotWrite.Set(write.And(c.op1.Slice(indexBits-1, 8).Eq(hw.K(arch.RegSlot >> 8))))
	io.SlotAddr.Set(c.op1.Trunc(slotBits(p.Params)))
	io.SlotBase.Set(c.op2.Trunc(p.IDBits()))
}

// lastRow tells which engines have a word in the row whose results are read:
// all of them except in the last row.
func (p Dispatch) lastRow(m *hw.Module, io Ports, u parts, c command) hw.Bits {
	lanes := arch.Log2(p.Engines)
	rest := c.words.Trunc(lanes).As("words_of_last_row")
	mask := hw.Lit(p.Engines+1, 1).Shl(rest).Sub(hw.Lit(p.Engines+1, 1)).Trunc(p.Engines)
	lastRow := c.firstRow.Add(c.words.Slice(wordsBits(p.Params)-1, lanes).Resize(edramRowBits(p.Params))).As("last_row")
	partial := m.Reg("partial", 1, 0) // the results read last are of the last row
	m.When(u.classifier.ScanEnable, func() { partial.Set(u.classifier.ScanRow.Eq(lastRow)) })
	return hw.Mux(partial, mask, hw.Ones(p.Engines)).As("words_valid")
}

// values counts what completions report.
func (p Dispatch) values(m *hw.Module, io Ports, u parts, c command, start hw.Bits) {
	hot, cold := m.Reg("hot_rows", 32, 0), m.Reg("cold_rows", 32, 0)
	m.When(start, func() {
		hot.Set(hw.K(0))
		cold.Set(hw.K(0))
	}).Else(func() {
		m.When(u.controller.HotRow, func() { hot.Set(hot.Inc()) })
		m.When(u.controller.ColdRow, func() { cold.Set(cold.Inc()) })
	})
	io.Value0.Set(hw.K(0))
	io.Value1.Set(hw.K(0))
	m.Switch(c.opcode).
		Case(op(arch.Learn), func() { io.Value0.Set(c.words.Ext(32)) }).
		Case(op(arch.Classify), func() {
			io.Value0.Set(u.classifier.Popular.Ext(32))
			io.Value1.Set(c.words.Ext(32))
		}).
		Case(op(arch.Gather), func() {
			io.Value0.Set(hot)
			io.Value1.Set(cold)
		}).
		Case(op(arch.Update), func() { io.Value0.Set(cold) }).
		Case(op(arch.HotSet), func() { io.Value0.Set(u.hot.Entries) }).
		Default(func() {})
}
