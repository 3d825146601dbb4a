// Package extern runs the Go models of external Verilog modules together with a Go engine. The
// engine sees the outputs of models as its inputs, and the inputs of models as its outputs
// (netlist.Design). A Host transfers values between both until they reach a fixed point.
//
// Models run in the order of the hierarchy, so runs are deterministic. It is an error if an output
// of a model depends combinationally on an input without a path in the ir.Extern.
package extern
