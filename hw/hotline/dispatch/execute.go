package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// control describes the dispatcher's control. It accepts a command, checks it, starts the units
// that the command needs one after the other, and waits until all writes have left.
type control struct {
	m  *hw.Module
	p  Dispatch
	io Ports
	u  units
	c  command
	s  standing

	failed  hw.Bits // a read or write of the command has failed
	noTable hw.Bits // the update list contains a table without an address
	begin   begins

	controlStates
}

type controlStates struct {
	Idle, Measure, Check, Decode      hw.State
	Load, Sweep, Bitmap, Walk, HotSet hw.State
	Settle, Finish                    hw.State
}

// begins holds the start signals of the units: 1 in the cycle in which a unit starts.
type begins struct{ Load, Sweep, Bitmap, Walk, HotSet hw.Bits }

func newControl(m *hw.Module, p Dispatch, io Ports, u units) *control {
	begin := hw.Wire[begins](m, "begin")
	hw.Set(begin, hw.Zero[begins](m))
	return &control{m: m, p: p, io: io, u: u, c: newCommand(m, p), s: hw.Reg[standing](m, "held"), begin: begin, controlStates: hw.FSM[controlStates](m, "state")}
}

// execute describes the complete control.
func (x *control) execute() {
	io := x.io
	failure := hw.Mux(failed(io.LoadError), io.LoadError, hw.Mux(failed(io.RowError), io.RowError, io.WriteError)).As("failure")
	x.failed = failed(failure).As("failed")
	io.Mute.Set(failed(io.WriteError))
	x.noTable = x.inspect()
	x.prepare()
	x.branch()
	x.work()
	x.conclude(failure)
	x.start()
	x.direct()
	x.remember()
	x.values()
}

// failed reports whether e is an error.
func failed(e hw.Enum[arch.DMAError]) hw.Bits { return e.Is(arch.DMAOK).Not() }

// prepare accepts a command and checks it.
func (x *control) prepare() {
	x.io.Command.Ready.Set(x.Idle.Is())
	x.Idle.Do(func() {
		x.m.When(x.io.Command.Valid, func() {
			x.c.take(x.io.Command.Data)
			x.Measure.Next()
		})
	})
	x.Measure.Do(func() {
		x.c.Size.Set(x.c.product(x.u.regs))
		x.Check.Next()
	})
	status := x.verdict()
	x.Check.Do(func() {
		x.c.Refusal.Set(status)
		x.Decode.Next()
	})
}

// branch starts the first unit of the command.
func (x *control) branch() {
	m, io, u := x.m, x.io, x.u
	x.Decode.Do(func() {
		m.When(x.c.Refusal.Is(arch.StatusOK).Not(), x.Finish.Next).Else(func() {
			m.Switch(x.c.Opcode.Bits()).
				Any(x.c.cases(arch.Learn, arch.Classify, arch.Update), func() {
					m.When(io.EALReady, func() { x.launch(x.begin.Load, x.Load) })
				}).
				Any(x.c.cases(arch.Gather), func() { x.launch(x.begin.Walk, x.Walk) }).
				Any(x.c.cases(arch.HotSet), func() {
					m.When(io.EALReady, func() { x.launch(x.begin.HotSet, x.HotSet) })
				}).
				Any(x.c.cases(arch.DMARead, arch.GPURead), func() { m.When(u.rows.Push.Ready, x.Finish.Next) }).
				Any(x.c.cases(arch.DMAWrite, arch.VAdd, arch.VMul), func() { m.When(u.ops.Push.Ready, x.Settle.Next) }).
				Any(x.c.cases(arch.Fence), x.Settle.Next).
				Default(x.Finish.Next)
		})
	})
}

func (x *control) launch(begin hw.Bits, s hw.State) {
	begin.Set(hw.K(1))
	s.Next()
}

// work starts the next unit when the current one is done.
func (x *control) work() {
	m, io, u := x.m, x.io, x.u
	x.Load.Do(func() {
		m.When(u.loader.Busy.Or(io.Loading).Not(), func() {
			m.When(x.failed.Or(x.noTable), x.Settle.Next).
				ElseWhen(x.c.is(arch.Update), func() { x.launch(x.begin.Walk, x.Walk) }).
				Else(func() { x.launch(x.begin.Sweep, x.Sweep) })
		})
	})
	x.Sweep.Do(func() {
		m.When(io.Lookup.Busy.Or(u.classifier.Busy).Not(), func() {
			m.When(x.c.is(arch.Learn), x.Settle.Next).Else(func() { x.launch(x.begin.Bitmap, x.Bitmap) })
		})
	})
	x.Bitmap.Do(func() { m.When(u.bitmap.Busy.Not(), x.Settle.Next) })
	x.Walk.Do(func() { m.When(u.walker.Busy.Not().And(u.controller.Idle), x.Settle.Next) })
	u.packer.Finish.Set(x.HotSet.Is().And(u.hot.Busy.Not()).Or(io.Hold))
	x.HotSet.Do(func() { m.When(u.hot.Busy.Not().And(u.packer.Idle), x.Settle.Next) })
}

// conclude waits until no operation and no write is pending, then reports the status.
func (x *control) conclude(failure hw.Enum[arch.DMAError]) {
	io, u, c := x.io, x.u, x.c
	busy := u.ops.Level.Any().Or(u.rows.Level.Any()).Or(io.ReduceIdle.Not()).Or(io.WritePending).As("operations_left")
	x.Settle.Do(func() { x.m.When(busy.Not(), x.Finish.Next) })
	x.Finish.Do(x.Idle.Next)
	io.Done.Set(x.Finish.Is())
	io.ClearErrors.Set(x.Finish.Is())
	code := hw.EnumOf[arch.Status](failure.Bits().Ext(io.Status.Width())) // the first statuses have the numbers of the DMA errors
	outcome := hw.Mux(x.failed.Not().And(x.noTable), hw.Value(x.m, arch.StatusNoTable), code)
	io.Status.Set(hw.Mux(c.Refusal.Is(arch.StatusOK), outcome, c.Refusal))
}

// start connects the operands of the command to the units.
func (x *control) start() {
	io, u, c := x.io, x.u, x.c
	u.loader.Start.Set(x.begin.Load)
	u.loader.Addr.Set(c.Operand1)
	u.loader.Words.Set(c.words())
	u.loader.Half.Set(c.Half)

	io.Lookup.Start.Set(x.begin.Sweep)
	io.Lookup.Learn.Set(c.is(arch.Learn))
	io.Lookup.Half.Set(c.Half)
	io.Lookup.Words.Set(c.words())
	x.classify()

	u.bitmap.Start.Set(x.begin.Bitmap)
	u.bitmap.Half.Set(c.Half)
	u.bitmap.Addr.Set(c.Operand3)
	u.bitmap.Inputs.Set(c.count())

	u.walker.Start.Set(x.begin.Walk)
	u.walker.Update.Set(c.is(arch.Update))
	u.walker.Half.Set(c.Half)
	u.walker.Count.Set(c.count())
	u.controller.Start.Set(x.begin.Walk)
	u.controller.Update.Set(c.is(arch.Update))
	u.controller.Half.Set(c.Half)

	u.hot.Start.Set(x.begin.HotSet)
	u.packer.Start.Set(x.begin.HotSet)
	u.packer.Addr.Set(c.Operand1)
}

// classify connects the operands of the command to the classifier. Results behind the last word
// belong to no input and are ignored.
func (x *control) classify() {
	k, c := x.u.classifier, x.c
	lanes, wide := x.p.LaneBits(), c.words().Width()+1
	k.Start.Set(x.begin.Sweep.And(c.is(arch.Classify)))
	k.Half.Set(c.Half)
	k.Inputs.Set(c.count())
	k.Slots.Set(x.u.regs.Slots)
	k.Rows.Set(c.words().Ext(wide).Add(hw.K(x.p.Engines-1)).Slice(wide-1, lanes).Resize(x.p.AddressBits()))
}

// values computes the values that completions report.
func (x *control) values() {
	m, io, u, c := x.m, x.io, x.u, x.c
	hot, cold := m.Data("hot_rows", 32), m.Data("cold_rows", 32)
	hotRow, coldRow := m.Data("hot_row", 1), m.Data("cold_row", 1) // delayed by a cycle
	hotRow.Set(u.controller.HotRow)
	coldRow.Set(u.controller.ColdRow)
	m.When(x.begin.Walk, func() {
		hot.Set(hw.K(0))
		cold.Set(hw.K(0))
	}).Else(func() {
		m.When(hotRow, func() { hot.Set(hot.Inc()) })
		m.When(coldRow, func() { cold.Set(cold.Inc()) })
	})
	io.Value0.Set(hw.K(0))
	io.Value1.Set(hw.K(0))
	m.When(io.Status.Is(arch.StatusOK), func() { // otherwise they may belong to an earlier command
		m.Switch(c.Opcode.Bits()).
			Any(c.cases(arch.Learn), func() { io.Value0.Set(c.words().Ext(32)) }).
			Any(c.cases(arch.Classify), func() {
				io.Value0.Set(u.classifier.Popular.Ext(32))
				io.Value1.Set(c.words().Ext(32))
			}).
			Any(c.cases(arch.Gather), func() {
				io.Value0.Set(hot)
				io.Value1.Set(cold)
			}).
			Any(c.cases(arch.Update), func() { io.Value0.Set(cold) }).
			Any(c.cases(arch.HotSet), func() { io.Value0.Set(u.hot.Entries) }).
			Default(func() {})
	})
}
