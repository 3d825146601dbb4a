// Package hw is a hardware description language embedded in Go, for synchronous logic.
//
// A hardware module is a comparable struct of parameters with a Build method, such as Counter in
// the example. Build describes the logic and returns the ports of the module. A parent
// instantiates the module with Inst and connects to those ports. Elaborate builds the whole
// hierarchy and returns an ir.Design, or an error that lists every mistake. Each mistake has a
// stable id and the two nearest positions in the user's source. Equal parameters yield a single
// module.
//
// Widths are strict. The operands of an operator must have the same width, and so must both sides
// of Set. Ext, SExt and Trunc change a width. K(v) is a constant that takes the width of the other
// operand.
//
// By default a module has one implicit clock and one implicit synchronous reset; InstReset adds a
// condition that resets an instance. Alternatively the clocks are ports (see Clock). In that case
// every state element follows one of these clocks, and instances declared in Clocked take their
// clock from it. A value of one clock domain may reach state of another only through package
// hw/lib/cdc.
//
// If several assignments apply in a cycle, the last Set in program order wins. Wires need a value
// on every path; registers keep their value.
//
// For repeats its body in hardware and remains a loop in the Verilog. Signals that its body
// declares exist once per iteration; vectors carry values out of the loop.
//
// An unread signal is not a mistake. ir.Unread lists unread signals, which in a finished design
// are mostly forgotten connections. Module.Unused marks a signal as intentionally unread.
//
// # Mistakes
//
// Each mistake has one of these ids:
//
//	width      operands, ports or sides of Set of different widths; invalid widths and slices
//	const      a constant that does not fit or has no width; a repeated case value
//	scope      a value outside its loop or module, or never declared; a When continued elsewhere
//	name       illegal, reserved or repeated names; two modules with one name
//	direction  Set of a value that cannot be set; Build returns a value that is not a port
//	driver     a signal, pin or element with no driver or with two
//	latch      a wire without a value on some path
//	overwrite  a Set that later ones always replace
//	loop       a combinational loop, with its path
//	param      invalid parameters, reported by the language or by Module.Errorf
//	memory     invalid memories, contents, masks and ports
//	domain     state without a clock; a value of one clock used where another clock is required
//	fsm        states that are missing, repeated, described in two places or never reached
//	record     structs that are not hardware records, and fields that do not match
//	enum       values without a name in their type of package enum
//	extern     invalid external Verilog modules, and unconnected pads
//
// Drivers, latches and overwriting are checked even if there are other mistakes. Loops are checked
// only if there are none. If Module.Errorf rejects a module's parameters, no other mistake is
// reported for that module or for the modules that it instantiates. Elaborate does not recover a
// Go panic of a Build method.
package hw
