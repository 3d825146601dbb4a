// Command unreset removes the reset of each register of the accelerator in turn and
// runs it from random states on the traffic of a recorded training run. It lists the
// resets of which nobody at the boundary of the chip notices that they are gone.
// Those that are known are in survivors.txt, each with its reason; the exit status is
// 1 if others survive, or if one of these does not. scripts/resets runs it.
//
// Its tests also run the accelerator and each of its blocks in Icarus Verilog with
// all state unknown.
package main
