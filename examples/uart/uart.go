// Package uart is a serial port with 8 data bits, no parity and 1 stop bit.
package uart

import "github.com/hotline-rtl/hotline/hw"

// UART sends and receives bits of Divider cycles each.
type UART struct{ Divider int }

// Ports are the ports of UART.
type Ports struct {
	Send hw.Stream[hw.Bits] `hw:"in,8"`
	Got  hw.Stream[hw.Bits] `hw:"out,8"`
	Lost hw.Bits            `hw:"out" doc:"a byte came while the one before was not taken"`
	TX   hw.Bits            `hw:"out"`
	RX   hw.Bits            `hw:"in" doc:"from any clock"`
}

// Build describes the port.
func (p UART) Build(m *hw.Module) Ports {
	m.Doc("UART: 8 data bits, no parity, 1 stop bit.")
	if p.Divider < 4 {
		m.Errorf("Divider is %d, expected at least 4", p.Divider)
	}
	io := hw.Ports[Ports](m)
	m.Scope("tx", func() { p.send(m, io) })
	m.Scope("rx", func() { p.receive(m, io) })
	return io
}

// frame contains the registers of one direction, which step through the bits of a byte.
type frame struct {
	m                *hw.Module
	cycle, bit, word hw.Bits
}

// frame declares the registers. They need no reset, because begin sets them.
func (p UART) frame(m *hw.Module) frame {
	f := frame{m, m.Data("cycle", hw.IndexWidth(p.Divider)), m.Data("bit", 3), m.Data("word", 8)}
	f.cycle.Set(f.cycle.Inc())
	return f
}

func (f frame) begin() {
	f.cycle.Set(hw.K(0))
	f.bit.Set(hw.K(0))
}

// after executes do in the last of the given number of cycles.
func (f frame) after(cycles int, do func()) {
	f.m.When(f.cycle.Eq(hw.K(cycles-1)), func() {
		f.cycle.Set(hw.K(0))
		do()
	})
}

// shift shifts a bit in at the top and calls end after the last bit.
func (f frame) shift(in hw.Bits, end func()) {
	f.word.Set(hw.Cat(in, f.word.Slice(7, 1)))
	f.bit.Set(f.bit.Inc())
	f.m.When(f.bit.All(), end)
}

func (p UART) send(m *hw.Module, io Ports) {
	st := hw.FSM[struct{ Idle, Start, Data, Stop hw.State }](m, "state")
	f := p.frame(m)
	io.Send.Ready.Set(st.Idle.Is())
	io.TX.Set(hw.K(1))
	st.Idle.Do(func() {
		f.begin()
		f.word.Set(io.Send.Data)
		m.When(io.Send.Valid, st.Start.Next)
	})
	st.Start.Do(func() {
		io.TX.Set(hw.K(0))
		f.after(p.Divider, st.Data.Next)
	})
	st.Data.Do(func() {
		io.TX.Set(f.word.Bit(0))
		f.after(p.Divider, func() { f.shift(hw.Lit(1, 0), st.Stop.Next) })
	})
	st.Stop.Do(func() { f.after(p.Divider, st.Idle.Next) })
}

func (p UART) receive(m *hw.Module, io Ports) {
	first, line := m.Reg("first", 1, 1), m.Reg("line", 1, 1)
	first.Set(io.RX)
	line.Set(first)
	full, data := m.Reg("full", 1, 0), m.Data("data", 8)
	io.Got.Valid.Set(full)
	io.Got.Data.Set(data)
	io.Lost.Set(hw.K(0))
	m.When(io.Got.Fire(), func() { full.Set(hw.K(0)) })

	st := hw.FSM[struct{ Idle, Start, Data, Stop hw.State }](m, "state")
	f := p.frame(m)
	st.Idle.Do(func() {
		f.begin()
		m.When(line.Not(), st.Start.Next)
	})
	st.Start.Do(func() {
		f.after(p.Divider/2, func() {
			m.When(line, st.Idle.Next).Else(st.Data.Next) // a spike, or the middle of the start bit
		})
	})
	st.Data.Do(func() { f.after(p.Divider, func() { f.shift(line, st.Stop.Next) }) })
	st.Stop.Do(func() {
		f.after(p.Divider, func() {
			st.Idle.Next()
			m.When(full, func() { io.Lost.Set(hw.K(1)) }).ElseWhen(line, func() {
				full.Set(hw.K(1))
				data.Set(f.word)
			})
		})
	})
}
