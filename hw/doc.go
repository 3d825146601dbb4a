// Package hw is the hardware language: Go code that builds synchronous logic.
//
// A hardware module is a comparable struct of parameters with a Build method,
//
//	type Counter struct{ Width int }
//
//	func (p Counter) Build(m *hw.Module) CounterPorts {
//		io := CounterPorts{Enable: m.In("enable", 1), Count: m.Out("count", p.Width)}
//		n := m.Reg("n", p.Width, 0)
//		m.When(io.Enable, func() { n.Set(n.Inc()) })
//		io.Count.Set(n)
//		return io
//	}
//
// whose result, a struct of ports, is what a parent connects to. Elaborate runs
// it and gives an ir.Design, or all mistakes at once, each with a stable id and
// the two nearest positions in the user's source. Equal parameters give one
// module.
//
// Widths are strict: operands of an operator have the same width, and so have
// both sides of Set; Ext, SExt and Trunc change a width, and K(v) is a constant
// that takes the width of the other side. There is one clock and one
// synchronous reset, both implicit; InstReset resets an instance besides. The
// last Set in program order whose conditions hold wins; wires need a value on
// every path, registers hold theirs.
//
// For repeats its body in hardware and stays a loop in every product. Signals
// declared in it exist once per iteration; vectors carry values across its
// boundary.
//
// # Mistakes
//
// Each mistake has one of these ids:
//
//	width      operands, ports or sides of Set of different widths; impossible widths and parts
//	const      a constant that does not fit, has no width, or repeats a case
//	scope      a value outside its loop or module, or that was never declared; a continued When elsewhere
//	name       illegal, reserved or repeated names; two modules with one name
//	direction  Set of what cannot be set; Build returns what is no port
//	driver     a signal, pin or element with no driver or with two
//	latch      a wire without a value on some path
//	loop       a combinational loop, with the path
//	param      impossible parameters, from the language or from Module.Errorf
//	memory     impossible memories
//	fsm        states that are missing, repeated or described in two places
//
// Drivers and latches are checked after other mistakes too; loops only in a
// description without any other mistake. A Go panic in a Build is the user's
// own and passes through.
//
// The package may import hw/ir and below only.
package hw
