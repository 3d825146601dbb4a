// Package resets checks that each reset of the accelerator is observable. It removes the reset of
// one register at a time and simulates the accelerator from random states on the traffic of a
// recorded training. It lists the survivors: resets whose removal is not observable at the ports of
// their block. Known survivors are listed in survivors.txt with their reasons. The exit status is 1
// if another reset survives, or if a listed reset does not survive.
//
// The package also searches for state that has no reset and is read before it is written. It runs
// random commands with resets, some of which leave registers unset. Then it runs them again with
// other values in this state at power-up and in each reset. It reports the registers and memories
// that change an output, and exits with status 1 if there are any. scripts/resets runs both checks.
//
// Its tests also simulate the accelerator and each of its blocks in Icarus Verilog with all state
// unknown.
package resets
