// Package build translates a planned module to a Verilog syntax tree.
//
// It decides how each operator is written, which intermediate values get a name and which name,
// and what is declared where. An operator that Verilog lacks becomes a loop in an always block.
// A value that is read often, or that a tool cannot take inside an expression, becomes a signal.
//
// Names come from the operands of a value, or else from what it drives. They depend only on the
// module up to that point: additions at its end leave earlier names as they are.
package build
