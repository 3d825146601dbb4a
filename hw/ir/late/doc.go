// Package late models late clock-domain crossings. In hardware, a value that changes at the moment
// of capture may arrive one cycle earlier or later. The package is a pass over the IR that adds to
// each synchroniser a register with the previously captured value. A new input selects between
// this value and the current value. All engines, Verilog simulators and formal proofs can
// therefore vary the delay of crossings.
package late
