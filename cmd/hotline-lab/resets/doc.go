// Package resets removes the reset of each register of the accelerator in turn and
// runs it from random states on the traffic of a recorded training run. It lists the
// resets of which nobody at the boundary of the chip notices that they are gone.
// Those that are known are in survivors.txt, each with its reason; the exit status is
// 1 if others survive, or if one of these does not.
//
// It also looks for state that has no reset and is read before it is written: it runs random
// commands with resets, some of which leave registers unset, and runs them again with other
// values in this state at power-up and in each reset. It names the registers and memories
// that change an output, and exits with status 1 if there are any. scripts/resets runs it.
//
// Its tests also run the accelerator and each of its blocks in Icarus Verilog with
// all state unknown.
package resets
