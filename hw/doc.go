// Package hw is the hardware language: Go code that builds synchronous logic.
//
// A hardware module is a comparable struct of parameters with a Build method
// that returns its ports, as Counter is in the example. A parent instantiates it
// with Inst and connects to those ports. Elaborate builds it and gives an
// ir.Design, or all mistakes at once, each with a stable id and the two nearest
// positions in the user's source. Equal parameters give one module.
//
// Widths are strict: operands of an operator have the same width, and so have
// both sides of Set; Ext, SExt and Trunc change a width, and K(v) is a constant
// that takes the width of the other side. A module has one clock and one
// synchronous reset, both implicit; InstReset resets an instance besides. Or its clocks
// are ports (see Clock): then all state follows one of them, the instances in Clocked
// take theirs from it, and what one clock drives reaches state of another through
// package hw/lib/cdc only. The
// last Set in program order whose conditions hold wins; wires need a value on
// every path, registers hold theirs.
//
// For repeats its body in hardware and stays a loop in the Verilog. Signals
// declared in it exist once per iteration; vectors carry values across its
// boundary.
//
// What nothing reads is no mistake here, but ir.Unread finds it, in finished designs
// mostly a connection that was forgotten; Module.Unused says that it is on purpose.
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
//	overwrite  a Set that later ones always replace
//	loop       a combinational loop, with the path
//	param      impossible parameters, from the language or from Module.Errorf
//	memory     impossible memories, contents, masks and ports
//	domain     state without a clock, or what follows one clock taken where another counts
//	fsm        states that are missing, repeated, described in two places or never reached
//	record     structs that are no records of hardware, and fields that do not match
//	enum       values that a type of package enum has no name for
//	extern     foreign Verilog that cannot be, and pads that lead nowhere
//
// Drivers, latches and overwriting are checked after other mistakes too; loops
// only in a description without any other mistake. If Module.Errorf has refused a
// module's parameters, nothing else is said about it and what it instantiates. A
// Go panic in a Build is the user's own and passes through.
package hw
