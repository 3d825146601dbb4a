// Package extern runs the Go models of foreign Verilog beside an engine in Go. To the
// engine, what models drive are inputs, and what they take are outputs (flat.Design); a
// Host carries values between the two until they settle. Models run in the order of the
// hierarchy, so that runs are the same every time. An output of a model that follows an
// input within the cycle, although no path of the ir.Extern says so, is an error.
package extern
